/** From this score on, of 0 to 1, an answer counts as right; below it as wrong. */
export const correctThreshold = 0.5

/** Passages that a run asks for at least where rankings are nested. */
export const rankingDepth = 50

/** What a trial says where the file of a row holds nothing of its question. */
export const noRecord = 'has no record of this question'

/** The warning of an index whose own calls are nowhere to be seen: what its row costs is not known. */
export const unseenCalls = 'indexes or extractions of others, whose calls, tokens and cost are not known'

/** What a passage says of an approximate search: how many of the nearest passages it found, and how many these are. */
export const nearestFound = 'found of the nearest'

/** Least and greatest value of a metric: as stated for its name up to `@`, or else 0 and 1. */
export function rangeOf(metric: string, ranges: Ranges = {}): readonly [least: number, greatest: number] {
  const name = metric.split('@')[0] ?? metric
  const [least, greatest] = (Object.hasOwn(ranges, name) ? ranges[name] : undefined) ?? [0, 1]
  return [least ?? -Infinity, greatest ?? Infinity]
}

/** Whether a column shows as a fraction a metric that may lie beyond -1 to 1. */
export function showsNoFraction(
  { metric, unit }: { readonly metric: string; readonly unit?: string | undefined },
  ranges?: Ranges,
): boolean {
  const [least, greatest] = rangeOf(metric, ranges)
  return unit !== 'number' && (least < -1 || greatest > 1)
}

/** Least and greatest value of metrics, by their names up to `@`; null, as JSON writes infinity, is no limit. */
type Ranges = Readonly<Record<string, readonly [least: number | null, greatest: number | null]>>

/** Why rows cannot be compared on a metric of a scorer; undefined where they can, or no column shows it. */
export function whyNoDirection({ columns, failures }: Shown, metric: string): string | undefined {
  const own = columns.filter((column) => column.metric === metric && (column.subset ?? 'all') === 'all')
  if (own.length === 0) return undefined
  if (own.every(({ unit }) => unit === 'number')) return 'rows cannot be compared on a number that is no share'
  const isNone = own.some(({ better, unit }) => better === 'none' || (failures && unit === 'count'))
  return isNone ? 'more of it is not better' : undefined
}

/** What a scorer, or its record in a manifest, says of its columns, and whether it scores failed trials, too. */
interface Shown {
  readonly columns: readonly {
    readonly metric: string
    readonly subset?: string | undefined
    readonly unit?: string | undefined
    readonly better?: 'none' | undefined
  }[]
  readonly failures?: true | undefined
}
