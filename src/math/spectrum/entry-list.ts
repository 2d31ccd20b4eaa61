import { lanes, type Panel } from '../kernels.ts'

/** Columns that the entries of one strip lie in: a place is packed as row · width + column within the strip. */
export const stripWidth = 64

/** Entries of a symmetric matrix, each for (i, j) and (j, i), in strips of columns: 12 bytes an entry. */
export interface EntryList {
  readonly count: number
  add(i: number, j: number, weight: number): void
  each(visit: (i: number, j: number, weight: number) => void): void
  /** Takes the products of the entries with the panels off `products`. */
  takeOff(panels: readonly Panel[], products: readonly Panel[]): void
}

/** Bytes of an entry. */
export const entryBytes = 12

/** An empty list for a matrix of n columns. */
export function entryList(n: number): EntryList {
  const strips = Array.from({ length: Math.ceil(n / stripWidth) }, (_, index) => emptyStrip(index * stripWidth))
  let count = 0
  return {
    get count() {
      return count
    },
    add(i, j, weight) {
      append(strips[Math.floor(j / stripWidth)]!, i * stripWidth + (j % stripWidth), weight)
      count++
    },
    each(visit) {
      for (const { from, places, weights, length } of strips) {
        for (let at = 0; at < length; at++) visit(rowOf(places[at]!), from + columnOf(places[at]!), weights[at]!)
      }
    },
    takeOff(panels, products) {
      panels.forEach((x, index) => {
        for (const strip of strips) takeOffStrip(strip, x, products[index]!)
      })
    },
  }
}

interface Strip {
  readonly from: number
  places: Uint32Array
  weights: Float64Array
  length: number
}

const emptyStrip = (from: number): Strip => ({
  from,
  places: new Uint32Array(0),
  weights: new Float64Array(0),
  length: 0,
})
const rowOf = (place: number): number => Math.floor(place / stripWidth)
const columnOf = (place: number): number => place % stripWidth

function append(strip: Strip, place: number, weight: number): void {
  if (strip.length === strip.places.length) {
    const room = Math.ceil(strip.length * 1.25) + 16
    const [places, weights] = [new Uint32Array(room), new Float64Array(room)]
    places.set(strip.places)
    weights.set(strip.weights)
    strip.places = places
    strip.weights = weights
  }
  strip.places[strip.length] = place
  strip.weights[strip.length++] = weight
}

function takeOffStrip({ from, places, weights, length }: Strip, x: Panel, y: Panel): void {
  for (let at = 0; at < length; at++) {
    const i = rowOf(places[at]!) * lanes
    const j = (from + columnOf(places[at]!)) * lanes
    const weight = weights[at]!
    for (let v = 0; v < lanes; v++) {
      y[i + v]! -= weight * x[j + v]!
      y[j + v]! -= weight * x[i + v]!
    }
  }
}
