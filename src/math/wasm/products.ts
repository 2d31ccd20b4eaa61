import { lanes } from './kernels.ts'
import { wasmProducts } from './wasm-matrix.ts'
import { kernelWorkspace } from './kernel-workspace.ts'
import type { Rows, Panel } from './panel.ts'

/** A panel of zeros for vectors of length `n`. */
export const emptyPanel = (n: number): Panel => new Float64Array(n * lanes)

/** Mᵀ X for every panel X of as many rows as M; one pass over M. */
export function transposeTimes(matrix: Rows, panels: readonly Panel[]): Panel[] {
  checkLengths(panels, matrix.rows)
  const inWasm = wasmProducts(matrix)
  if (inWasm) return panels.map(inWasm.gather)
  const { short, parts, write, run } = kernelWorkspace(matrix, panels.length)
  short.fill(0)
  for (const part of parts()) {
    panels.forEach((panel, index) => {
      write(part, panel)
      run('gather', part, index)
    })
  }
  const size = matrix.columns * lanes
  return panels.map((_, index) => short.slice(index * size, (index + 1) * size))
}

/** Adds M U to the panel of the same place for every panel U of as many rows as M has columns; one pass over M. */
export function addTimes(matrix: Rows, panels: readonly Panel[], into: readonly Panel[]): void {
  checkLengths(panels, matrix.columns)
  checkLengths(into, matrix.rows)
  const inWasm = wasmProducts(matrix)
  if (inWasm) {
    panels.forEach((panel, index) => {
      inWasm.spread(panel, into[index]!)
    })
    return
  }
  const { short, parts, write, run, read } = kernelWorkspace(matrix, panels.length)
  panels.forEach((panel, index) => {
    short.set(panel, index * panel.length)
  })
  for (const part of parts()) {
    into.forEach((panel, index) => {
      write(part, panel)
      run('spread', part, index)
      read(part, panel)
    })
  }
}

/** The kernels' memory holds what earlier products left: a short panel would read it. */
function checkLengths(panels: readonly Panel[], n: number): void {
  for (const { length } of panels) {
    if (length !== n * lanes) throw new RangeError(`a panel of ${length} numbers where ${n * lanes} are multiplied`)
  }
}
