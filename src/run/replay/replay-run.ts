import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readConfigValue, type Plan } from '../../config/index.ts'
import { filesOf } from '../../define.ts'
import { UserError } from '../../errors.ts'
import type { Manifest, StoredLine } from '../../records.ts'
import { canonicalJson, sha256 } from '../../text/hash.ts'
import { registries } from '../plug-ins/registries.ts'
import { remainingOptions } from '../results/identity.ts'
import { storedLines } from '../results/read-lines.ts'
import { configFolder, type Results } from '../results/results.ts'
import { run } from '../run.ts'
import type { Settings } from '../settings.ts'
import { countsByItself, isLacking, recordedModels } from './recorded-models.ts'

/** The trials of a run after its config was run again. */
export interface Replay {
  readonly same: number
  readonly compared: number
  /** Lines of trials.jsonl, of trials and of indexes, that differ. */
  readonly differing: readonly number[]
  /** Ids of trials that the config gives and that have no line. */
  readonly missing: readonly string[]
  /** How many trials were not compared, by the reason. */
  readonly skipped: Readonly<Record<string, number>>
  /** Fields that were not compared, and why. */
  readonly exempt?: string
}

/**
 * Runs the config of a results folder again into a temporary folder, with its recorded responses as the only models,
 * and compares the lines: of a trial all fields, numbers to 9 digits; of an index what it cost. Throws UserError that
 * says why nothing can be run again. `trusted`: files, plug-ins and programs that the manifest names may be used.
 */
export async function replayRun(
  { folder, manifest }: Pick<Results, 'folder' | 'manifest'>,
  settings: Omit<Settings, 'results'>,
  trusted: boolean,
): Promise<Replay> {
  const results = await mkdtemp(join(tmpdir(), 'gembench-replay-'))
  try {
    const { planned, objects } = recordedModels(manifest)
    const plan = { ...(await planOf(folder, manifest, trusted)), models: planned }
    const begins = async (begun: string): Promise<void> => {
      if (basename(begun) !== `${manifest.name}-${manifest.hash}`) throw new UserError(otherSetting)
    }
    const replayed = await run(plan, { ...settings, results, objects, warn: () => undefined, begins })
    return await compareLines(folder, manifest, replayed.folder)
  } finally {
    await rm(results, { recursive: true, force: true })
  }
}

const otherSetting =
  'the setting is not that of the run: the dataset at hand has other files, another version of gembench made the run, or its manifest was edited'

type Config = Readonly<Record<string, unknown>>

/** The config of a run, without scorers, with the rows that may be run again. */
async function planOf(folder: string, manifest: Manifest, trusted: boolean): Promise<Plan> {
  const { scorers: _scorers, judgeRuns: _judgeRuns, compare: _compare, ...config } = manifest.config as Config
  const dataset = Object(config['dataset']) as Config
  const { use, path, options } = dataset
  if (!trusted && (use !== 'sample' || path !== undefined))
    throw new UserError('the dataset is not followed; with --trust it is read where the config names it')
  const rows = await Promise.all([config['methods']].flat().map((row) => readableRow(row, trusted)))
  const methods = rows.filter((row) => row !== undefined)
  if (methods.length === 0) throw new UserError('none of its rows can be run again without --trust')
  const kind = await registries.datasets.load(String(use))
  const value = {
    ...config,
    // without its scorers a run of retrieval alone does not show that it asks for no answers
    ...(manifest.answers === 'none' && { answers: manifest.answers }),
    dataset: { ...dataset, ...(kind && { options: remainingOptions(kind, Object(options) as Config) }) },
    name: manifest.name,
    methods,
    models: { embed: 'fake' },
  }
  const environment = trusted ? process.env : {}
  const file = join(folder, 'manifest.json')
  const plan = await readConfigValue(value, file, { cwd: configFolder(folder), environment }, registries)
  return { ...plan, scorers: [], varied: manifest.varied ?? [] }
}

/** A row of a config, or rows that it asks, as this version reads it; undefined where it cannot, or must not. */
async function readableRow(row: unknown, trusted: boolean): Promise<unknown> {
  if (Array.isArray(row)) {
    const rows = await Promise.all(row.map((inner) => readableRow(inner, trusted)))
    return rows.includes(undefined) ? undefined : rows
  }
  const { use, label, of, ...options } = (typeof row === 'string' ? { use: row } : Object(row)) as Config
  const method = await registries.methods.load(String(use))
  if (!method || use === 'command' || use === 'http') return trusted ? row : undefined
  const inner = of === undefined ? {} : { of: await readableRow(of, trusted) }
  if ('of' in inner && inner.of === undefined) return undefined
  const remaining = remainingOptions(method, { ...options, ...inner })
  const isReadable =
    method.options.safeParse(remaining).success && (trusted || filesOf(method.options, remaining).length === 0)
  return isReadable ? { use, ...(label !== undefined && { label }), ...remaining } : undefined
}

/** Token counts of an embedder, which need its tokenizer. */
const tokenizerFields = ['embeddedTokens', 'estimated', 'cutTexts', 'unreadTokens']

async function compareLines(folder: string, manifest: Manifest, again: string): Promise<Replay> {
  const isExempt = countsByItself(manifest.models.embed)
  // the values of a series are a part of its variants
  const exempt = ['variant', ...(isExempt ? tokenizerFields : [])]
  const rows = new Set(manifest.methods.map(({ id }) => id))
  const indexes = new Map<string, string>()
  const trials = new Map<string, string>()
  /** Ids of trials, and of rows, that lack a recorded response. */
  const lacking = new Set<string>()
  for await (const { value } of storedLines(again)) {
    if (!rows.has(value.methodId)) continue
    if (value.failure && isLacking(value.failure)) lacking.add(value.id).add(value.methodId)
    const digests = value.line === 'index' ? indexes : trials
    digests.set(value.id, digestOf(value, exempt))
  }
  const skipped: Record<string, number> = {}
  const differing: number[] = []
  let [same, compared] = [0, 0]
  for await (const { line, value } of storedLines(folder)) {
    if (!rows.has(value.methodId)) continue
    if (value.line === 'index') {
      const digest = lacking.has(value.methodId) || value.failure ? undefined : indexes.get(value.id)
      if (digest !== undefined && digest !== digestOf(value, exempt)) differing.push(line)
      continue
    }
    const digest = trials.get(value.id)
    trials.delete(value.id)
    const reason = value.failure
      ? 'they failed when they were asked'
      : digest === undefined
        ? 'their row is not run again'
        : lacking.has(value.id) && 'a call is not kept'
    if (reason) skipped[reason] = (skipped[reason] ?? 0) + 1
    else if (digest === digestOf(value, exempt)) same++
    else differing.push(line)
    if (!reason) compared++
  }
  return {
    same,
    compared,
    differing,
    // a run that has not ended lacks lines
    missing: manifest.finished === null ? [] : [...trials.keys()],
    skipped,
    ...(isExempt && { exempt: 'token counts of the embedder, whose tokenizer is not at hand' }),
  }
}

/** A digest of a trial, or of what an index cost, with the digits that do not depend on the processor. */
function digestOf(line: StoredLine, exempt: readonly string[]): string {
  const compared = (key: string, value: unknown): unknown => {
    if (exempt.includes(key)) return undefined
    return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value
  }
  const outcome = line.line === 'index' ? [line.documents, line.chunks, line.usage] : line
  return sha256(canonicalJson(JSON.parse(JSON.stringify(outcome, compared))))
}
