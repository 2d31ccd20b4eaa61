import { UserError } from '../errors.ts'
import { comparedAs } from '../report/compare/rows-to-compare.ts'
import { runPower as powerOfRun, type RunPower } from '../report/power/run-power.ts'
import { powerNotes } from '../report/power/messages.ts'
import { syntheticNotes, syntheticOf, type Synthetic } from '../report/synthetic.ts'
import { openRun, type ResultsPlace } from '../run/open-run.ts'
import { present } from '../text/amounts.ts'

/** What is to be found. */
export interface PowerSettings extends ResultsPlace {
  /** The true difference of two rows, as a fraction: .05 is 5 points of a percentage. */
  readonly difference: number
  /** By its name or title, or `scorer.metric` (default: the one that the table compares). */
  readonly metric?: string
}

/** The size of run that a difference needs, from the variance of a run that there is. */
export interface Power extends RunPower {
  /** The questions that a language model drafted; absent where people wrote all. */
  readonly synthetic?: Synthetic
  readonly notes: readonly string[]
}

export async function power(run: string, { difference, metric, ...place }: PowerSettings): Promise<Power> {
  if (!(difference > 0 && difference < 1))
    throw new UserError(`difference: must be more than 0 and less than 1, not ${difference}`)
  const { results, notes } = await openRun(run, place)
  const manifest = comparedAs(results.manifest, metric === undefined ? {} : { metric })
  const runPower = await powerOfRun(manifest, results, difference)
  const incomplete = 'this run is incomplete, so its questions may not be representative'
  return {
    ...runPower,
    ...syntheticOf(manifest),
    notes: present(notes, manifest.finished === null && incomplete, syntheticNotes(manifest), powerNotes(runPower)),
  }
}
