import { lanes } from './kernels.ts'
import { addTimes, emptyPanel, transposeTimes, type Panel } from './products.ts'

/** Orthonormal vectors of length n, four to a panel. */
export interface Basis {
  readonly panels: readonly Panel[]
  /** Vectors in it. */
  readonly size: number
  /**
   * Adds four vectors that span, with the basis, what the panel spans; where it spans less, random ones. Returns the coefficients of
   * the panel's vectors over the whole new basis, row by row.
   */
  append(panel: Panel): Float64Array
  /** Combinations of the first vectors, by the coefficients in the columns of each panel. */
  combine(coefficients: readonly Panel[]): Panel[]
}

/** What is left of a vector, as a part of it, when it is rounding. */
const vanished = 1e-12
/** Shorter than this after a round, a vector may have kept a part along the basis: go round again. */
const secure = 0.5
const rounds = 6

/** A basis of vectors of length n, which starts from orthonormal `panels`. `random` is uniform in [0, 1). */
export function basisOf(n: number, random: () => number, start: readonly Panel[] = []): Basis {
  const panels = [...start]
  const rows = (data: Panel) => ({ data, rows: n, columns: lanes })

  /** Block Gram and Schmidt: takes the parts along the basis off the panel and returns their coefficients. */
  function project(panel: Panel): Panel[] {
    return panels.map((member) => {
      const [along] = transposeTimes(rows(member), [panel])
      addTimes(rows(member), [along!.map((value) => -value)], [panel])
      return along!
    })
  }

  return {
    panels,
    get size() {
      return panels.length * lanes
    },
    append(panel) {
      const added = panel.slice()
      const along = panels.map(() => emptyPanel(lanes))
      let within = identity()
      for (let round = 0; round < rounds; round++) {
        const lengths = Array.from({ length: lanes }, (_, v) => Math.sqrt(inner(added, v, v)))
        project(added).forEach((part, index) => {
          addTimes({ data: part, rows: lanes, columns: lanes }, [within], [along[index]!])
        })
        const triangle = orthonormalize(added, lengths, random)
        within = product(triangle, within)
        if (round > 0 && shortest(triangle) > secure) break
      }
      panels.push(added)
      const all = new Float64Array(panels.length * lanes * lanes)
      ;[...along, within].forEach((part, index) => all.set(part, index * lanes * lanes))
      return all
    },
    combine: (coefficients) =>
      coefficients.map((columns) => {
        const sum = emptyPanel(n)
        for (let index = 0; index * lanes * lanes < columns.length; index++) {
          const part = columns.subarray(index * lanes * lanes, (index + 1) * lanes * lanes)
          addTimes(rows(panels[index]!), [part], [sum])
        }
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
