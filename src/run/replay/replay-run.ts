import { basename, join } from 'node:path'
import { z } from 'zod'
import { countEach } from '../../basics/collections.ts'
import { inTemporaryFolder } from '../../basics/files.ts'
import { itemOf } from '../../basics/loading.ts'
import { mapRoles, type ModelRole } from '../../basics/roles.ts'
import { asksOf, readConfig, type Plan, type PlannedPlugIn } from '../../config/index.ts'
import { filesOf } from '../../define.ts'
import { ModelError, UserError } from '../../errors.ts'
import { providers, type ProviderKind } from '../../models/index.ts'
import type { Manifest, ModelRecord, StoredLine } from '../../records.ts'
import { plural } from '../../text/amounts.ts'
import { canonicalJson, hashOf } from '../../text/hash.ts'
import { lenientRegistries, registries, withoutUnknown } from '../plug-ins/registries.ts'
import { offlineModels, type Fields } from '../prepare/identity.ts'
import type { Settings } from '../prepare/settings.ts'
import { files } from '../results/journal.ts'
import { storedLines } from '../results/read-lines.ts'
import { configFolder, type Results } from '../results/results.ts'
import { run } from '../run.ts'
import type { RecordedModels } from '../scoring/rescore.ts'

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
  { folder, manifest }: Results,
  { isTrusted, ...settings }: ReplaySettings,
): Promise<Outcome> =>
  inTemporaryFolder(async (results) => {
    const { models, objects } = recordedModels(manifest)
    const plan = { ...(await replayPlan(folder, manifest, isTrusted)), models }
    const begins = async (replayFolder: string) => {
      if (basename(replayFolder) !== `${manifest.name}-${manifest.hash}`)
        throw new UserError(
          'the run had another setting: other files, another version of gembench, or an edited manifest',
        )
    }
    const replay = await run(plan, { ...settings, results, objects, warn: () => undefined, begins })
    return compareRuns(folder, manifest, replay.folder)
  })

/** The plan of a run without scorers. Throws UserError where it names what is not trusted. */
async function replayPlan(folder: string, manifest: Manifest, isTrusted: boolean): Promise<Plan> {
  const { scorers: _scorers, judgeRuns: _judgeRuns, compare: _compare, ...config } = manifest.config
  if (!isTrusted) refuseReferences(config)
  const value = {
    ...config,
    // without scorers the config no longer implies `answers: none`
    ...(manifest.answers === 'none' && { answers: manifest.answers }),
    name: manifest.name,
    models: { embed: 'fake' },
  }
  const reading = { cwd: configFolder(folder), environment: isTrusted ? process.env : {} }
  const plan = await readConfig({ value, name: join(folder, 'manifest.json') }, reading, lenientRegistries)
  if (!isTrusted) for (const row of plan.methods) await refuseFiles(row)
  return { ...plan, scorers: [], variedValues: manifest.varied ?? [] }
}

/** Throws UserError for a path of the dataset, and for a program, plug-in, server or variable of it or of a row. */
function refuseReferences({ dataset, methods }: Manifest['config']): void {
  const { use, path, options = {} } = Object(dataset) as Fields
  if (path !== undefined || /[\\/]|\.\./.test(JSON.stringify([use, options])))
    throw new UserError('the config names its dataset by a path; --trust reads it')
  const isProgram = /"use":"(command|http)"/.test(JSON.stringify(methods))
  if (isProgram || asksOf({ dataset, methods }).length > 0)
    throw new UserError('the config names a program, plug-in, server or variable; --trust uses it')
}

async function refuseFiles({ use, options, of = [] }: PlannedPlugIn): Promise<void> {
  const { options: schema } = await itemOf(registries.methods, use)
  if (filesOf(schema, options).length > 0) throw new UserError(`the row "${use}" names a file; --trust reads it`)
  for (const part of of) await refuseFiles(part)
}

/**
 * The models of a manifest, which answer from recorded responses alone: no address, file or key of theirs is
 * used. Throws UserError where the manifest omits a value that is part of their cache keys.
 */
export function recordedModels({ models, config }: Manifest): RecordedModels {
  const provider = new Map<string, { readonly item: ProviderKind; readonly digest: string }>()
  const settings = Object(config['models']) as Fields
  const planModel = (record: ModelRecord, role: ModelRole): PlannedPlugIn => {
    if (record.digest !== undefined)
      throw new UserError(
        `models.${role} was named by a variable, whose value the manifest leaves out: its calls cannot be found`,
      )
    const options = Object(settings[role]) as Fields
    const object = canonicalJson([record, options['maxTokens'] ?? null])
    provider.set(object, { item: recordedProvider(record, options), digest: '' })
    return { use: record.provider, options: {}, record: {}, object }
  }
  return { models: mapRoles(models, planModel), objects: { provider } }
}

const recordedProvider = (
  { provider: name, model, baseUrl, parameters, readsTokens }: ModelRecord,
  { use: _use, ...options }: Fields,
): ProviderKind => ({
  name,
  summary: 'the recorded responses of a model',
  can: ['complete', 'embed', 'embedTokens', 'rerank'],
  options: z.object({}),
  open: async (_options, context) => {
    const kind = offlineModels.includes(name) ? await providers.load(name) : undefined
    // a limit in the config is part of the cache keys of longer tasks
    const { maxTokens } = options
    const reject = () => Promise.reject(new ModelError('server', missingResponse))
    return {
      ...(await kind?.open(withoutUnknown(kind.options).parse(options), context)),
      ...(!kind && typeof maxTokens === 'number' && { maxTokens }),
      ...(parameters['replies'] === 'option-text' && { replies: 'option-text' }),
      name,
      model,
      parameters,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(readsTokens !== undefined && { readsTokens }),
      load: async () => undefined,
      complete: reject,
      embed: reject,
      embedTokens: reject,
      rerank: reject,
    }
  },
})

/** The message of a failure for want of a recorded response. */
const missingResponse = 'this call is not among the kept ones'

/** Token counts of an embedder, which need its tokenizer. */
const tokenizerFields = ['embeddedTokens', 'estimated', 'cutTexts', 'unreadTokens']

async function compareRuns(folder: string, manifest: Manifest, replayFolder: string) {
  const { baseUrl, provider } = manifest.models.embed
  const isExempt = baseUrl === undefined && !offlineModels.includes(provider)
  // variants include the values of a series
  const exempt = ['variant', ...(isExempt ? tokenizerFields : [])]
  const rows = new Set(manifest.methods.map(({ id }) => id))
  const replays = new Map<string, { readonly line: StoredLine['line']; readonly digest: string }>()
  /** Ids of trials, and of rows, that lack a recorded response. */
  const incompleteIds = new Set<string>()
  for await (const { value } of storedLines(replayFolder, { isUnique: true, isValid: true })) {
    const { line, id, methodId, failure } = value
    if (failure?.message.includes(missingResponse)) incompleteIds.add(id).add(methodId)
    if (rows.has(methodId)) replays.set(id, { line, digest: digestOf(value, exempt) })
  }
  const differing: number[] = []
  const skipReasons: string[] = []
  const counts = { trials: 0, same: 0 }
  for await (const { line: number, value } of storedLines(folder)) {
    const { line, id, methodId, failure } = value
    if (!rows.has(methodId)) continue
    const replay = replays.get(id)
    replays.delete(id)
    const isTrial = line === 'trial'
    if (failure || !replay || incompleteIds.has(isTrial ? id : methodId)) {
      const reason = failure ? 'they failed in the run' : replay ? 'a call is missing' : 'their row cannot be replayed'
      if (isTrial) skipReasons.push(reason)
      continue
    }
    const isSame = replay.digest === digestOf(value, exempt)
    if (!isSame) differing.push(number)
    if (isTrial) counts.trials++
    if (isTrial && isSame) counts.same++
  }
  // an unfinished run lacks lines
  const newTrials = manifest.finished === null ? [] : [...replays].filter(([, { line }]) => line === 'trial')
  const omissions = Array.from(countEach(skipReasons), ([reason, count]) => `${count} not replayed (${reason})`)
  const ok = differing.length + newTrials.length === 0
  if (ok && counts.same === 0) return { message: omissions.join('; ') || 'no trial to replay' }
  const ids = newTrials.map(([id]) => id)
  const parts = [
    `${counts.same} of ${plural(counts.trials, 'trial')} unchanged when replayed`,
    ...(differing.length > 0 ? [`lines differ: ${placesIn(files(folder).trials, differing)}`] : []),
    ...(ids.length > 0 ? [`trials without a line in trials.jsonl: ${firstOf(ids)}`] : []),
    ...omissions,
    ...(isExempt ? ['not compared: token counts of the embedder, which need its tokenizer'] : []),
  ]
  return { ok, message: parts.join('; ') }
}

/** The digest of a trial, or of the usage of an index, with the digits that do not depend on the CPU. */
function digestOf(line: StoredLine, exempt: readonly string[]) {
  const roundNumber = (key: string, value: unknown): unknown => {
    if (exempt.includes(key)) return undefined
    return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value
  }
  const outcome = line.line === 'index' ? [line.documents, line.chunks, line.usage] : line
  return hashOf(JSON.parse(JSON.stringify(outcome, roundNumber)))
}

/** Up to three places in a file, `trials.jsonl:7`, and how many more there are. */
export const placesIn = (file: string, numbers: readonly number[]) =>
  firstOf(numbers.map((number) => `${basename(file)}:${number}`))

export const firstOf = (places: readonly string[]) =>
  [...places.slice(0, 3), ...(places.length > 3 ? [`and ${places.length - 3} more`] : [])].join(', ')
