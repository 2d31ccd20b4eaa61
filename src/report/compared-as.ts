import { UserError } from '../errors.ts'
import type { CompareRecord, Manifest } from '../records.ts'
import { metricNamed, rowNamed } from '../text/names.ts'

/** How a table is to compare rows, where it is not as the config says. `baseline` is false for all pairs. */
export interface CompareSettings {
  readonly baseline?: string | false
  readonly metric?: string
  readonly alternative?: CompareRecord['alternative']
  readonly margin?: number
}

/**
 * The manifest of a run with the comparison that the settings ask for. Throws UserError for a row or metric that the
 * run has not; `mark` stands before the name of a setting there.
 */
export function comparedAs(
  manifest: Manifest,
  { baseline: wanted, metric: named, alternative: side, margin: within }: CompareSettings,
  mark = '',
): Manifest {
  const { compare } = manifest
  if (!compare && [wanted, named, side, within].every((value) => value === undefined)) return manifest
  const found = <T>(setting: string, value: T | string): T => {
    if (typeof value === 'string') throw new UserError(`${mark}${setting}: ${value}`)
    return value
  }
  const baseline =
    wanted === undefined
      ? compare?.baseline
      : wanted === false
        ? undefined
        : rowOf(found('baseline', rowNamed(wanted, manifest.methods)))
  const metric = named === undefined ? compare?.metric : found('metric', metricNamed(named, manifest.scorers))
  const margin = within ?? compare?.margin
  if (margin !== undefined && !(margin > 0 && margin < 1))
    throw new UserError(`${mark}margin: must be more than 0 and less than 1, not ${margin}`)
  const alternative = side ?? (baseline && compare?.alternative) ?? 'two-sided'
  if (!baseline && alternative !== 'two-sided')
    throw new UserError(
      `${mark}alternative ${alternative}: needs ${mark}baseline: without one, every pair is tested in both directions`,
    )
  return {
    ...manifest,
    compare: {
      ...(baseline ? { baseline } : wanted === false && { allPairs: true }),
      ...(metric && { metric }),
      alternative,
      ...(margin !== undefined && { margin }),
    },
  }
}

const rowOf = ({ method, variant }: NonNullable<CompareRecord['baseline']>) => ({ method, variant })
