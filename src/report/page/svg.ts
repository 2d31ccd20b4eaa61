import { escapeXml } from '../page-head.ts'

/** A figure by itself: it has its own colours, which the style of a page replaces by the classes. `said` is read to those who do not see it. */
export const svg = (name: string, said: string, width: number, height: number, inside: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${round(height)}" width="${width}" height="${round(height)}" role="img" aria-label="${escapeXml(said)}" data-name="${escapeXml(name)}" font-family="system-ui, sans-serif" font-size="13">${inside.join('')}</svg>`

/** Colours by class; a file of its own is seen on white. */
const colours = {
  ink: '#22262b',
  soft: '#5f666e',
  rule: '#dedbd4',
  mark: '#0072b2',
  front: '#c2410c',
  paper: '#ffffff',
} as const

type Colour = keyof typeof colours

/** Attributes of a filled shape or text. */
const fill = (colour: Colour): string => `class="f-${colour}" fill="${colours[colour]}"`

/** Attributes of a line. */
export const stroke = (colour: Colour, width = 1): string =>
  `class="s-${colour}" fill="none" stroke="${colours[colour]}" stroke-width="${width}"`

/** A dot with what it stands for; hollow where it is a reference row. */
export const dot = (x: number, y: number, colour: Colour, hollow: boolean, said: string): string =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="5" ${hollow ? `class="s-${colour} f-paper" fill="${colours.paper}" stroke="${colours[colour]}" stroke-width="2"` : fill(colour)}><title>${escapeXml(said)}</title></circle>`

/** Words at a place. */
export const words = (
  x: number,
  y: number,
  text: string,
  colour: Colour = 'ink',
  anchor: 'start' | 'middle' | 'end' = 'start',
): string => `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" ${fill(colour)}>${escapeXml(text)}</text>`

/** A straight line. */
export const line = (
  from: readonly [number, number],
  to: readonly [number, number],
  colour: Colour,
  width = 1,
): string => `<path d="M${round(from[0])} ${round(from[1])}L${round(to[0])} ${round(to[1])}" ${stroke(colour, width)}/>`

export const round = (value: number): number => Math.round(value * 10) / 10

/** About how wide words are in a figure, which cannot be measured before it is seen. */
export const widthOf = (text: string): number => 8.2 * Array.from(text).length

/** At most `most` letters: the beginning and the end, in which rows with varied options differ. */
export const shortened = (text: string, most: number): string => {
  const letters = Array.from(text)
  const kept = Math.floor((most - 1) / 2)
  return letters.length <= most
    ? text
    : `${letters.slice(0, most - 1 - kept).join('')}…${letters.slice(-kept).join('')}`
}

/** From values to places of an axis. */
interface Scale {
  readonly place: (value: number) => number
  readonly ticks: readonly number[]
}

/** A linear scale whose ticks are 1, 2 or 5 times a power of ten. */
export function linear(low: number, high: number, from: number, to: number, most = 6): Scale {
  const span = high - low || 1
  const step = niceStep(span / most)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const [least, range] = [first * step, (last - first) * step || step]
  return {
    place: (value) => from + ((value - least) / range) * (to - from),
    ticks: Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12))),
  }
}

/** A logarithmic scale for values above 0. */
export function logarithmic(low: number, high: number, from: number, to: number): Scale {
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
