import { emptyPanel, lanes, type Panel } from '../kernels.ts'

/** Orthonormal vectors of length n, which grow four at a time. */
export interface Basis {
  /** Vectors in it. */
  readonly size: number
  /**
   * Adds four vectors that span, with those before, what the panel spans; where it spans less, random ones.
   * `coefficients` are those of the panel's vectors over all vectors now in the basis.
   */
  append(panel: Panel): { readonly added: Panel; readonly coefficients: Panel }
  /** The combinations of the first vectors whose coefficients are in the panels. */
  combine(coefficients: readonly Panel[]): Panel[]
  /** Starts anew from orthonormal panels. */
  restart(panels: readonly Panel[]): void
}

/** What is left of a vector, as a part of it, when it is rounding. */
const vanished = 1e-12
/** Shorter than this after a round, a vector may have kept a part along the basis: go round again. */
const secure = 0.5
const rounds = 6

/** An empty basis for up to `capacity` vectors. `random` is uniform in [0, 1). Throws RangeError when full. */
export function basisOf(n: number, capacity: number, random: () => number): Basis {
  const stored: Panel[] = []

  function store(panel: Panel): void {
    if (lanes * (stored.length + 1) > capacity) throw new RangeError(`a basis for ${capacity} vectors is full`)
    stored.push(panel)
  }

  /** Block Gram and Schmidt: takes the part along the basis off the panel and returns its coefficients. */
  function project(panel: Panel): Panel {
    const along = emptyPanel(lanes * stored.length)
    for (const [index, vectors] of stored.entries()) along.set(innerProducts(vectors, panel), index * lanes * lanes)
    addCombination(
      panel,
      stored,
      along.map((value) => -value),
    )
    return along
  }

  return {
    get size() {
      return lanes * stored.length
    },
    append(panel) {
      let added: Panel = panel.slice()
      const size = lanes * stored.length
      const coefficients = emptyPanel(size + lanes)
      let within = identity()
      for (let round = 0; round < rounds; round++) {
        const taken = project(added)
        addProduct(taken, within, coefficients)
        const { panel: orthonormal, triangle } = orthonormalize(added, taken, random)
        added = orthonormal
        within = product(triangle, within)
        if (round > 0 && shortest(triangle) > secure) break
      }
      coefficients.set(within, size * lanes)
      store(added)
      return { added, coefficients }
    },
    combine: (coefficients) =>
      coefficients.map((panel) => {
        const combined = emptyPanel(n)
        addCombination(combined, stored, panel)
        return combined
      }),
    restart(panels) {
      stored.length = 0
      for (const panel of panels) store(panel)
    },
  }
}

/** The inner products of four vectors with four others: four rows of four. */
function innerProducts(vectors: Panel, others: Panel): Panel {
  const sums = emptyPanel(lanes)
  for (let u = 0; u < lanes; u++) {
    let [s0, s1, s2, s3] = [0, 0, 0, 0]
    for (let at = 0; at < vectors.length; at += lanes) {
      const value = vectors[at + u]!
      s0 += value * others[at]!
      s1 += value * others[at + 1]!
      s2 += value * others[at + 2]!
      s3 += value * others[at + 3]!
    }
    sums.set([s0, s1, s2, s3], u * lanes)
  }
  return sums
}

/** Adds the combinations of the vectors with these coefficients to a panel. */
function addCombination(panel: Panel, vectors: readonly Panel[], coefficients: Panel): void {
  for (let index = 0; (index + 1) * lanes * lanes <= coefficients.length; index++) {
    const from = vectors[index]!
    const square = coefficients.subarray(index * lanes * lanes, (index + 1) * lanes * lanes)
    for (let v = 0; v < lanes; v++) {
      const [c0, c1, c2, c3] = [square[v]!, square[lanes + v]!, square[2 * lanes + v]!, square[3 * lanes + v]!]
      for (let at = 0; at < panel.length; at += lanes)
        panel[at + v] = panel[at + v]! + from[at]! * c0 + from[at + 1]! * c1 + from[at + 2]! * c2 + from[at + 3]! * c3
    }
  }
}

const identity = (): Panel => Float64Array.from({ length: lanes * lanes }, (_, at) => (at % (lanes + 1) === 0 ? 1 : 0))

/** Adds `rows`, four numbers each, times four rows of four. */
function addProduct(rows: Panel, square: Panel, into: Panel): void {
  for (let at = 0; at < rows.length; at += lanes) {
    for (let v = 0; v < lanes; v++) {
      for (let t = 0; t < lanes; t++) into[at + v]! += rows[at + t]! * square[t * lanes + v]!
    }
  }
}

function product(rows: Panel, square: Panel): Panel {
  const result = emptyPanel(rows.length / lanes)
  addProduct(rows, square, result)
  return result
}

const shortest = (triangle: Panel): number =>
  Math.min(...Array.from({ length: lanes }, (_, v) => triangle[v * lanes + v]!))

/** A vector less independent of those before it than this is not left to the root of the inner products. */
const independent = 1e-4

/**
 * Four orthonormal vectors Q and R of panel = Q R, the root of their inner products (Cholesky QR: two trips through the
 * panel). Where they are nearly dependent, one after the other. `taken` is what was taken off them before.
 */
function orthonormalize(panel: Panel, taken: Panel, random: () => number): { panel: Panel; triangle: Panel } {
  const squares = innerProducts(panel, panel)
  const lengths = Array.from({ length: lanes }, (_, v) => Math.sqrt(squares[v * lanes + v]! + inner(taken, v, v)))
  const triangle = cholesky(squares)
  for (let v = 0; v < lanes; v++) {
    const left = triangle[v * lanes + v]!
    const whole = Math.sqrt(squares[v * lanes + v]!)
    if (!(left > independent * whole && left > vanished * lengths[v]!))
      return { panel, triangle: oneByOne(panel, lengths, random) }
  }
  const orthonormal = emptyPanel(panel.length / lanes)
  addCombination(orthonormal, [panel], inverse(triangle))
  return { panel: orthonormal, triangle }
}

/** The upper triangle R of RᵀR = squares; NaN from where on that is not positive definite. */
function cholesky(squares: Panel): Panel {
  const triangle = emptyPanel(lanes)
  for (let u = 0; u < lanes; u++) {
    for (let v = u; v < lanes; v++) {
      let rest = squares[u * lanes + v]!
      for (let t = 0; t < u; t++) rest -= triangle[t * lanes + u]! * triangle[t * lanes + v]!
      triangle[u * lanes + v] = v === u ? Math.sqrt(rest) : rest / triangle[u * lanes + u]!
    }
  }
  return triangle
}

/** The inverse of an upper triangle, row by row of the identity. */
function inverse(triangle: Panel): Panel {
  const rows = identity()
  for (let at = 0; at < rows.length; at += lanes) {
    for (let v = 0; v < lanes; v++) {
      for (let u = 0; u < v; u++) rows[at + v]! -= rows[at + u]! * triangle[u * lanes + v]!
      rows[at + v]! /= triangle[v * lanes + v]!
    }
  }
  return rows
}

/** The same by Gram and Schmidt. A vector of which rounding alone is left becomes a random one, with zeros in R. */
function oneByOne(panel: Panel, lengths: readonly number[], random: () => number): Panel {
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
