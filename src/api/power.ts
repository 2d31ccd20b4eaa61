import { UserError } from '../errors.ts'
import { comparedAs } from '../report/compare/rows-to-compare.ts'
import { runPower, type RunPower } from '../report/power/run-power.ts'
import { powerNotes } from '../report/power/words.ts'
import { syntheticNotes, syntheticOf, type Synthetic } from '../report/synthetic.ts'
import { rowNamed } from '../text/names.ts'
import { openRun, type ResultsPlace } from './open-run.ts'

/** What is to be found, and how surely. */
export interface PowerSettings extends ResultsPlace {
  /** The true difference of two rows, as a fraction: .05 is 5 points of a percentage. */
  readonly difference: number
  /** How often it is to be found (default: .8). */
  readonly power?: number
  /** Level of the test (default: .05). */
  readonly alpha?: number
  /** By its name or title, or `scorer.metric` (default: the one that the table compares). */
  readonly metric?: string
  /** Rows by their names in the table, of which all pairs count (default: those that the table compares). */
  readonly rows?: readonly string[]
}

/** The size of run that a difference needs, from the variance of a run that there is. */
export interface Power extends RunPower {
  /** The questions that a language model drafted; absent where people wrote all. */
  readonly synthetic?: Synthetic
  readonly notes: readonly string[]
}

export async function power(run: string, settings: PowerSettings): Promise<Power> {
  const { found, warnings, synthetic } = await powerOf(run, settings)
  return { ...found, notes: [...warnings, ...synthetic, ...powerNotes(found)] }
}

/** The same without notes, and what must be known beside it, of the run and of its questions. */
export interface FoundPower {
  readonly found: Omit<Power, 'notes'>
  readonly warnings: readonly string[]
  readonly synthetic: readonly string[]
}

/** `mark` stands before the name of a setting in messages. */
export async function powerOf(
  run: string,
  { difference, power: often = 0.8, alpha = 0.05, metric, rows, ...place }: PowerSettings,
  mark = '',
): Promise<FoundPower> {
  for (const [name, value] of Object.entries({ difference, power: often, alpha }))
    if (!(value > 0 && value < 1))
      throw new UserError(`${mark}${name}: must be more than 0 and less than 1, not ${value}`)
  const { results, notes } = await openRun(run, place)
  const compare = { ...(metric !== undefined && { metric }), ...(rows && { baseline: false as const }) }
  const manifest = comparedAs(results.manifest, compare, mark)
  const named =
    rows &&
    [...new Set(rows)].map((row) => {
      const found = rowNamed(row, manifest.methods)
      if (typeof found === 'string') throw new UserError(`${mark}rows: ${found}`)
      return found
    })
  const found = await runPower(manifest, results, { difference, power: often, alpha }, named)
  const unfinished = manifest.finished === null
  return {
    found: { ...found, ...syntheticOf(manifest) },
    warnings: [...notes, ...(unfinished ? ['this run is not complete; its questions may be no fair part of all'] : [])],
    synthetic: syntheticNotes(manifest),
  }
}
