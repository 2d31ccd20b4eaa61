import { lanes } from './kernels.ts'
import { addTimes, emptyPanel, transposeTimes, type Panel, type Rows } from './products.ts'

/** Orthonormal vectors of length n, which grow four at a time. */
export interface Basis {
  /** Vectors in it. */
  readonly size: number
  /**
   * Adds four vectors that span, with those before, what the panel spans; where it spans less, random ones. `coefficients` are those
   * of the panel's vectors over all vectors now in the basis.
   */
  append(panel: Panel): { readonly added: Panel; readonly coefficients: Panel }
  /** The combinations of the first vectors whose coefficients are in the panels. */
  combine(coefficients: readonly Panel[]): Panel[]
}

/** What is left of a vector, as a part of it, when it is rounding. */
const vanished = 1e-12
/** Shorter than this after a round, a vector may have kept a part along the basis: go round again. */
const secure = 0.5
const rounds = 6

/** A basis of up to `capacity` vectors, which starts from orthonormal `panels`. `random` is uniform in [0, 1). Throws RangeError when full. */
export function basisOf(n: number, capacity: number, random: () => number, panels: readonly Panel[] = []): Basis {
  const data = new Float64Array(n * capacity)
  let size = 0
  panels.forEach(store)

  function store(panel: Panel): void {
    if (size + lanes > capacity) throw new RangeError(`a basis for ${capacity} vectors is full`)
    for (let i = 0; i < n; i++) {
      for (let v = 0; v < lanes; v++) data[i * capacity + size + v] = panel[i * lanes + v]!
    }
    size += lanes
  }

  const vectors = (count: number): Rows => ({ data, rows: n, columns: count, stride: capacity })

  /** Block Gram and Schmidt: takes the part along the basis off the panel and returns its coefficients. */
  function project(panel: Panel): Panel {
    const [along] = transposeTimes(vectors(size), [panel])
    addTimes(vectors(size), [along!.map((value) => -value)], [panel])
    return along!
  }

  return {
    get size() {
      return size
    },
    append(panel) {
      const added = panel.slice()
      const coefficients = emptyPanel(size + lanes)
      const along = coefficients.subarray(0, size * lanes)
      let within = identity()
      for (let round = 0; round < rounds; round++) {
        const lengths = Array.from({ length: lanes }, (_, v) => Math.sqrt(inner(added, v, v)))
        addTimes({ data: project(added), rows: size, columns: lanes }, [within], [along])
        const triangle = orthonormalize(added, lengths, random)
        within = product(triangle, within)
        if (round > 0 && shortest(triangle) > secure) break
      }
      coefficients.set(within, size * lanes)
      store(added)
      return { added, coefficients }
    },
    combine: (coefficients) =>
      coefficients.map((panel) => {
        const sum = emptyPanel(n)
        addTimes(vectors(panel.length / lanes), [panel], [sum])
        return sum
      }),
  }
}

const identity = (): Panel => Float64Array.from({ length: lanes * lanes }, (_, at) => (at % (lanes + 1) === 0 ? 1 : 0))

function product(a: Panel, b: Panel): Panel {
  const result = emptyPanel(lanes)
  addTimes({ data: a, rows: lanes, columns: lanes }, [b], [result])
  return result
}

const shortest = (triangle: Panel): number =>
  Math.min(...Array.from({ length: lanes }, (_, v) => triangle[v * lanes + v]!))

/**
 * Makes the four vectors orthonormal, one after the other, and returns R of panel = Q R. A vector of which nothing is left but the
 * rounding of its former length is replaced by a random one, with zeros in R.
 */
function orthonormalize(panel: Panel, lengths: readonly number[], random: () => number): Panel {
  const triangle = emptyPanel(lanes)
  for (let v = 0; v < lanes; v++) {
    for (let u = 0; u < v; u++) triangle[u * lanes + v] = takeOff(panel, u, v)
    const left = Math.sqrt(inner(panel, v, v))
    if (left > vanished * lengths[v]!) {
      triangle[v * lanes + v] = left
    } else {
      for (let at = v; at < panel.length; at += lanes) panel[at] = random() - 0.5
      for (let u = 0; u < v; u++) takeOff(panel, u, v)
    }
    const length = Math.sqrt(inner(panel, v, v))
    for (let at = v; at < panel.length; at += lanes) panel[at]! /= length
  }
  return triangle
}

/** Takes the part along the unit vector u off vector v and returns its length. */
function takeOff(panel: Panel, u: number, v: number): number {
  const along = inner(panel, u, v)
  for (let at = 0; at < panel.length; at += lanes) panel[at + v]! -= along * panel[at + u]!
  return along
}

function inner(panel: Panel, u: number, v: number): number {
  let sum = 0
  for (let at = 0; at < panel.length; at += lanes) sum += panel[at + u]! * panel[at + v]!
  return sum
}
