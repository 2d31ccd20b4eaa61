import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { asksOf, readConfigValue, type Plan } from '../../config/index.ts'
import { filesOf } from '../../define.ts'
import { UserError } from '../../errors.ts'
import type { Manifest, StoredLine } from '../../records.ts'
import { canonicalJson, sha256 } from '../../text/hash.ts'
import { registries } from '../plug-ins/registries.ts'
import { remainingOptions } from '../prepare/identity.ts'
import { storedLines } from '../results/read-lines.ts'
import { configFolder, type Results } from '../results/results.ts'
import { run } from '../run.ts'
import type { Settings } from '../prepare/settings.ts'
import { hasLocalTokenizer, isMissingResponse, recordedModels } from './recorded-models.ts'

/** The comparison of the trials of a run with those of its replay. */
export interface Replay {
  readonly sameCount: number
  readonly comparedCount: number
  /** Numbers of the lines of trials.jsonl that differ. */
  readonly differing: readonly number[]
  /** Ids of trials of the replay that have no line. */
  readonly missing: readonly string[]
  /** The number of trials that were not compared, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** Fields that were not compared, and why. */
  readonly exempt?: string
}

/**
 * Runs the config of a results folder again into a temporary folder, with its recorded responses as the only models,
 * and compares the lines: of a trial all fields, numbers to 9 digits; of an index what it cost. Throws UserError that
 * says why the run cannot be replayed. `isTrusted`: files, plug-ins and programs of the manifest may be used.
 */
export async function replayRun(
  { folder, manifest }: Pick<Results, 'folder' | 'manifest'>,
  settings: Omit<Settings, 'results'>,
  isTrusted: boolean,
): Promise<Replay> {
  const results = await mkdtemp(join(tmpdir(), 'gembench-replay-'))
  try {
    const { models, objects } = recordedModels(manifest)
    const plan = { ...(await replayPlan(folder, manifest, isTrusted)), models }
    const begins = async (folderName_: string): Promise<void> => {
      if (basename(folderName_) !== `${manifest.name}-${manifest.hash}`) throw new UserError(otherSetting)
    }
    const replay = await run(plan, { ...settings, results, objects, warn: () => undefined, begins })
    return await compareLines(folder, manifest, replay.folder)
  } finally {
    await rm(results, { recursive: true, force: true })
  }
}

const otherSetting =
  'the setting is not that of the run: the dataset at hand has other files, another version of gembench made the run, or its manifest was edited'

type Config = Readonly<Record<string, unknown>>

/** The plan of a run without scorers, with the rows that may be replayed. */
async function replayPlan(folder: string, manifest: Manifest, isTrusted: boolean): Promise<Plan> {
  const { scorers: _scorers, judgeRuns: _judgeRuns, compare: _compare, ...config } = manifest.config as Config
  const dataset = Object(config['dataset']) as Config
  const kind = await registries.datasets.load(String(dataset['use']))
  if (!isTrusted && !(kind && usesNoPath(dataset)))
    throw new UserError('the dataset is not followed; with --trust it is read where the config names it')
  const rows = await Promise.all([config['methods']].flat().map((row) => readableRow(row, isTrusted)))
  const methods = rows.filter((row) => row !== undefined)
  if (methods.length === 0) throw new UserError('none of its rows can be run again without --trust')
  const value = {
    ...config,
    // without scorers the config no longer implies `answers: none`
    ...(manifest.answers === 'none' && { answers: manifest.answers }),
    dataset: { ...dataset, ...(kind && { options: remainingOptions(kind, Object(dataset['options']) as Config) }) },
    name: manifest.name,
    methods,
    models: { embed: 'fake' },
  }
  const environment = isTrusted ? process.env : {}
  const file = join(folder, 'manifest.json')
  const plan = await readConfigValue(value, file, { cwd: configFolder(folder), environment }, registries)
  return { ...plan, scorers: [], variedValues: manifest.varied ?? [] }
}

/** Whether a dataset reads only the folder that its name stands for: neither its path nor an option names another. */
const usesNoPath = ({ path, options = {} }: Config): boolean =>
  path === undefined && !/[\\/]|\.\./.test(JSON.stringify(options))

/** A row of a config as this version reads it; undefined if it is unreadable or not trusted. */
async function readableRow(row: unknown, isTrusted: boolean): Promise<unknown> {
  if (Array.isArray(row)) {
    const rows = await Promise.all(row.map((inner) => readableRow(inner, isTrusted)))
    return rows.includes(undefined) ? undefined : rows
  }
  const { use, label, of, ...options } = (typeof row === 'string' ? { use: row } : Object(row)) as Config
  const method = await registries.methods.load(String(use))
  if (!method || use === 'command' || use === 'http' || asksOf(row).length > 0) return isTrusted ? row : undefined
  const inner = of === undefined ? {} : { of: await readableRow(of, isTrusted) }
  if ('of' in inner && inner.of === undefined) return undefined
  const remaining = remainingOptions(method, { ...options, ...inner })
  const isReadable =
    method.options.safeParse(remaining).success && (isTrusted || filesOf(method.options, remaining).length === 0)
  return isReadable ? { use, ...(label !== undefined && { label }), ...remaining } : undefined
}

/** Token counts of an embedder, which need its tokenizer. */
const tokenizerFields = ['embeddedTokens', 'estimated', 'cutTexts', 'unreadTokens']

async function compareLines(folder: string, manifest: Manifest, replayFolder: string): Promise<Replay> {
  const isExempt = hasLocalTokenizer(manifest.models.embed)
  // variants include the values of a series
  const exempt = ['variant', ...(isExempt ? tokenizerFields : [])]
  const rows = new Set(manifest.methods.map(({ id }) => id))
  const indexes = new Map<string, string>()
  const trials = new Map<string, string>()
  /** Ids of trials, and of rows, that lack a recorded response. */
  const incompleteIds = new Set<string>()
  for await (const { value } of storedLines(replayFolder)) {
    if (!rows.has(value.methodId)) continue
    if (value.failure && isMissingResponse(value.failure)) incompleteIds.add(value.id).add(value.methodId)
    const digests = value.line === 'index' ? indexes : trials
    digests.set(value.id, digestOf(value, exempt))
  }
  const skipped: Record<string, number> = {}
  const differing: number[] = []
  let [sameCount, comparedCount] = [0, 0]
  for await (const { line, value } of storedLines(folder)) {
    if (!rows.has(value.methodId)) continue
    if (value.line === 'index') {
      const digest = incompleteIds.has(value.methodId) || value.failure ? undefined : indexes.get(value.id)
      if (digest !== undefined && digest !== digestOf(value, exempt)) differing.push(line)
      continue
    }
    const digest = trials.get(value.id)
    trials.delete(value.id)
    const reason = value.failure
      ? 'they failed when they were asked'
      : digest === undefined
        ? 'their row is not run again'
        : incompleteIds.has(value.id) && 'a call is not kept'
    if (reason) skipped[reason] = (skipped[reason] ?? 0) + 1
    else if (digest === digestOf(value, exempt)) sameCount++
    else differing.push(line)
    if (!reason) comparedCount++
  }
  return {
    sameCount,
    comparedCount,
    differing,
    // an unfinished run lacks lines
    missing: manifest.finished === null ? [] : [...trials.keys()],
    skipped,
    ...(isExempt && { exempt: 'token counts of the embedder, whose tokenizer is not at hand' }),
  }
}

/** A digest of a trial, or of the usage of an index, with the digits that do not depend on the CPU. */
function digestOf(line: StoredLine, exempt: readonly string[]): string {
  const roundNumber = (key: string, value: unknown): unknown => {
    if (exempt.includes(key)) return undefined
    return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value
  }
  const outcome = line.line === 'index' ? [line.documents, line.chunks, line.usage] : line
  return sha256(canonicalJson(JSON.parse(JSON.stringify(outcome, roundNumber))))
}
