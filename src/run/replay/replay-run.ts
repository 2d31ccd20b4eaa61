import { basename, join } from 'node:path'
import { countEach } from '../../basics/collections.ts'
import { inTemporaryFolder } from '../../basics/files.ts'
import { asksOf, readConfig, type Plan } from '../../config/index.ts'
import { filesOf } from '../../define.ts'
import { UserError } from '../../errors.ts'
import type { Manifest, StoredLine } from '../../records.ts'
import { plural } from '../../text/amounts.ts'
import { registries } from '../plug-ins/registries.ts'
import { offlineModels, remainingOptions } from '../prepare/identity.ts'
import type { Settings } from '../prepare/settings.ts'
import { files } from '../results/journal.ts'
import { storedLines } from '../results/read-lines.ts'
import { configFolder, type Results } from '../results/results.ts'
import { run } from '../run.ts'
import { compareLines, firstOf, placesIn } from './compare-lines.ts'
import { missingResponse, recordedModels } from './recorded-models.ts'

/** `ok`: null if a check could not be made, absent if the folder has nothing to check. */
export interface Outcome {
  readonly ok?: boolean | null
  readonly message: string
}

/** `isTrusted`: files, plug-ins and programs that the manifest names may be used. */
export type ReplaySettings = Omit<Settings, 'results'> & { readonly isTrusted: boolean }

/**
 * Runs the config of a results folder again, with its recorded responses as the only models, and compares the lines: of
 * a trial all fields, numbers to 9 digits; of an index what it cost. Throws UserError where it cannot be replayed.
 */
export const replayRun = (
  { folder, manifest }: Pick<Results, 'folder' | 'manifest'>,
  { isTrusted, ...settings }: ReplaySettings,
): Promise<Outcome> =>
  inTemporaryFolder(async (results) => {
    const { models, objects } = recordedModels(manifest)
    const plan = { ...(await replayPlan(folder, manifest, isTrusted)), models }
    const begins = async (replayFolder: string): Promise<void> => {
      if (basename(replayFolder) !== `${manifest.name}-${manifest.hash}`)
        throw new UserError(
          'the run had another setting: other files, another version of gembench, or an edited manifest',
        )
    }
    const replay = await run(plan, { ...settings, results, objects, warn: () => undefined, begins })
    return compareRuns(folder, manifest, replay.folder)
  })

type Config = Readonly<Record<string, unknown>>

/** The plan of a run without scorers, with the rows that may be replayed. */
async function replayPlan(folder: string, manifest: Manifest, isTrusted: boolean): Promise<Plan> {
  const { scorers: _scorers, judgeRuns: _judgeRuns, compare: _compare, ...config } = manifest.config
  const { options = {}, ...dataset } = Object(config['dataset']) as Config
  const kind = await registries.datasets.load(String(dataset['use']))
  const namesPath = dataset['path'] !== undefined || /[\\/]|\.\./.test(JSON.stringify(options))
  if (!isTrusted && (!kind || namesPath))
    throw new UserError('the config names its dataset by a path; --trust reads it')
  const rows = await Promise.all([config['methods']].flat().map((row) => readableRow(row, isTrusted)))
  const methods = rows.filter((row) => row !== undefined)
  if (methods.length === 0) throw new UserError('every row needs --trust')
  const value = {
    ...config,
    // without scorers the config no longer implies `answers: none`
    ...(manifest.answers === 'none' && { answers: manifest.answers }),
    dataset: { ...dataset, options: kind ? remainingOptions(kind, Object(options) as Config) : options },
    name: manifest.name,
    methods,
    models: { embed: 'fake' },
  }
  const reading = { cwd: configFolder(folder), environment: isTrusted ? process.env : {} }
  const plan = await readConfig({ value, name: join(folder, 'manifest.json') }, reading, registries)
  return { ...plan, scorers: [], variedValues: manifest.varied ?? [] }
}

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
  const remaining = remainingOptions(method, { ...options, ...inner })
  const isReadable = method.options.safeParse(remaining).success && !('of' in inner && inner.of === undefined)
  const isPermitted = isTrusted || filesOf(method.options, remaining).length === 0
  return isReadable && isPermitted ? { use, ...(label !== undefined && { label }), ...remaining } : undefined
}

/** Token counts of an embedder, which need its tokenizer. */
const tokenizerFields = ['embeddedTokens', 'estimated', 'cutTexts', 'unreadTokens']

async function compareRuns(folder: string, manifest: Manifest, replayFolder: string): Promise<Outcome> {
  const { baseUrl, provider } = manifest.models.embed
  const isExempt = baseUrl === undefined && !offlineModels.includes(provider)
  // variants include the values of a series
  const exempt = ['variant', ...(isExempt ? tokenizerFields : [])]
  const rows = new Set(manifest.methods.map(({ id }) => id))
  /** Ids of trials, and of rows, that lack a recorded response. */
  const incompleteIds = new Set<string>()
  for await (const { value } of storedLines(replayFolder))
    if (value.failure?.message.includes(missingResponse)) incompleteIds.add(value.id).add(value.methodId)
  const compare = (kind: StoredLine['line']) =>
    compareLines(storedLines(folder), storedLines(replayFolder), {
      keyOf: ({ id }) => id,
      contentOf: (line) => comparableContent(line, exempt),
      isCompared: ({ line, methodId }) => line === kind && rows.has(methodId),
      reasonToSkip({ line, id, methodId, failure }, isReplayed) {
        if (failure) return 'they failed in the run'
        if (!isReplayed) return 'their row cannot be replayed'
        return incompleteIds.has(line === 'index' ? methodId : id) ? 'a call is missing' : undefined
      },
    })
  const indexes = await compare('index')
  const trials = await compare('trial')
  const differing = [...indexes.differing, ...trials.differing].sort((a, b) => a - b)
  // an unfinished run lacks lines
  const missing = manifest.finished === null ? [] : trials.missing
  const omissions = Array.from(countEach(trials.skipReasons), ([reason, count]) => `${count} not replayed (${reason})`)
  const ok = differing.length + missing.length === 0
  if (ok && trials.sameCount === 0) return { message: omissions.join('; ') || 'no trial to replay' }
  const total = plural(trials.sameCount + trials.differing.length, 'trial')
  const parts = [
    `${trials.sameCount} of ${total} unchanged when replayed`,
    ...(differing.length > 0 ? [`lines differ: ${placesIn(files(folder).trials, differing)}`] : []),
    ...(missing.length > 0 ? [`trials without a line in trials.jsonl: ${firstOf(missing)}`] : []),
    ...omissions,
    ...(isExempt ? ['not compared: token counts of the embedder, which need its tokenizer'] : []),
  ]
  return { ok, message: parts.join('; ') }
}

/** A trial, or the usage of an index, with the digits that do not depend on the CPU. */
function comparableContent(line: StoredLine, exempt: readonly string[]): unknown {
  const roundNumber = (key: string, value: unknown): unknown => {
    if (exempt.includes(key)) return undefined
    return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value
  }
  const outcome = line.line === 'index' ? [line.documents, line.chunks, line.usage] : line
  return JSON.parse(JSON.stringify(outcome, roundNumber))
}
