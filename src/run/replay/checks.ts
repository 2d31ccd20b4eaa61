import { basename } from 'node:path'
import { UsageLimitError, UserError } from '../../errors.ts'
import { plural } from '../../text/amounts.ts'
import { files } from '../results/journal.ts'
import { faultyLines } from '../results/read-lines.ts'
import type { Results } from '../results/results.ts'
import { recordedCallsFile } from '../results/recorded-calls.ts'
import { callsIn, callsOf, lackingCalls, withKeptCalls } from '../transfer-calls.ts'
import { replayRun } from './replay-run.ts'
import { replayScores } from './replay-scores.ts'

/** One check. `ok`: null if it could not be made, absent if the folder has nothing to check. */
export interface Check {
  readonly check: string
  readonly ok?: boolean | null
  readonly said: string
}

type Outcome = Omit<Check, 'check'>

/** Checks that a run is unchanged and that its trials and scores can be reproduced. No model is called. */
export async function checksOf(
  run: Results,
  cacheFolder: string,
  trust: boolean,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const first = [
    { check: 'digests', ...(await digests(run)) },
    { check: 'lines', ...(await lines(run)) },
  ]
  const replayChecks = async (callsFolder: string | undefined): Promise<readonly Check[]> => {
    const settings = { cache: callsFolder !== undefined, cacheFolder: callsFolder ?? cacheFolder, signal }
    return [
      { check: 'calls', ...(await calls(run, callsFolder)) },
      { check: 'retrieval', ...(await trials(run, settings, trust)) },
      { check: 'scores', ...(await scores(run, settings, trust)) },
    ]
  }
  try {
    return [...first, ...(await withKeptCalls(run.folder, cacheFolder, replayChecks))]
  } catch (error) {
    return [...first, { check: 'calls', ok: null, said: userMessage(error) }]
  }
}

/** The message of a UserError; rethrows anything else. */
function userMessage(error: unknown): string {
  if (error instanceof UserError) return error.message
  throw error
}

async function digests(run: Results): Promise<Outcome> {
  const { checksums = {} } = run.manifest
  if (run.manifest.finished === null || !checksums.manifest)
    return { ok: null, said: 'the manifest has none: the run has not ended' }
  const changedFiles = await run.changedFiles()
  return changedFiles.length > 0
    ? { ok: false, said: `${changedFiles.join(', ')} not as the run left it` }
    : { ok: true, said: `${Object.keys(checksums).join(', ')} as the run left them` }
}

/** Whether every trial, and every score of it, has one line, and every passage the text of its digest. */
async function lines({ folder }: Results): Promise<Outcome> {
  const places = await faultyLines(folder)
  if (places.length === 0) return { ok: true, said: 'one for each trial, score and passage' }
  const message = `${firstOf(places)}: a later line has the id, or the text of a passage is not that of its digest`
  return { ok: false, said: `${message}: two runs wrote the file, or it was edited` }
}

/** Whether the calls that are stored beside the run are all that it used, so that it repeats without a network. */
async function calls(run: Results, callsFolder: string | undefined): Promise<Outcome> {
  const file = callsIn(run.folder)
  if (file === undefined || callsFolder === undefined)
    return { said: 'not in this folder; "gembench publish" writes them beside the lines of a run that has ended' }
  try {
    const { total: callCount, lacking } = await lackingCalls(run, callsFolder)
    const missing = `${lacking.length} of the ${callCount} that the run has used are not in ${basename(file)}`
    return lacking.length === 0
      ? { ok: true, said: `all ${callCount} that the run has used are in ${basename(file)}: it repeats without a call` }
      : { ok: false, said: `${missing}: ${placesIn(recordedCallsFile, lacking)}` }
  } catch (error) {
    return { ok: null, said: userMessage(error) }
  }
}

type ReplaySettings = Parameters<typeof replayRun>[1]

async function trials(run: Results, settings: ReplaySettings, isTrusted: boolean): Promise<Outcome> {
  try {
    const { cache, cacheFolder } = settings
    if (!cache && (await callsOf(run)).size > 0) return { said: 'not asked again: no calls are kept' }
    // a method may rank differently after a failed call
    const { lacking } = cache ? await lackingCalls(run, cacheFolder) : { lacking: [] }
    if (lacking.length > 0) return { said: `not asked again: ${plural(lacking.length, 'call')} of the run not kept` }
    const { sameCount, comparedCount, differing, missing, skipped, exempt } = await replayRun(run, settings, isTrusted)
    const omissions = Object.entries(skipped).map(([reason, count]) => `${count} not asked again (${reason})`)
    const faults = [
      ...(differing.length > 0 ? [`other lines: ${placesIn(files(run.folder).trials, differing)}`] : []),
      ...(missing.length > 0 ? [`trials without a line in trials.jsonl: ${firstOf(missing)}`] : []),
    ]
    if (faults.length === 0 && sameCount === 0) return { said: omissions.join('; ') || 'no trial to ask again' }
    const parts = [
      `${sameCount} of ${plural(comparedCount, 'trial')} the same when replayed from recorded responses`,
      ...faults,
      ...omissions,
      ...(exempt === undefined ? [] : [`not compared: ${exempt}`]),
    ]
    return { ok: faults.length === 0, said: parts.join('; ') }
  } catch (error) {
    return { said: `not asked again: ${userMessage(error)}` }
  }
}

async function scores(run: Results, settings: ReplaySettings, isTrusted: boolean): Promise<Outcome> {
  try {
    const { lines, differing, addedCount, skipped } = await replayScores(run, settings, isTrusted)
    const omissions =
      skipped.length === 0 ? '' : `not scored again: ${skipped.join(', ')} (another one in this version)`
    if (lines + addedCount === 0)
      return omissions === '' ? { said: 'not in this folder: the run has made none' } : { ok: null, said: omissions }
    const count = plural(lines, 'line')
    const parts = [
      differing.length + addedCount === 0
        ? `${count} the same when scored again without a network`
        : `of ${count}, ${differing.length} not made again and ${addedCount} made anew`,
      ...(differing.length > 0 ? [placesIn(files(run.folder).scores, differing)] : []),
      ...(omissions === '' ? [] : [omissions]),
    ]
    return { ok: differing.length + addedCount === 0, said: parts.join('; ') }
  } catch (error) {
    return { ok: null, said: isLimited(error) ? 'needs calls that are not kept' : userMessage(error) }
  }
}

const placesIn = (file: string, numbers: readonly number[]): string =>
  firstOf(numbers.map((number) => `${basename(file)}:${number}`))

const firstOf = (places: readonly string[]): string =>
  [...places.slice(0, 3), ...(places.length > 3 ? [`and ${places.length - 3} more`] : [])].join(', ')

const isLimited = (error: unknown): boolean =>
  error instanceof UsageLimitError || (error instanceof Error && error.cause instanceof UsageLimitError)
