/** Answers with at least this score, of 0 to 1, count as right. */
export const correctThreshold = 0.5

/** Minimum passages to request where rankings are nested. */
export const rankingDepth = 50

/** The warning of an index whose calls are not observable, so that the cost of its row is unknown. */
export const unseenCalls = 'indexes or extractions of others, whose calls, tokens and cost are not known'

/** Trace key of an approximate search: how many of the nearest passages it found. */
export const nearestShare = 'found of the nearest'

/** The range of a metric, by its name up to `@`; 0 to 1 by default. */
export function rangeOf(metric: string, ranges: Ranges = {}): readonly [least: number, greatest: number] {
  const name = metric.split('@')[0] ?? metric
  const [least, greatest] = (Object.hasOwn(ranges, name) ? ranges[name] : undefined) ?? [0, 1]
  return [least ?? -Infinity, greatest ?? Infinity]
}

/** Whether a metric cannot be shown as a fraction, since its range exceeds -1 to 1. */
export function showsNoFraction(
  { metric, unit }: { readonly metric: string; readonly unit?: string | undefined },
  ranges?: Ranges,
): boolean {
  const [least, greatest] = rangeOf(metric, ranges)
  return unit !== 'number' && (least < -1 || greatest > 1)
}

/** Ranges of metrics, by name up to `@`; null (JSON's infinity) is no limit. */
type Ranges = Readonly<Record<string, readonly [least: number | null, greatest: number | null]>>

/** Why rows cannot be compared on a metric; undefined where they can, or no column shows it. */
export function whyNoDirection({ columns, failures }: Shown, metric: string): string | undefined {
  const matches = columns.filter((column) => column.metric === metric && (column.subset ?? 'all') === 'all')
  if (matches.length === 0) return undefined
  if (matches.every(({ unit }) => unit === 'number')) return 'rows cannot be compared on a number that is no share'
  const isNone = matches.some(({ better, unit }) => better === 'none' || (failures && unit === 'count'))
  return isNone ? 'more of it is not better' : undefined
}

interface Shown {
  readonly columns: readonly {
    readonly metric: string
    readonly subset?: string | undefined
    readonly unit?: string | undefined
    readonly better?: 'none' | undefined
  }[]
  readonly failures?: true | undefined
}
