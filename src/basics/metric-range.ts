/** Least and greatest value of metrics, by their names up to `@`. */
type Ranges = Readonly<Record<string, readonly [least: number, greatest: number]>>

/** Least and greatest value of a metric: as stated for its name up to `@`, or else 0 and 1. */
export function rangeOf(metric: string, ranges: Ranges = {}): readonly [least: number, greatest: number] {
  const name = metric.split('@')[0] ?? metric
  return (Object.hasOwn(ranges, name) ? ranges[name] : undefined) ?? [0, 1]
}

/** Whether a column shows as a fraction a metric that may lie beyond -1 to 1. */
export function showsNoFraction(
  { metric, unit }: { readonly metric: string; readonly unit?: string | undefined },
  ranges?: Ranges,
): boolean {
  const [least, greatest] = rangeOf(metric, ranges)
  return unit !== 'number' && (least < -1 || greatest > 1)
}
