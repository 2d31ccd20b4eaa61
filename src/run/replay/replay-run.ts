import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfigValue, type Plan } from '../../config/index.ts'
import { filesOf } from '../../define.ts'
import { UserError } from '../../errors.ts'
import type { IndexLine, Manifest, TrialLine } from '../../records.ts'
import { canonicalJson, sha256 } from '../../text/hash.ts'
import { menus } from '../plug-ins/menus.ts'
import { prepare } from '../prepare/prepare.ts'
import { remainingOptions } from '../results/identity.ts'
import { readTrials } from '../results/read-lines.ts'
import { configFolder, type Results } from '../results/results.ts'
import { run } from '../run.ts'
import type { Settings } from '../settings.ts'
import { countsByItself, isLacking, recordedModels, type RecordedModels } from './recorded-models.ts'
import type { ReplayedTrials } from './replay-answers.ts'

/**
 * Runs the config of a results folder again from its kept calls, indexes and retrieval too, and compares every trial
 * with its line: question, reference, context, answer and costs, numbers to 9 digits; of an index what it cost. Throws
 * UserError that says why nothing can be run again. `trusted`: files, plug-ins and programs that the manifest names may
 * be used.
 */
export async function replayRun(
  { folder, manifest, trials }: Pick<Results, 'folder' | 'manifest' | 'trials'>,
  settings: Omit<Settings, 'results'>,
  trusted: boolean,
): Promise<ReplayedTrials> {
  const results = await mkdtemp(join(tmpdir(), 'gembench-replay-'))
  try {
    const models = recordedModels(manifest)
    const plan = await planOf(folder, manifest, models, trusted)
    const again = { ...settings, results, objects: models.objects, warn: () => undefined }
    await refuseOtherSetting(manifest, plan, again)
    const { folder: made } = await run(plan, again)
    const left = countsByItself(manifest.models.embed) ? countedByItself : []
    const digest = digestWithout(left)
    const found = await compared(trials(), await linesIn(made, digest), manifest, digest)
    return left.length === 0
      ? found
      : { ...found, uncompared: 'token counts of the embedder, whose tokenizer is not at hand' }
  } finally {
    await rm(results, { recursive: true, force: true })
  }
}

type Config = Readonly<Record<string, unknown>>

const keys = [
  'dataset',
  'chunks',
  'budget',
  'answers',
  'prompts',
  'repeats',
  'indexPerRepeat',
  'seed',
  'concurrency',
  'limits',
]

/** The config of a run, without scorers, with the rows that may be run again and with the recorded models. */
async function planOf(folder: string, manifest: Manifest, models: RecordedModels, trusted: boolean): Promise<Plan> {
  const config = manifest.config as Config
  const { use, path, options } = Object(config['dataset']) as Config
  if (!trusted && (use !== 'sample' || path !== undefined))
    throw new UserError('the dataset is not followed; with --trust it is read where the config names it')
  const rows: unknown[] = []
  for (const row of [config['methods']].flat()) {
    const readable = await readableRow(row, trusted)
    if (readable !== undefined) rows.push(readable)
  }
  if (rows.length === 0) throw new UserError('none of its rows can be run again without --trust')
  const kept = Object.fromEntries(keys.flatMap((key) => (config[key] === undefined ? [] : [[key, config[key]]])))
  const answers = manifest.answers === 'none' && { answers: manifest.answers }
  const known = await menus.datasets.load(String(use))
  const dataset = {
    ...(Object(config['dataset']) as Config),
    ...(known && { options: remainingOptions(known, Object(options) as Config) }),
  }
  const value = { ...kept, dataset, ...answers, name: manifest.name, methods: rows, models: { embed: 'fake' } }
  const environment = trusted ? process.env : {}
  const file = join(folder, 'manifest.json')
  const plan = await readConfigValue(value, file, { cwd: configFolder(folder), environment }, menus)
  return { ...plan, models: models.planned, scorers: [], varied: manifest.varied ?? [] }
}

/** A row of a config as this version reads it; undefined where it cannot, or may not since it is not trusted. */
async function readableRow(row: unknown, trusted: boolean): Promise<unknown> {
  const { use, label, of, ...options } = (typeof row === 'string' ? { use: row } : Object(row)) as Config
  const method = await menus.methods.load(String(use))
  if (!method || use === 'command' || use === 'http') return trusted ? row : undefined
  const asked = of === undefined ? {} : await readableOf(of, trusted)
  if (!asked) return undefined
  const known = remainingOptions(method, { ...options, ...asked })
  const isRead = method.options.safeParse(known).success && (trusted || filesOf(method.options, known).length === 0)
  return isRead ? { use, ...(label !== undefined && { label }), ...known } : undefined
}

async function readableOf(of: unknown, trusted: boolean): Promise<{ readonly of: unknown } | undefined> {
  const rows = await Promise.all([of].flat().map((one) => readableRow(one, trusted)))
  return rows.includes(undefined) ? undefined : { of: Array.isArray(of) ? rows : rows[0] }
}

/** Throws UserError where what is at hand is not what the run was made of. */
async function refuseOtherSetting(manifest: Manifest, plan: Plan, settings: Settings): Promise<void> {
  const prepared = await prepare(plan, settings)
  await prepared.close()
  if (prepared.checksum !== manifest.dataset.checksum)
    throw new UserError('the dataset at hand has other files than that of the run')
  if (prepared.hash !== manifest.hash)
    throw new UserError(
      'the setting is not that of the run: another version of gembench made it, or its manifest was edited',
    )
}

/** A line that was made again: the id of its line, and its digest; null where it failed since a call was not kept. */
interface Again extends Pick<TrialLine, 'id' | 'methodId'> {
  readonly line: 'index' | 'trial'
  readonly digest: string | null
}

async function linesIn(folder: string, digestOf: DigestOf): Promise<ReadonlyMap<string, Again>> {
  const found = new Map<string, Again>()
  for await (const line of readTrials(folder)) {
    const digest = line.failure && isLacking(line.failure) ? null : digestOf(line)
    found.set(placeOf(line), { line: line.line, id: line.id, methodId: line.methodId, digest })
  }
  return found
}

/** Which trial or index of which row; `varied`: what a series varies, which is a part of the variant there. */
function placeOf(line: IndexLine | TrialLine, varied: Manifest['varied'] = []): string {
  const { method, variant, corpus, repeat } = line
  const question = line.line === 'trial' ? line.question.id : null
  const ofSeries = varied.map(({ option, text }) => `${option}=${text}`)
  const own = variant.split(', ').filter((part) => part !== '' && !ofSeries.includes(part))
  return JSON.stringify([method, own, corpus, question, repeat])
}

type DigestOf = (line: IndexLine | TrialLine) => string

/** What a tokenizer counts that is not at hand. */
const countedByItself: readonly string[] = ['embeddedTokens', 'estimated', 'cutTexts', 'unreadTokens']

/**
 * Of what a trial says, without the ids of its row, which may count otherwise in this version; of an index what it
 * cost. `left`: fields that are not compared.
 */
function digestWithout(left: readonly string[]): DigestOf {
  /** Digits that do not hang on the processor. */
  const rounded = (key: string, value: unknown): unknown =>
    left.includes(key)
      ? undefined
      : typeof value === 'number' && !Number.isInteger(value)
        ? Number(value.toPrecision(9))
        : value
  const digest = (said: unknown): string => sha256(canonicalJson(JSON.parse(JSON.stringify(said, rounded))))
  return (line) => {
    if (line.line === 'index') return digest([line.documents, line.chunks, line.usage])
    const { id: _id, methodId: _method, variant: _variant, ...own } = line
    return digest(own)
  }
}

async function compared(
  lines: ReturnType<Results['trials']>,
  again: ReadonlyMap<string, Again>,
  { methods, varied, finished }: Pick<Manifest, 'methods' | 'varied' | 'finished'>,
  digestOf: DigestOf,
): Promise<ReplayedTrials> {
  const shown = new Set(methods.map(({ id }) => id))
  const lacking = new Set([...again.values()].flatMap(({ digest, methodId }) => (digest === null ? [methodId] : [])))
  const found = { same: 0, differ: new Array<string>(), not: new Map<string, number>(), indexes: new Array<string>() }
  const unseen = new Map(again)
  const leaveOut = (why: string): unknown => found.not.set(why, (found.not.get(why) ?? 0) + 1)
  for await (const line of lines) {
    if (!shown.has(line.methodId)) continue
    const place = placeOf(line, varied)
    const { id, digest } = again.get(place) ?? {}
    unseen.delete(place)
    if (line.line === 'index') {
      const isComparable = id === line.id && !line.failure && !lacking.has(line.methodId)
      if (isComparable && digest !== digestOf(line)) found.indexes.push(line.id)
    } else if (line.failure) leaveOut('they failed when they were asked')
    else if (digest === undefined) leaveOut('their row is not run again')
    else if (digest === null) leaveOut('a call is not kept')
    else if (digest === digestOf(line)) found.same++
    else if (id === line.id) found.differ.push(line.id)
    else leaveOut('their row is another one in this version')
  }
  // a run that has not ended lacks lines
  const missing = [...unseen.values()].filter(
    ({ line, methodId }) => finished !== null && line === 'trial' && shown.has(methodId),
  )
  return { ...found, not: Object.fromEntries(found.not), missing: missing.map(({ id }) => id) }
}
