import { basename } from 'node:path'
import { inTemporaryFolder } from '../../basics/files.ts'
import { limitUsage } from '../../models/index.ts'
import { UsageLimitError, UserError } from '../../errors.ts'
import { plural } from '../../text/amounts.ts'
import { files } from '../results/journal.ts'
import { faultyLines, numberedScores, scoreKey } from '../results/read-lines.ts'
import { configFolder, type Results } from '../results/results.ts'
import { recordedCallsFile } from '../results/recorded-calls.ts'
import { scoreInto } from '../scoring/rescore.ts'
import { callsIn, lackingCalls, withKeptCalls } from '../transfer-calls.ts'
import { compareLines, firstOf, placesIn } from './compare-lines.ts'
import { recordedModels } from './recorded-models.ts'
import { replayRun, type Outcome, type ReplaySettings } from './replay-run.ts'

/** One check and its outcome. */
export interface Check extends Outcome {
  readonly check: string
}

/** Checks that a run is unchanged and that its trials and scores can be reproduced. No model is called. */
export async function checksOf(
  run: Results,
  cacheFolder: string,
  isTrusted: boolean,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const checks: Check[] = []
  const add = async (check: string, make: () => Promise<Outcome>): Promise<void> => {
    const outcome = await make().catch((error: unknown): Outcome => {
      if (error instanceof UserError) return { ok: null, message: error.message }
      throw error
    })
    checks.push({ check, ...outcome })
  }
  checks.push({ check: 'digests', ...(await checkDigests(run)) }, { check: 'lines', ...(await checkLines(run)) })
  const replay = async (callsFolder: string | undefined): Promise<void> => {
    const settings = { cache: callsFolder !== undefined, cacheFolder: callsFolder ?? cacheFolder, signal, isTrusted }
    await add('calls', () => checkCalls(run, callsFolder))
    await add('retrieval', () => checkTrials(run, settings))
    await add('scores', () => checkScores(run, settings))
  }
  await withKeptCalls(run.folder, cacheFolder, replay).catch((error: unknown) =>
    add('calls', () => Promise.reject(error instanceof Error ? error : new Error(String(error)))),
  )
  return checks
}

async function checkDigests({ manifest, changedFiles }: Results): Promise<Outcome> {
  const { checksums = {}, finished } = manifest
  if (finished === null || !checksums.manifest)
    return { ok: null, message: 'the run has not ended, so its manifest has no digests' }
  const names = await changedFiles()
  const ok = names.length === 0
  return { ok, message: `${(ok ? Object.keys(checksums) : names).join(', ')} ${ok ? 'un' : ''}changed since the run` }
}

/** Whether every trial, and every score of it, has one line, and every passage the text of its digest. */
async function checkLines({ folder }: Results): Promise<Outcome> {
  const places = await faultyLines(folder)
  if (places.length === 0) return { ok: true, message: 'one for each trial, score and passage' }
  const fault = 'a later line has this id, or a text does not match its digest; edited, or written by two runs'
  return { ok: false, message: `${firstOf(places)}: ${fault}` }
}

/** Whether the calls that are stored beside the run are all that it used, so that it repeats without a network. */
async function checkCalls(run: Results, callsFolder: string | undefined): Promise<Outcome> {
  const file = callsIn(run.folder)
  if (file === undefined || callsFolder === undefined)
    return { message: 'not in this folder; gembench publish writes the calls of a finished run beside its lines' }
  const { total, lacking } = await lackingCalls(run, callsFolder)
  if (lacking.length === 0)
    return { ok: true, message: `all ${total} are in ${basename(file)}: the run repeats without a model` }
  const places = placesIn(recordedCallsFile, lacking)
  return { ok: false, message: `${lacking.length} of ${total} missing from ${basename(file)}: ${places}` }
}

async function checkTrials(run: Results, settings: ReplaySettings): Promise<Outcome> {
  const impossible = (reason: string): Outcome => ({ message: `not replayed: ${reason}` })
  try {
    // a method may rank differently after a failed call
    const { total, lacking } = await lackingCalls(run, settings.cache ? settings.cacheFolder : undefined)
    if (!settings.cache && total > 0) return impossible('no calls are recorded')
    if (lacking.length > 0) return impossible(`${plural(lacking.length, 'call')} missing`)
    return await replayRun(run, settings)
  } catch (error) {
    if (error instanceof UserError) return impossible(error.message)
    throw error
  }
}

/** Scores the trials again with recorded responses as the only models; the order of lines does not count. */
export async function checkScores(run: Results, { isTrusted, ...settings }: ReplaySettings): Promise<Outcome> {
  const { folder, manifest } = run
  return inTemporaryFolder(async (temporary) => {
    const before = files(folder).scores
    const after = files(temporary).scores
    const trust = { isTrusted, recordedModels: recordedModels(manifest), base: configFolder(folder) }
    const offlineSettings = { ...settings, usageLimiter: limitUsage({ calls: 0 }) }
    const replay = await scoreInto(after, run, offlineSettings, trust).catch((error: unknown) => {
      if (error instanceof UsageLimitError || (error instanceof Error && error.cause instanceof UsageLimitError))
        throw new UserError('calls of a judge are missing')
      throw error
    })
    const scorers = new Set(replay.manifest.scorers.map(({ id }) => id))
    const otherScorers = manifest.scorers.flatMap(({ id, scorer }) => (scorers.has(id) ? [] : [scorer]))
    const comparable = new Set(manifest.scorers.flatMap(({ id }) => (scorers.has(id) ? [id] : [])))
    const rows = new Set(manifest.methods.map(({ id }) => id))
    const { sameCount, differing, missing } = await compareLines(numberedScores(before), numberedScores(after), {
      keyOf: scoreKey,
      contentOf: (line) => line,
      isCompared: ({ scorerId, methodId }) => comparable.has(scorerId) && rows.has(methodId),
    })
    const total = sameCount + differing.length
    const omissions =
      otherScorers.length > 0 ? [`not scored again: ${otherScorers.join(', ')} (changed in this version)`] : []
    if (total + missing.length === 0)
      return omissions.length === 0 ? { message: 'the run has no scores' } : { ok: null, message: omissions.join('; ') }
    const ok = sameCount === total && missing.length === 0
    const places = differing.length > 0 ? `: ${placesIn(before, differing)}` : ''
    const summary = ok
      ? `${plural(total, 'line')} unchanged when scored again offline`
      : `${differing.length} of ${plural(total, 'line')} differ when scored again, ${missing.length} are new${places}`
    return { ok, message: [summary, ...omissions].join('; ') }
  })
}
