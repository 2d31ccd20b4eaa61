import { UserError } from '../errors.ts'
import { comparedAs } from '../report/compare/rows-to-compare.ts'
import { runPower, type RunPower } from '../report/power/run-power.ts'
import { powerNotes } from '../report/power/messages.ts'
import { syntheticNotes, syntheticOf, type Synthetic } from '../report/synthetic.ts'
import { openRun, type ResultsPlace } from '../run/open-run.ts'

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

export async function power(run: string, settings: PowerSettings): Promise<Power> {
  const { result, warnings, synthetic } = await powerOf(run, settings)
  return { ...result, notes: [...warnings, ...synthetic, ...powerNotes(result)] }
}

/**
 * The same with its notes apart: those of the run and of its questions. `mark` stands before the name of a setting in
 * messages.
 */
export async function powerOf(
  run: string,
  { difference, metric, ...place }: PowerSettings,
  mark = '',
): Promise<Record<'warnings' | 'synthetic', readonly string[]> & { readonly result: Omit<Power, 'notes'> }> {
  if (!(difference > 0 && difference < 1))
    throw new UserError(`${mark}difference: must be more than 0 and less than 1, not ${difference}`)
  const { results, notes } = await openRun(run, place)
  const manifest = comparedAs(results.manifest, metric === undefined ? {} : { metric }, mark)
  const powerResult = await runPower(manifest, results, difference)
  const isUnfinished = manifest.finished === null
  return {
    result: { ...powerResult, ...syntheticOf(manifest) },
    warnings: [
      ...notes,
      ...(isUnfinished ? ['this run is incomplete, so its questions may not be representative'] : []),
    ],
    synthetic: syntheticNotes(manifest),
  }
}
