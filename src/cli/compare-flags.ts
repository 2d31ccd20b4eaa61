import { UserError } from '../errors.ts'
import type { CompareRecord, Manifest } from '../records.ts'
import { metricNamed, rowNamed } from '../text/names-in-tables.ts'

/** How a table is to compare rows, where it is not as the config says. `baseline` is false for all pairs. */
export interface CompareFlags {
  readonly baseline?: string | false
  readonly metric?: string
  readonly alternative?: CompareRecord['alternative']
  readonly margin?: number
}

/** The manifest of a run with the comparison that the flags ask for. Throws UserError for a row or metric that the run has not. */
export function comparedAs(manifest: Manifest, flags: CompareFlags): Manifest {
  const { compare } = manifest
  if (!compare && Object.values(flags).every((value) => value === undefined)) return manifest
  const baseline = baselineOf(manifest, flags)
  const metric =
    flags.metric === undefined ? compare?.metric : found('metric', metricNamed(flags.metric, manifest.scorers))
  const margin = flags.margin ?? compare?.margin
  const alternative = flags.alternative ?? (baseline && compare?.alternative) ?? 'two-sided'
  if (!baseline && alternative !== 'two-sided')
    throw new UserError(
      `--alternative ${alternative}: needs --baseline: without one, every pair is tested in both directions`,
    )
  return {
    ...manifest,
    compare: {
      ...(baseline && { baseline }),
      ...(metric && { metric }),
      alternative,
      ...(margin !== undefined && { margin }),
    },
  }
}

function baselineOf({ methods, compare }: Manifest, { baseline }: CompareFlags): CompareRecord['baseline'] {
  if (baseline === undefined) return compare?.baseline
  return baseline === false ? undefined : rowOf(found('baseline', rowNamed(baseline, methods)))
}

const rowOf = ({ method, variant }: NonNullable<CompareRecord['baseline']>) => ({ method, variant })

function found<T>(flag: string, named: T | string): T {
  if (typeof named === 'string') throw new UserError(`--${flag}: ${named}`)
  return named
}
