import { lanes } from '../wasm/kernels.ts'
import { growingMatrix, type GrowingMatrix } from '../wasm/growing-matrix.ts'
import type { Panel } from '../wasm/panel.ts'
import { emptyPanel } from '../wasm/products.ts'

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
  const vectors = growingMatrix(n, capacity)
  let size = 0

  function store(): void {
    if (size + lanes > capacity) throw new RangeError(`a basis for ${capacity} vectors is full`)
    vectors.place(size)
    size += lanes
  }

  /** Block Gram and Schmidt: takes the part along the basis off the panel and returns its coefficients. */
  function project(): Panel {
    const along = vectors.gather(size)
    vectors.spread(along.map((value) => -value))
    return along
  }

  return {
    get size() {
      return size
    },
    append(panel) {
      vectors.panel.set(panel)
      const coefficients = emptyPanel(size + lanes)
      let within = identity()
      for (let round = 0; round < rounds; round++) {
        const taken = project()
        addProduct(taken, within, coefficients)
        const triangle = orthonormalize(vectors, taken, random)
        within = product(triangle, within)
        if (round > 0 && shortest(triangle) > secure) break
      }
      coefficients.set(within, size * lanes)
      store()
      return { added: vectors.panel.slice(), coefficients }
    },
    combine: (coefficients) =>
      coefficients.map((panel) => {
        vectors.panel.fill(0)
        vectors.spread(panel)
        return vectors.panel.slice()
      }),
    restart(panels) {
      size = 0
      for (const panel of panels) {
        vectors.panel.set(panel)
        store()
      }
    },
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
 * Makes the four vectors of the panel orthonormal and returns R of panel = Q R, the root of their inner products (Cholesky QR: two trips
 * through the panel). Where they are nearly dependent, one after the other. `taken` is what was taken off them before.
 */
function orthonormalize(vectors: GrowingMatrix, taken: Panel, random: () => number): Panel {
  const squares = vectors.squares()
  const lengths = Array.from({ length: lanes }, (_, v) => Math.sqrt(squares[v * lanes + v]! + inner(taken, v, v)))
  const triangle = cholesky(squares)
  for (let v = 0; v < lanes; v++) {
    const left = triangle[v * lanes + v]!
    const whole = Math.sqrt(squares[v * lanes + v]!)
    if (!(left > independent * whole && left > vanished * lengths[v]!)) return oneByOne(vectors.panel, lengths, random)
  }
  vectors.multiply(inverse(triangle))
  return triangle
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

/** The same by Gram and Schmidt. A vector of which nothing is left but the rounding of its former length is replaced by a random one, with zeros in R. */
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
