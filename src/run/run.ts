import { itemAt } from '../basics/collections.ts'
import { present } from '../text/amounts.ts'
import { canonicalJson } from '../text/hash.ts'
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import type { Plan } from '../config/index.ts'
import { lineRanks, orderScores, orderTrials } from './results/write-trials.ts'
import { execute } from './execute/execute.ts'
import { localExecutor } from './execute/run-trial.ts'
import { summariseTrials } from './scoring/summarise-trials.ts'
import { openEarlyScores, scoreAll } from './scoring/score-all.ts'
import { testJudges } from './scoring/test-judges.ts'
import { beginManifest, finishManifest } from './results/manifest.ts'
import { noteOnBudget, notesOnLanguage, tryServers } from './prepare/notes.ts'
import { calledRoles, refuseOtherDimensions } from './prepare/check-models.ts'
import { prepare, type Prepared } from './prepare/prepare.ts'
import { stopOf, type Settings } from './prepare/settings.ts'
import { addCounts, addScores, callCounts, silent } from './progress.ts'
import { files } from './results/journal.ts'
import { readTrials } from './results/read-lines.ts'
import { withResultsFolder } from './results/results-folder.ts'
import { openCallRecorder, type CallRecorder } from './results/recorded-calls.ts'
import { withWorkers, type Workers } from './workers/with-workers.ts'
import { UserError } from '../errors.ts'
import type { DatasetStatistics } from './prepare/dataset-statistics.ts'
import { openResults, writeSeries } from './results/series.ts'

export type Outcome = Awaited<ReturnType<typeof work>>

/**
 * Runs and scores a plan in `<results>/<name>-<hash>/`; what is there is kept. Throws UserError, AbortError when
 * stopped, and UsageLimitError.
 */
export async function run(plan: Plan, settings: Settings): Promise<Outcome> {
  let recorder: CallRecorder | undefined
  const onCall = (key: string): void => recorder?.record(key)
  const { workers: address } = settings
  const opening = { ...settings, signal: afterGrace(settings.signal), onCall }
  const prepared = await prepare(plan, opening)
  const { methods, scorers, models, statistics } = prepared
  const folder = join(settings.results, `${plan.name}-${prepared.hash}`)
  const stop = stopOf(settings, models, calledRoles(scorers))
  try {
    // with workers, these ask them
    if (address === undefined) await tryServers(methods)
    for (const line of present(statistics.notes, notesOnLanguage(prepared), noteOnBudget(prepared)))
      settings.warn?.(`note: ${line}`)
    return await withResultsFolder(folder, async () => {
      const rows = methods.map(({ row }) => row)
      const records = scorers.map(({ record }) => record)
      await settings.begins?.(folder, rows, records)
      recorder = await openCallRecorder(folder)
      try {
        await refuseOtherDimensions(methods, models)
        const workWith = (workers?: Workers) => work(prepared, folder, stop, settings, workers)
        return await (address === undefined ? workWith() : withWorkers(address, prepared, opening, workWith))
      } finally {
        await recorder.close()
      }
    })
  } finally {
    await prepared.close()
  }
}

/** Milliseconds that questions under way have to end once the run is stopped. */
const graceMs = 10_000

/** Raised some time after a signal, or at once if that is raised already. */
function afterGrace(signal: AbortSignal): AbortSignal {
  if (signal.aborted) return signal
  const grace = new AbortController()
  const end = () => void setTimeout(() => grace.abort(signal.reason), graceMs).unref()
  signal.addEventListener('abort', end, { once: true })
  return grace.signal
}

async function work(
  prepared: Prepared,
  folder: string,
  stop: AbortSignal,
  { progress = silent }: Settings,
  workers?: Workers,
) {
  const { plan, scorers, models, statistics, style } = prepared
  const { budget, indexPerRepeat, seed, limits, concurrency } = plan
  const signal = workers ? AbortSignal.any([stop, workers.signal]) : stop
  // every call under way listens to the run's end, which Node would take for a leak
  setMaxListeners(0, signal)
  const context = { models, budget, style, seed, limits, signal: afterGrace(signal) }
  const executor = workers?.executor(context) ?? localExecutor(context, concurrency)
  const opening = await beginManifest(folder, prepared)
  const { manifest } = opening
  progress.models?.(manifest.models)
  const rows = new Map(manifest.methods.map((method) => [method.id, method]))
  const trialSummary = summariseTrials(scorers, rows)
  const { scores, meter } = files(folder)
  const scoring = {
    ...plan,
    trials: () => readTrials(folder, { isUnique: true, isValid: true }),
    trialSummary,
    scores,
    meter,
    scorers,
    counts: callCounts(),
    rows,
  }
  const early = await openEarlyScores(scoring, models)
  const rankOf = lineRanks(statistics.order, manifest.methods, { repeats: manifest.repeats, indexPerRepeat })
  const trialCounts = await execute(prepared, folder, executor, early.add, progress, signal)
    .finally(early.close)
    .finally(() => orderTrials(folder, rankOf, trialSummary.add))
  const scorerRecords = await testJudges(scoring, manifest.scorers, models)
  const late = await scoreAll(scoring, models, progress, signal).finally(() =>
    orderScores(scores, trialSummary.places, manifest.scorers),
  )
  const { made, skipped } = early.counts
  const scoreCounts = { ...late, made: late.made + made, kept: late.kept - made, skipped: late.skipped + skipped }
  const finalManifest = await finishManifest(folder, opening, scorerRecords, models.sentCalls.pending())
  return { folder, manifest: finalManifest, trials: trialCounts, scores: scoreCounts }
}

/** The outcome of all runs of a config; `folder` and `manifest` are those of the series, if it is one. */
export type SeriesOutcome = Outcome & { readonly runs: readonly string[] }

/**
 * Runs the plans of a config one after the other, all prepared before the first call, and joins several in a series.
 * `onRunEnd` gets the folder of each run that has ended. Throws as `run` does.
 */
export async function runAll(
  plans: readonly Plan[],
  settings: Settings,
  onRunEnd: (folder: string) => Promise<void> = async () => undefined,
): Promise<SeriesOutcome> {
  const { begins, ...runSettings } = settings
  const ofRuns = { ...runSettings, statistics: new Map<string, DatasetStatistics>() }
  const series = plans.length > 1 ? await beginSeries(plans, ofRuns) : undefined
  const outcomes: Outcome[] = []
  try {
    if (series) await begins?.(series.folder)
    for (const plan of plans) {
      const outcome = await run(plan, series ? ofRuns : settings)
      await onRunEnd(outcome.folder)
      outcomes.push(outcome)
    }
  } catch (error) {
    if (error instanceof UserError) await series?.undo()
    throw error
  }
  const runs = outcomes.map(({ folder }) => folder)
  if (!series) return { ...itemAt(outcomes, 0), runs }
  return {
    folder: series.folder,
    manifest: (await openResults(series.folder, '')).manifest,
    runs,
    trials: addCounts(outcomes.map(({ trials }) => trials)),
    scores: addScores(outcomes.map(({ scores }) => scores)),
  }
}

async function beginSeries(plans: readonly Plan[], settings: Settings): ReturnType<typeof writeSeries> {
  const runs: string[] = []
  const judges = new Set<string>()
  for (const plan of plans) {
    const prepared = await prepare(plan, settings)
    await prepared.close()
    runs.push(`${plan.name}-${prepared.hash}`)
    if (prepared.scorers.some(({ scorer }) => scorer.judge))
      judges.add(canonicalJson([plan.models.judge.use, plan.models.judge.record]))
  }
  const { name, variedValues } = itemAt(plans, 0)
  const keys = variedValues.map(({ option }) => option)
  if (judges.size > 1 && !keys.some((option) => /^models(\.judge|$)/.test(option)))
    throw new UserError('"vary" changes models.complete, which is also the judge: set models.judge')
  return writeSeries(settings.results, { name, varied: keys, runs })
}
