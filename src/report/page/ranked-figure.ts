import type { RowCost } from './row-costs.ts'
import { linear } from './scale.ts'
import { dot, line, shortened, svg, widthOf, words } from './svg.ts'

/** How a metric is shown: its title, what a mean is multiplied by, and digits behind the point. */
export interface Shown {
  readonly title: string
  readonly scale: number
  readonly digits: number
}

/** The means of a metric with their 95 % intervals, greatest first; reference rows are hollow. */
export function rankedFigure(rows: readonly RowCost[], { title, scale, digits }: Shown): string {
  const sorted = [...rows].sort((a, b) => (b.cell.mean ?? 0) - (a.cell.mean ?? 0))
  const names = sorted.map(({ name }) => shortened(name, 34))
  const left = Math.max(60, ...names.map(widthOf)) + 12
  const right = width - 58
  const values = sorted.flatMap(({ cell: { mean, low, high } }) =>
    [mean, low, high].flatMap((one) => (one === null ? [] : [one * scale])),
  )
  const x = linear(Math.min(...values), Math.max(...values), left, right)
  const bottom = top + sorted.length * step
  const drawn = sorted.flatMap(({ cell: { mean, low, high }, reference, name }, index) => {
    const y = top + (index + 0.5) * step
    const shown = (value: number): string => (value * scale).toFixed(digits)
    const at = (value: number): number => x.place(value * scale)
    const interval = low === null || high === null ? '' : ` (95 % interval ${shown(low)} to ${shown(high)})`
    const said = `${name}: ${shown(mean ?? 0)}${interval}`
    return [
      words(left - 12, y + 4.5, names[index] ?? '', reference ? 'soft' : 'ink', 'end'),
      ...(low === null || high === null ? [] : [line([at(low), y], [at(high), y], reference ? 'soft' : 'mark', 2)]),
      dot(at(mean ?? 0), y, reference ? 'soft' : 'mark', reference, said),
      words(width, y + 4.5, shown(mean ?? 0), reference ? 'soft' : 'ink', 'end'),
    ]
  })
  const axis = x.ticks.flatMap((tick) => [
    line([x.place(tick), top - 4], [x.place(tick), bottom], 'rule'),
    words(x.place(tick), bottom + 17, String(tick), 'soft', 'middle'),
  ])
  const said = `${title} with 95 % intervals: ${sorted.map(({ name, cell }) => `${name} ${((cell.mean ?? 0) * scale).toFixed(digits)}`).join(', ')}`
  return svg('ranked', said, width, bottom + 26, [
    words(0, 15, `${title}, mean and 95 % interval`, 'soft'),
    ...axis,
    ...drawn,
  ])
}

const width = 560
const top = 30
const step = 24
