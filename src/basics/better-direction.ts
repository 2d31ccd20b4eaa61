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

/**
 * Why more of a metric that a scorer shows over all questions is not better, so that rows cannot be compared on it; undefined where it is, or
 * where no column shows it. Counts of a scorer that scores failed trials, too, count causes.
 */
export function whyNoDirection({ columns, failures }: Shown, metric: string): string | undefined {
  const own = columns.filter((column) => column.metric === metric && (column.subset ?? 'all') === 'all')
  if (own.length === 0) return undefined
  if (own.every(({ unit }) => unit === 'number')) return 'rows cannot be compared on a number that is no share'
  const isNone = own.some(({ better, unit }) => better === 'none' || (failures && unit === 'count'))
  return isNone ? 'more of it is not better' : undefined
}
