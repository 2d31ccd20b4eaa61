import { basename } from 'node:path'
import { inTemporaryFolder } from '../../basics/files.ts'
import { limitUsage } from '../../models/index.ts'
import { UsageLimitError, UserError } from '../../errors.ts'
import { canonicalJson } from '../../text/hash.ts'
import { files } from '../results/journal.ts'
import { faultyLines, numberedScores } from '../results/read-lines.ts'
import { configFolder, type Results } from '../results/results.ts'
import { recordedCallsFile } from '../results/recorded-calls.ts'
import { scoreInto } from '../scoring/rescore.ts'
import { silent } from '../progress.ts'
import { callsIn, callsOf, lackingCalls, withKeptCalls } from '../transfer-calls.ts'
import { messages } from './messages.ts'
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
  const add = async (check: string, make: () => Promise<Outcome>, onError: (message: string) => Outcome) => {
    const outcome = await make().catch((error: unknown) => {
      if (error instanceof UserError) return onError(error.message)
      throw error
    })
    checks.push({ check, ...outcome })
  }
  const unknown = (message: string): Outcome => ({ ok: null, message })
  const replay = async (callsFolder: string | undefined): Promise<void> => {
    const settings = { cache: callsFolder !== undefined, cacheFolder: callsFolder ?? cacheFolder, signal, isTrusted }
    await add('calls', () => checkCalls(run, callsFolder), unknown)
    await add(
      'retrieval',
      () => checkTrials(run, settings),
      (message) => ({ message: messages.retrieval.impossible(message) }),
    )
    await add('scores', () => checkScores(run, settings), unknown)
  }
  await withKeptCalls(run.folder, cacheFolder, replay).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error
    checks.push({ check: 'calls', ok: null, message: error.message })
  })
  return checks
}

async function checkDigests(run: Results): Promise<Outcome> {
  const { checksums = {}, finished } = run.manifest
  if (finished === null || !checksums.manifest) return { ok: null, message: messages.digests.unfinished }
  const changedFiles = await run.changedFiles()
  return changedFiles.length > 0
    ? { ok: false, message: messages.digests.changed(changedFiles) }
    : { ok: true, message: messages.digests.same(Object.keys(checksums)) }
}

/** Whether every trial, and every score of it, has one line, and every passage the text of its digest. */
async function checkLines({ folder }: Results): Promise<Outcome> {
  const places = await faultyLines(folder)
  return places.length === 0
    ? { ok: true, message: messages.lines.same }
    : { ok: false, message: messages.lines.faulty(firstOf(places)) }
}

/** Whether the calls that are stored beside the run are all that it used, so that it repeats without a network. */
async function checkCalls(run: Results, callsFolder: string | undefined): Promise<Outcome> {
  const file = callsIn(run.folder)
  if (file === undefined || callsFolder === undefined) return { message: messages.calls.absent }
  const { total, lacking } = await lackingCalls(run, callsFolder)
  const name = basename(file)
  if (lacking.length === 0) return { ok: true, message: messages.calls.complete(total, name) }
  const places = placesIn(recordedCallsFile, lacking)
  return { ok: false, message: messages.calls.incomplete(lacking.length, total, name, places) }
}

async function checkTrials(run: Results, settings: ReplaySettings): Promise<Outcome> {
  const { cache, cacheFolder } = settings
  const { impossible, noCalls, missingCalls } = messages.retrieval
  if (!cache && (await callsOf(run)).size > 0) return { message: impossible(noCalls) }
  // a method may rank differently after a failed call
  const { lacking } = cache ? await lackingCalls(run, cacheFolder) : { lacking: [] }
  if (lacking.length > 0) return { message: impossible(missingCalls(lacking.length)) }
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
        throw new UserError(messages.scores.missingCalls)
      throw error
    })
    const scorers = new Set(replay.manifest.scorers.map(({ id }) => id))
    const skipped = manifest.scorers.flatMap(({ id, scorer }) => (scorers.has(id) ? [] : [scorer]))
    const comparable = new Set(manifest.scorers.flatMap(({ id }) => (scorers.has(id) ? [id] : [])))
    const rows = new Set(manifest.methods.map(({ id }) => id))
    const newScores = new Set<string>()
    for await (const { value } of numberedScores(scores))
      if (comparable.has(value.scorerId)) newScores.add(canonicalJson(value))
    const differing: number[] = []
    let count = 0
    for await (const { line, value } of numberedScores(files(folder).scores)) {
      if (!comparable.has(value.scorerId) || !rows.has(value.methodId)) continue
      count++
      if (!newScores.delete(canonicalJson(value))) differing.push(line)
    }
    const omissions = skipped.length > 0 ? [messages.scores.skipped(skipped)] : []
    if (count + newScores.size === 0)
      return omissions.length === 0 ? { message: messages.scores.none } : { ok: null, message: omissions.join('; ') }
    const ok = differing.length + newScores.size === 0
    const places = differing.length > 0 ? [placesIn(files(folder).scores, differing)] : []
    const summary = ok
      ? messages.scores.same(count)
      : messages.scores.differing(differing.length, count, newScores.size, places)
    return { ok, message: [summary, ...omissions].join('; ') }
  })
}
