import { join } from 'node:path'
import { inTemporaryFolder, isRegularFile } from '../../basics/files.ts'
import { UsageLimitError, UserError } from '../../errors.ts'
import { limitUsage } from '../../models/index.ts'
import { plural } from '../../text/amounts.ts'
import { hashOf } from '../../text/hash.ts'
import { files } from '../results/journal.ts'
import { faultyLines, storedScores, scoreKey } from '../results/read-lines.ts'
import { recordedCallsFile } from '../results/recorded-calls.ts'
import { configFolder, type Results } from '../results/results.ts'
import { scoreInto } from '../scoring/rescore.ts'
import { callsFile, lackingCalls, withKeptCalls } from '../transfer-calls.ts'
import { firstOf, placesIn, recordedModels, replayRun, type Outcome, type ReplaySettings } from './replay-run.ts'

/** One check and its outcome. */
export type Check = Outcome & { readonly check: string }

/** Checks that a run is unchanged and that its trials and scores can be reproduced. No model is called. */
export async function checksOf(
  run: Results,
  cacheFolder: string,
  isTrusted: boolean,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const replay = async (callsFolder: string | undefined) => {
    const settings = { cache: callsFolder !== undefined, cacheFolder: callsFolder ?? cacheFolder, signal, isTrusted }
    const calls = await lackingCalls(run, callsFolder)
    return [
      { check: 'calls', ...checkCalls(run, calls) },
      await checkOf('retrieval', () => checkTrials(run, settings, calls)),
      await checkOf('scores', () => checkScores(run, settings)),
    ]
  }
  return [
    { check: 'digests', ...(await checkDigests(run)) },
    { check: 'lines', ...(await checkLines(run)) },
    ...(await withKeptCalls(run.folder, cacheFolder, replay).catch((error: unknown) => [unmadeCheck('calls', error)])),
  ]
}

/** A check; it could not be made where it throws a UserError. */
async function checkOf(check: string, work: () => Promise<Outcome>): Promise<Check> {
  try {
    return { check, ...(await work()) }
  } catch (error) {
    return unmadeCheck(check, error)
  }
}

function unmadeCheck(check: string, error: unknown): Check {
  if (error instanceof UserError) return { check, ok: null, message: error.message }
  throw error
}

async function checkDigests({ manifest, changedFiles }: Results) {
  const { checksums = {}, finished } = manifest
  if (finished === null || !checksums.manifest)
    return { ok: null, message: 'the run has not ended, so its manifest has no digests' }
  const names = await changedFiles()
  if (names.length > 0) return { ok: false, message: `${names.join(', ')} changed since the run` }
  return { ok: true, message: `${Object.keys(checksums).join(', ')} unchanged since the run` }
}

async function checkLines({ folder }: Results): Promise<Outcome> {
  const places = await faultyLines(folder)
  if (places.length === 0) return { ok: true, message: 'one for each trial, score and passage' }
  const fault = 'a later line has this id, or a text does not match its digest; edited, or written by two runs'
  return { ok: false, message: `${firstOf(places)}: ${fault}` }
}

type Calls = Awaited<ReturnType<typeof lackingCalls>>

function checkCalls({ folder }: Results, { total, lacking }: Calls): Outcome {
  if (!isRegularFile(join(folder, callsFile)))
    return { message: 'not in this folder; gembench publish writes the calls of a finished run beside its lines' }
  if (lacking.length === 0)
    return { ok: true, message: `all ${total} are in ${callsFile}: the run repeats without a model` }
  const places = placesIn(recordedCallsFile, lacking)
  return { ok: false, message: `${lacking.length} of ${total} missing from ${callsFile}: ${places}` }
}

async function checkTrials(run: Results, settings: ReplaySettings, { total, lacking }: Calls): Promise<Outcome> {
  try {
    if (!settings.cache && total > 0) throw new UserError('no calls are recorded')
    // a method may rank differently after a failed call
    if (lacking.length > 0) throw new UserError(`${plural(lacking.length, 'call')} missing`)
    return await replayRun(run, settings)
  } catch (error) {
    if (error instanceof UserError) return { message: `not replayed: ${error.message}` }
    throw error
  }
}

/** Scores the trials again with recorded responses as the only models; the order of lines does not count. */
export const checkScores = ({ folder, ...run }: Results, { isTrusted, ...settings }: ReplaySettings) =>
  inTemporaryFolder(async (temporary): Promise<Outcome> => {
    const { scorers, methods } = run.manifest
    const before = files(folder).scores
    const after = files(temporary).scores
    const trust = { isTrusted, recordedModels: recordedModels(run.manifest), base: configFolder(folder) }
    const offlineSettings = { ...settings, usageLimiter: limitUsage({ calls: 0 }) }
    const replay = await scoreInto(after, { folder, ...run }, offlineSettings, trust).catch((error: unknown) => {
      if (error instanceof UsageLimitError || (error instanceof Error && error.cause instanceof UsageLimitError))
        throw new UserError('calls of a judge are missing')
      throw error
    })
    const replayedIds = new Set(replay.manifest.scorers.map(({ id }) => id))
    const comparableIds = new Set(scorers.map(({ id }) => id).filter((id) => replayedIds.has(id)))
    const rows = new Set(methods.map(({ id }) => id))
    const digests = new Map<string, string>()
    for await (const { value } of storedScores(after))
      if (comparableIds.has(value.scorerId) && rows.has(value.methodId)) digests.set(scoreKey(value), hashOf(value))
    const differing: number[] = []
    let total = 0
    for await (const { line, value } of storedScores(before)) {
      if (!comparableIds.has(value.scorerId) || !rows.has(value.methodId)) continue
      total++
      if (digests.get(scoreKey(value)) !== hashOf(value)) differing.push(line)
      digests.delete(scoreKey(value))
    }
    const changedScorers = scorers.flatMap(({ id, scorer }) => (comparableIds.has(id) ? [] : [scorer]))
    const omission =
      changedScorers.length > 0 && `not scored again: ${changedScorers.join(', ')} (changed in this version)`
    if (total + digests.size === 0)
      return omission ? { ok: null, message: omission } : { message: 'the run has no scores' }
    const ok = differing.length + digests.size === 0
    const places = differing.length > 0 ? `: ${placesIn(before, differing)}` : ''
    const summary = ok
      ? `${plural(total, 'line')} unchanged when scored again offline`
      : `${differing.length} of ${plural(total, 'line')} differ when scored again, ${digests.size} are new${places}`
    return { ok, message: omission ? `${summary}; ${omission}` : summary }
  })
