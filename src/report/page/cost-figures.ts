import { escapeXml } from '../page-head.ts'
import { counted } from '../../text/amounts.ts'
import { colours } from '../figures/colours.ts'
import type { CostUnit } from '../table/costs-of-row.ts'
import type { RowCost, RowCosts } from './row-costs.ts'

/** How a metric is shown: its title, what a mean is multiplied by, and digits behind the point. */
export interface Shown {
  readonly title: string
  readonly scale: number
  readonly digits: number
}

const width = 560

/** The means of a metric with their 95 % intervals, greatest first; reference rows are hollow. */
export function rankedFigure(rows: readonly RowCost[], { title, scale, digits }: Shown): string {
  const [top, step] = [30, 24]
  const sorted = rows.map((row) => ({ ...row, label: shortened(row.name, 34) })).sort((a, b) => b.mean - a.mean)
  const left = Math.max(60, ...sorted.map(({ label }) => widthOf(label))) + 12
  const values = sorted.flatMap(({ mean, cell: { low, high } }) =>
    [mean, low, high].flatMap((one) => (one === null ? [] : [one * scale])),
  )
  const x = linear(Math.min(...values), Math.max(...values), left, width - 58)
  const bottom = top + sorted.length * step
  const shown = (value: number): string => (value * scale).toFixed(digits)
  const at = (value: number): number => x.place(value * scale)
  const drawn = sorted.flatMap(({ mean, cell: { low, high }, reference, name, label }, index) => {
    const y = top + (index + 0.5) * step
    const hasInterval = low !== null && high !== null
    const said = `${name}: ${shown(mean)}${hasInterval ? ` (95 % interval ${shown(low)} to ${shown(high)})` : ''}`
    const [ink, mark] = reference ? (['soft', 'soft'] as const) : (['ink', 'mark'] as const)
    return [
      words(left - 12, y + 4.5, label, ink, 'end'),
      ...(hasInterval ? [line([at(low), y], [at(high), y], mark, 2)] : []),
      dot(at(mean), y, mark, reference, said),
      words(width, y + 4.5, shown(mean), ink, 'end'),
    ]
  })
  const axis = x.ticks.flatMap((tick) => [
    line([x.place(tick), top - 4], [x.place(tick), bottom], 'rule'),
    words(x.place(tick), bottom + 17, String(tick), 'soft', 'middle'),
  ])
  const said = sorted.map(({ name, mean }) => `${name} ${shown(mean)}`).join(', ')
  return svg('ranked', `${title} with 95 % intervals: ${said}`, bottom + 26, [
    words(0, 15, `${title}, mean and 95 % interval`, 'soft'),
    ...axis,
    ...drawn,
  ])
}

/** What costs are called on an axis, and what they are multiplied by there. */
const axes: Readonly<Record<CostUnit, { readonly name: string; readonly times: number }>> = {
  money: { name: 'dollars of 1,000 questions', times: 1000 },
  tokens: { name: 'tokens a question (prompt and reply)', times: 1 },
}

/** Scores against the cost of questions; the rows of the Pareto front are joined. */
export function questionCostFigure({ rows, unit }: RowCosts, shown: Shown): string {
  const { name, times } = axes[unit]
  const points = rows.flatMap((row) => {
    const cost = row.question?.[unit]
    return cost === undefined ? [] : [{ row, cost: cost * times, label: row.name }]
  })
  return scatter('cost-per-question', `against ${name}`, points, shown, true)
}

/** Scores against the cost of the index. */
export function indexCostFigure({ rows, unit, against }: RowCosts, shown: Shown): string {
  const points = rows.flatMap((row) => {
    const cost = row.index[unit]
    return cost === undefined || (row.reference && row.name !== against) ? [] : [{ row, cost, label: row.name }]
  })
  return scatter(
    'cost-of-index',
    `against ${unit === 'money' ? 'dollars' : 'tokens'} of the index`,
    points,
    shown,
    false,
  )
}

interface Point {
  readonly row: RowCost
  readonly cost: number
  readonly label: string
}

const [left, top, bottom] = [44, 34, 300]

function scatter(name: string, against: string, points: readonly Point[], shown: Shown, joined: boolean): string {
  const title = `${shown.title} ${against}`
  const scores = points.map(({ row }) => row.mean * shown.scale)
  const costs = points.map(({ cost }) => cost)
  const [low, high] = [Math.min(...costs), Math.max(...costs)]
  const isWide = low > 0 && high / low > 8
  const x = isWide
    ? logarithmic(low, high, left, width - 20)
    : linear(Math.min(low, narrowest * high), high, left, width - 20)
  const y = linear(Math.min(...scores), Math.max(...scores), bottom, top)
  const placed = points.map((point) => {
    const score = point.row.mean * shown.scale
    return { ...point, score: score.toFixed(shown.digits), x: x.place(point.cost), y: y.place(score) }
  })
  const front = placed.filter(({ row }) => joined && row.front).sort((a, b) => a.x - b.x)
  const path = front.map((one, index) => `${index === 0 ? 'M' : 'L'}${round(one.x)} ${round(one.y)}`).join('')
  const colourOf = (row: RowCost) => (row.reference ? 'soft' : joined && row.front ? 'front' : 'mark')
  const said = placed.map(({ row, score, cost }) => `${row.name} ${score} at ${amount(cost)}`).join(', ')
  return svg(name, `${title}: ${said}`, bottom + 26, [
    words(0, 15, title, 'soft'),
    ...y.ticks.flatMap((tick) => [
      line([left, y.place(tick)], [width, y.place(tick)], 'rule'),
      words(left - 8, y.place(tick) + 4.5, String(tick), 'soft', 'end'),
    ]),
    ...x.ticks.map((tick) => words(x.place(tick), bottom + 20, short(tick), 'soft', 'middle')),
    ...(front.length > 1 ? [`<path d="${path}" ${stroke('front', 1.5)} stroke-dasharray="4 3"/>`] : []),
    ...labels(placed),
    ...placed.map(({ row, score, cost, ...at }) =>
      dot(at.x, at.y, colourOf(row), row.reference, `${row.name}: ${score} at ${amount(cost)}`),
    ),
  ])
}

/** An axis of costs begins at the lowest, or at this share of the highest where all are nearly the same. */
const narrowest = 0.95

/** A cost of which small ones keep two digits. */
const amount = (cost: number): string => (cost < 10 ? String(Number(cost.toPrecision(2))) : counted(Math.round(cost)))

const short = (tick: number): string =>
  tick >= 1e6 ? `${tick / 1e6}M` : tick >= 1e4 ? `${tick / 1e3}k` : counted(tick)

/** Names in the first free place by their dots, else in the nearest from which a line to the dot meets nothing else. */
function labels(points: readonly Placed[]): readonly string[] {
  const taken = points.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }))
  return points.flatMap((point) => {
    const text = shortened(point.label, 30)
    const wide = widthOf(text)
    const free = (x: number, y: number, anchor: 'start' | 'middle' | 'end'): Label | undefined => {
      const from = anchor === 'start' ? x : anchor === 'end' ? x - wide : x - wide / 2
      const box = { left: from, right: from + wide, top: y - 11, bottom: y + 3 }
      const isOutside = box.left < left - 4 || box.right > width || box.top < 20 || box.bottom > bottom + 4
      return isOutside || taken.some((other) => touches(box, other)) ? undefined : { x, y, anchor, box }
    }
    const near = sides.flatMap(([dx, dy, anchor]) => free(point.x + dx, point.y + dy, anchor) ?? [])[0]
    const far = near ? [] : places.flatMap(([x, y]) => free(x, y, 'start') ?? []).sort(byDistanceTo(point))
    const others = taken.filter(
      (box) => !touches(box, { left: point.x, right: point.x, top: point.y, bottom: point.y }),
    )
    const found = near ?? far.find(({ box }) => isClear(point, endOf(point, box), others)) ?? far[0]
    if (!found) return []
    taken.push(found.box)
    const { x, y } = endOf(point, found.box)
    return [
      ...(near ? [] : [line([point.x, point.y], [x, y], 'soft', 0.7)]),
      // words may be narrower than reckoned: those left of their dot end at the line
      !near && (found.box.left + found.box.right) / 2 < point.x
        ? words(found.box.right, found.y, text, point.row.reference ? 'soft' : 'ink', 'end')
        : words(found.x, found.y, text, point.row.reference ? 'soft' : 'ink', found.anchor),
    ]
  })
}

interface Place {
  readonly x: number
  readonly y: number
}

interface Placed extends Point, Place {}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Where a name begins, is centred or ends, and the place that it takes. */
interface Label extends Place {
  readonly anchor: 'start' | 'middle' | 'end'
  readonly box: Box
}

const touches = (box: Box, other: Box): boolean =>
  box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top

/** Where a line from a dot to a name ends: at the nearest place of the name's edge. */
const endOf = ({ x, y }: Place, box: Box): Place => ({
  x: Math.min(Math.max(x, box.left - 2), box.right + 2),
  y: Math.min(Math.max(y, box.top), box.bottom),
})

const isClear = (from: Place, to: Place, boxes: readonly Box[]): boolean =>
  Array.from({ length: 20 }, (_, step) => step / 20).every((share) => {
    const [x, y] = [from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)]
    return !boxes.some((box) => touches(box, { left: x - 1, right: x + 1, top: y - 1, bottom: y + 1 }))
  })

const byDistanceTo =
  (point: Place) =>
  (one: Label, other: Label): number =>
    distance(point, endOf(point, one.box)) - distance(point, endOf(point, other.box))

const distance = (one: Place, other: Place): number => Math.hypot(one.x - other.x, one.y - other.y)

const sides = [
  [9, 4.5, 'start'],
  [-9, 4.5, 'end'],
  [0, -9, 'middle'],
  [0, 18, 'middle'],
  [9, -8, 'start'],
  [9, 17, 'start'],
  [-9, -8, 'end'],
  [-9, 17, 'end'],
] as const

/** Places where names may begin, all over the figure. */
const places = Array.from({ length: 18 }, (_, row) =>
  Array.from({ length: 64 }, (_, column) => [left + 8 * column, top + 4 + 15 * row] as const),
).flat()

/** A figure with its own colours, which the style of a page replaces by class. `said` is read aloud. */
const svg = (name: string, said: string, height: number, inside: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${round(height)}" width="${width}" height="${round(height)}" role="img" aria-label="${escapeXml(said)}" data-name="${escapeXml(name)}" font-family="system-ui, sans-serif" font-size="13">${inside.join('')}</svg>`

type Colour = keyof typeof colours

const fill = (colour: Colour): string => `fill="${colours[colour]}"`

const stroke = (colour: Colour, width = 1): string => `fill="none" stroke="${colours[colour]}" stroke-width="${width}"`

/** A dot with what it stands for; hollow where it is a reference row. */
const dot = (x: number, y: number, colour: Colour, hollow: boolean, said: string): string =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="5" ${hollow ? `fill="${colours.paper}" stroke="${colours[colour]}" stroke-width="2"` : fill(colour)}><title>${escapeXml(said)}</title></circle>`

const words = (
  x: number,
  y: number,
  text: string,
  colour: Colour = 'ink',
  anchor: 'start' | 'middle' | 'end' = 'start',
): string => `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" ${fill(colour)}>${escapeXml(text)}</text>`

const line = (from: readonly [number, number], to: readonly [number, number], colour: Colour, width = 1): string =>
  `<path d="M${round(from[0])} ${round(from[1])}L${round(to[0])} ${round(to[1])}" ${stroke(colour, width)}/>`

const round = (value: number): number => Math.round(value * 10) / 10

/** About how wide words are in a figure, which cannot be measured before it is seen. */
const widthOf = (text: string): number => 8.2 * Array.from(text).length

/** At most `most` letters: the beginning and the end, in which rows with varied options differ. */
export const shortened = (text: string, most: number): string => {
  const letters = Array.from(text)
  const kept = Math.floor((most - 1) / 2)
  return letters.length <= most
    ? text
    : `${letters.slice(0, most - 1 - kept).join('')}…${letters.slice(-kept).join('')}`
}

interface Scale {
  readonly place: (value: number) => number
  readonly ticks: readonly number[]
}

/** A linear scale whose ticks are 1, 2 or 5 times a power of ten. */
function linear(low: number, high: number, from: number, to: number, most = 6): Scale {
  const span = high - low || 1
  const step = niceStep(span / most)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const [least, range] = [first * step, (last - first) * step || step]
  return {
    place: (value) => from + ((value - least) / range) * (to - from),
    ticks: Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12))),
  }
}

function logarithmic(low: number, high: number, from: number, to: number): Scale {
  const ticks: number[] = []
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const digit of [1, 2, 5]) ticks.push(Number((digit * 10 ** power).toPrecision(1)))
  const least = Math.max(...ticks.filter((tick) => tick <= low))
  const greatest = Math.min(...ticks.filter((tick) => tick >= high && tick > least))
  const span = Math.log(greatest / least)
  return {
    place: (value) => from + (Math.log(value / least) / span) * (to - from),
    ticks: ticks.filter((tick) => tick >= least && tick <= greatest),
  }
}

function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((digit) => digit * power >= least * 0.999) ?? 10) * power
}
