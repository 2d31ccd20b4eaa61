import { basename } from 'node:path'
import { inTemporaryFolder } from '../../basics/files.ts'
import { limitUsage } from '../../models/index.ts'
import { UsageLimitError, UserError } from '../../errors.ts'
import { plural } from '../../text/amounts.ts'
import { canonicalJson } from '../../text/hash.ts'
import { files } from '../results/journal.ts'
import { faultyLines, numberedScores } from '../results/read-lines.ts'
import { configFolder, type Results } from '../results/results.ts'
import { recordedCallsFile } from '../results/recorded-calls.ts'
import { scoreInto } from '../scoring/rescore.ts'
import { silent } from '../progress.ts'
import { callsIn, callsOf, lackingCalls, withKeptCalls } from '../transfer-calls.ts'
import { recordedModels } from './recorded-models.ts'
import { firstOf, placesIn, replayRun, type Outcome, type ReplaySettings } from './replay-run.ts'

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
  const checks: Check[] = [
    { check: 'digests', ...(await checkDigests(run)) },
    { check: 'lines', ...(await checkLines(run)) },
  ]
  const add = async (check: string, make: () => Promise<Outcome>, onError: (said: string) => Outcome) => {
    const outcome = await make().catch((error: unknown) => {
      if (error instanceof UserError) return onError(error.message)
      throw error
    })
    checks.push({ check, ...outcome })
  }
  const unknown = (said: string): Outcome => ({ ok: null, said })
  const replay = async (callsFolder: string | undefined): Promise<void> => {
    const settings = { cache: callsFolder !== undefined, cacheFolder: callsFolder ?? cacheFolder, signal, isTrusted }
    await add('calls', () => checkCalls(run, callsFolder), unknown)
    await add(
      'retrieval',
      () => checkTrials(run, settings),
      (said) => ({ said: `not asked again: ${said}` }),
    )
    await add('scores', () => checkScores(run, settings), unknown)
  }
  await withKeptCalls(run.folder, cacheFolder, replay).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error
    checks.push({ check: 'calls', ok: null, said: error.message })
  })
  return checks
}

async function checkDigests(run: Results): Promise<Outcome> {
  const { checksums = {}, finished } = run.manifest
  if (finished === null || !checksums.manifest)
    return { ok: null, said: 'the manifest has none: the run has not ended' }
  const changedFiles = await run.changedFiles()
  return changedFiles.length > 0
    ? { ok: false, said: `${changedFiles.join(', ')} not as the run left it` }
    : { ok: true, said: `${Object.keys(checksums).join(', ')} as the run left them` }
}

/** Whether every trial, and every score of it, has one line, and every passage the text of its digest. */
async function checkLines({ folder }: Results): Promise<Outcome> {
  const places = await faultyLines(folder)
  if (places.length === 0) return { ok: true, said: 'one for each trial, score and passage' }
  const message = `${firstOf(places)}: a later line has the id, or the text of a passage is not that of its digest`
  return { ok: false, said: `${message}: two runs wrote the file, or it was edited` }
}

/** Whether the calls that are stored beside the run are all that it used, so that it repeats without a network. */
async function checkCalls(run: Results, callsFolder: string | undefined): Promise<Outcome> {
  const file = callsIn(run.folder)
  if (file === undefined || callsFolder === undefined)
    return { said: 'not in this folder; "gembench publish" writes them beside the lines of a run that has ended' }
  const { total, lacking } = await lackingCalls(run, callsFolder)
  if (lacking.length === 0)
    return { ok: true, said: `all ${total} that the run has used are in ${basename(file)}: it repeats without a call` }
  const missing = `${lacking.length} of the ${total} that the run has used are not in ${basename(file)}`
  return { ok: false, said: `${missing}: ${placesIn(recordedCallsFile, lacking)}` }
}

async function checkTrials(run: Results, settings: ReplaySettings): Promise<Outcome> {
  const { cache, cacheFolder } = settings
  if (!cache && (await callsOf(run)).size > 0) return { said: 'not asked again: no calls are kept' }
  // a method may rank differently after a failed call
  const { lacking } = cache ? await lackingCalls(run, cacheFolder) : { lacking: [] }
  if (lacking.length > 0) return { said: `not asked again: ${plural(lacking.length, 'call')} of the run not kept` }
  return replayRun(run, settings)
}

/** Scores the trials again with recorded responses as the only models; the order of lines does not count. */
export async function checkScores(run: Results, { isTrusted, ...settings }: ReplaySettings): Promise<Outcome> {
  const { folder, manifest } = run
  return inTemporaryFolder(async (temporary) => {
    const { scores } = files(temporary)
    const trust = { isTrusted, recordedModels: recordedModels(manifest), base: configFolder(folder) }
    const offlineSettings = { ...settings, usageLimiter: limitUsage({ calls: 0 }) }
    const replay = await scoreInto(scores, run, offlineSettings, silent, trust).catch((error: unknown) => {
      if (error instanceof UsageLimitError || (error instanceof Error && error.cause instanceof UsageLimitError))
        throw new UserError('needs calls that are not kept')
      throw error
    })
    const scorers = new Set(replay.manifest.scorers.map(({ id }) => id))
    const skipped = manifest.scorers.flatMap(({ id, scorer }) => (scorers.has(id) ? [] : [scorer]))
    const comparable = new Set(manifest.scorers.flatMap(({ id }) => (scorers.has(id) ? [id] : [])))
    const rows = new Set(manifest.methods.map(({ id }) => id))
    const replayed = new Set<string>()
    for await (const { value } of numberedScores(scores))
      if (comparable.has(value.scorerId)) replayed.add(canonicalJson(value))
    const differing: number[] = []
    let count = 0
    for await (const { line, value } of numberedScores(files(folder).scores)) {
      if (!comparable.has(value.scorerId) || !rows.has(value.methodId)) continue
      count++
      if (!replayed.delete(canonicalJson(value))) differing.push(line)
    }
    const omissions =
      skipped.length > 0 ? [`not scored again: ${skipped.join(', ')} (another one in this version)`] : []
    if (count + replayed.size === 0)
      return omissions.length === 0
        ? { said: 'not in this folder: the run has made none' }
        : { ok: null, said: omissions.join('; ') }
    const ok = differing.length + replayed.size === 0
    const summary = ok
      ? `${plural(count, 'line')} the same when scored again without a network`
      : `of ${plural(count, 'line')}, ${differing.length} not made again and ${replayed.size} made anew`
    const places = differing.length > 0 ? [placesIn(files(folder).scores, differing)] : []
    return { ok, said: [summary, ...places, ...omissions].join('; ') }
  })
}
