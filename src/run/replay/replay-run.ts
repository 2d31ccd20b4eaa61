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
import { countsByItself, recordedModels } from './recorded-models.ts'
import { compareLines, type ReplayedTrials } from './replay-answers.ts'

/**
 * Runs the config of a results folder again from its kept calls, indexes and retrieval too, and compares every trial
 * with its line: question, reference, context, answer and costs, numbers to 9 digits; of an index what it cost. Throws
 * UserError that says why nothing can be run again. `trusted`: files, plug-ins and programs that the manifest names may
 * be used.
 */
export async function replayRun(
  results: Pick<Results, 'folder' | 'manifest' | 'trials'>,
  settings: Omit<Settings, 'results'>,
  trusted: boolean,
): Promise<ReplayedTrials> {
  const { folder, manifest } = results
  const temporary = await mkdtemp(join(tmpdir(), 'gembench-replay-'))
  try {
    const { planned, objects } = recordedModels(manifest)
    const plan = { ...(await planOf(folder, manifest, trusted)), models: planned }
    const again = { ...settings, results: temporary, objects, warn: () => undefined }
    await refuseOtherSetting(manifest, plan, again)
    const { folder: made } = await run(plan, again)
    const countsUnread = countsByItself(manifest.models.embed)
    const left = ['variant', ...(countsUnread ? countedByItself : [])]
    const unseen = new Map<
      string,
      { readonly line: Line['line']; readonly methodId: string; readonly digest: string }
    >()
    for await (const line of readTrials(made))
      unseen.set(line.id, { line: line.line, methodId: line.methodId, digest: digestOf(line, left) })
    const outcome = await compareLines(results, (line) => {
      const digest = unseen.get(line.id)?.digest
      unseen.delete(line.id)
      return digest === undefined ? 'their row is not run again' : digest === digestOf(line, left)
    })
    const shown = new Set(manifest.methods.map(({ id }) => id))
    return {
      ...outcome,
      // a run that has not ended lacks lines
      missing: [...unseen].flatMap(([id, { line, methodId }]) =>
        manifest.finished !== null && line === 'trial' && shown.has(methodId) ? [id] : [],
      ),
      ...(countsUnread && { uncompared: 'token counts of the embedder, whose tokenizer is not at hand' }),
    }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

type Config = Readonly<Record<string, unknown>>

/** The config of a run, without scorers, with the rows that may be run again. */
async function planOf(folder: string, manifest: Manifest, trusted: boolean): Promise<Plan> {
  const { scorers: _scorers, judgeRuns: _judgeRuns, compare: _compare, ...config } = manifest.config as Config
  const { use, path, options } = Object(config['dataset']) as Config
  if (!trusted && (use !== 'sample' || path !== undefined))
    throw new UserError('the dataset is not followed; with --trust it is read where the config names it')
  const rows: unknown[] = []
  for (const row of [config['methods']].flat()) {
    const readable = await readableRow(row, trusted)
    if (readable !== undefined) rows.push(readable)
  }
  if (rows.length === 0) throw new UserError('none of its rows can be run again without --trust')
  const known = await menus.datasets.load(String(use))
  const dataset = {
    ...(Object(config['dataset']) as Config),
    ...(known && { options: remainingOptions(known, Object(options) as Config) }),
  }
  // without its scorers a run of retrieval alone does not show that it asks for no answers
  const answers = manifest.answers === 'none' && { answers: manifest.answers }
  const value = { ...config, ...answers, dataset, name: manifest.name, methods: rows, models: { embed: 'fake' } }
  const environment = trusted ? process.env : {}
  const file = join(folder, 'manifest.json')
  const plan = await readConfigValue(value, file, { cwd: configFolder(folder), environment }, menus)
  return { ...plan, scorers: [], varied: manifest.varied ?? [] }
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

/** What a tokenizer counts that is not at hand. */
const countedByItself = ['embeddedTokens', 'estimated', 'cutTexts', 'unreadTokens']

type Line = IndexLine | TrialLine

/**
 * A digest of what a trial says, and of what an index cost, with the digits that do not hang on the processor.
 * `left`: fields that are not compared.
 */
function digestOf(line: Line, left: readonly string[]): string {
  const compared = (key: string, value: unknown): unknown => {
    if (left.includes(key)) return undefined
    return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value
  }
  const outcome = line.line === 'index' ? [line.documents, line.chunks, line.usage] : line
  return sha256(canonicalJson(JSON.parse(JSON.stringify(outcome, compared))))
}
