import { emptyPanel, lanes, type Panel } from '../kernels.ts'

/** An orthonormal basis of R^n that grows by blocks of four vectors. */
export interface Basis {
  readonly size: number
  /**
   * Orthonormalises a block against the basis and adds it; dependent vectors become random ones. `coefficients`: the
   * block's coordinates in the grown basis.
   */
  append(panel: Panel): { readonly block: Panel; readonly coefficients: Panel }
  /** Linear combinations of the first vectors. */
  combine(coefficients: readonly Panel[]): Panel[]
  /** Replaces the basis by orthonormal panels. */
  restart(panels: readonly Panel[]): void
}

/** A remainder this small, relative to the vector, is rounding. */
const vanishingShare = 1e-12
/** A vector shorter than this after a round needs another round of orthogonalisation. */
const secure = 0.5
const rounds = 6

/** An empty basis for up to `capacity` vectors. Throws RangeError when full. */
export function basisOf(n: number, capacity: number, random: () => number): Basis {
  const blocks: Panel[] = []

  function store(panel: Panel): void {
    if (lanes * (blocks.length + 1) > capacity) throw new RangeError(`a basis for ${capacity} vectors is full`)
    blocks.push(panel)
  }

  /** Block Gram–Schmidt: removes the panel's projection on the basis and returns its coefficients. */
  function project(panel: Panel): Panel {
    const along = emptyPanel(lanes * blocks.length)
    for (const [index, vectors] of blocks.entries()) along.set(innerProducts(vectors, panel), index * lanes * lanes)
    addCombination(
      panel,
      blocks,
      along.map((value) => -value),
    )
    return along
  }

  return {
    get size() {
      return lanes * blocks.length
    },
    append(panel) {
      const block = panel.slice()
      const size = lanes * blocks.length
      const coefficients = emptyPanel(size + lanes)
      let within = identity()
      for (let round = 0; round < rounds; round++) {
        const projection = project(block)
        addProduct(projection, within, coefficients)
        const triangle = orthonormalise(block, projection, random)
        within = product(triangle, within)
        if (round > 0 && shortest(triangle) > secure) break
      }
      coefficients.set(within, size * lanes)
      store(block)
      return { block, coefficients }
    },
    combine: (coefficients) =>
      coefficients.map((panel) => {
        const combination = emptyPanel(n)
        addCombination(combination, blocks, panel)
        return combination
      }),
    restart(panels) {
      blocks.length = 0
      for (const panel of panels) store(panel)
    },
  }
}

/** The inner products of four vectors with four others: four rows of four. */
function innerProducts(panelA: Panel, panelB: Panel): Panel {
  const sums = emptyPanel(lanes)
  for (let u = 0; u < lanes; u++) {
    let s0 = 0
    let s1 = 0
    let s2 = 0
    let s3 = 0
    for (let at = 0; at < panelA.length; at += lanes) {
      const value = panelA[at + u]!
      s0 += value * panelB[at]!
      s1 += value * panelB[at + 1]!
      s2 += value * panelB[at + 2]!
      s3 += value * panelB[at + 3]!
    }
    sums.set([s0, s1, s2, s3], u * lanes)
  }
  return sums
}

/** Adds linear combinations of the vectors to a panel. */
function addCombination(panel: Panel, vectors: readonly Panel[], coefficients: Panel): void {
  for (let index = 0; (index + 1) * lanes * lanes <= coefficients.length; index++) {
    const from = vectors[index]!
    const square = coefficients.subarray(index * lanes * lanes, (index + 1) * lanes * lanes)
    for (let v = 0; v < lanes; v++) {
      const c0 = square[v]!
      const c1 = square[lanes + v]!
      const c2 = square[2 * lanes + v]!
      const c3 = square[3 * lanes + v]!
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

/**
 * QR of a block by Gram–Schmidt, in place; returns R. A vector that vanishes to rounding becomes random, with zeros in
 * R. `projection`: coefficients removed before.
 */
function orthonormalise(panel: Panel, projection: Panel, random: () => number): Panel {
  const triangle = emptyPanel(lanes)
  const lengths = Array.from({ length: lanes }, (_, v) => Math.sqrt(inner(panel, v, v) + inner(projection, v, v)))
  for (let v = 0; v < lanes; v++) {
    for (let u = 0; u < v; u++) triangle[u * lanes + v] = takeOff(panel, u, v)
    const remainder = Math.sqrt(inner(panel, v, v))
    if (remainder > vanishingShare * lengths[v]!) {
      triangle[v * lanes + v] = remainder
    } else {
      for (let at = v; at < panel.length; at += lanes) panel[at] = random() - 0.5
      for (let u = 0; u < v; u++) takeOff(panel, u, v)
    }
    const length = Math.sqrt(inner(panel, v, v))
    for (let at = v; at < panel.length; at += lanes) panel[at]! /= length
  }
  return triangle
}

/** Removes the component of vector v along unit vector u; returns its length. */
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
