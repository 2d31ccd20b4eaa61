import type { Plan } from '../config/index.ts'
import { UserError } from '../errors.ts'
import { prepare } from './prepare/prepare.ts'
import { addCounts, addScores, type Progress } from './progress.ts'
import { openResults } from './results/open-results.ts'
import { writeSeries, type BegunSeries } from './results/series.ts'
import { run, type Outcome } from './run.ts'
import type { Settings } from './settings.ts'

/** What the runs of a config did. `folder` and `manifest` are those of the series; of a single run, its own. */
export interface SeriesOutcome extends Outcome {
  /** The results folders of the runs. */
  readonly runs: readonly string[]
}

/**
 * Runs the plans of a config one after the other, each into a results folder of its own, and joins them in one of a series where there are
 * several. All are prepared before the first call is paid. `ended` hears the folder of each run that has ended. Throws as `run` does.
 */
export async function runAll(
  plans: readonly Plan[],
  settings: Settings,
  progress?: Progress,
  ended: (folder: string) => Promise<void> = async () => undefined,
): Promise<SeriesOutcome> {
  const series = plans.length > 1 ? await beginSeries(plans, settings) : undefined
  const { begins, ...ofRuns } = settings
  const outcomes: Outcome[] = []
  try {
    if (series) await begins?.(series.folder)
    for (const plan of plans) {
      const outcome = await run(plan, series ? ofRuns : settings, progress)
      await ended(outcome.folder)
      outcomes.push(outcome)
    }
  } catch (error) {
    if (error instanceof UserError) await series?.undo()
    throw error
  }
  const [first] = outcomes
  if (!first) throw new Error('a config has no run')
  const runs = outcomes.map(({ folder }) => folder)
  if (!series) return { ...first, runs }
  return {
    ...{ folder: series.folder, manifest: (await openResults(series.folder, '')).manifest, runs },
    trials: addCounts(outcomes.map(({ trials }) => trials)),
    scores: addScores(outcomes.map(({ scores }) => scores)),
  }
}

/** The folder of the series, with the names of the folders that its runs are going to have. */
async function beginSeries(plans: readonly Plan[], settings: Settings): Promise<BegunSeries> {
  const runs: string[] = []
  for (const plan of plans) {
    const prepared = await prepare(plan, settings)
    await prepared.close()
    runs.push(`${plan.name}-${prepared.hash}`)
  }
  const [{ name, varied } = { name: '', varied: [] }] = plans
  return writeSeries(settings.results, { name, varied: varied.map(({ option }) => option), runs })
}
