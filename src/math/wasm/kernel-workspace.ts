import { compile, kernels, lanes, memoryOf, page } from './kernels.ts'
import type { Panel, Rows } from './panel.ts'

/** Rows of the matrix that are multiplied together. */
interface Part {
  readonly from: number
  readonly to: number
}

/** What is worked on at a time: small enough for a second-level cache, beside the short panels. */
const partBytes = 2 ** 17
const partRows = 2048

/** One instance for all: nothing in its memory outlives a product. */
let machine: ReturnType<typeof build> | undefined

function build() {
  const memory = memoryOf(0, false)
  return { memory, run: kernels(compile(false), memory) }
}

/**
 * Room in the kernels' memory for a part of one long panel, for `count` short panels, and for a part of the matrix. `parts` loads part
 * after part; what fills up the last to a multiple of four rows is 0.
 */
export function kernelWorkspace(matrix: Rows, count: number) {
  const { data, columns, stride = columns } = matrix
  const bits = data instanceof Float32Array ? 32 : 64
  const rowBytes = stride * (bits / 8)
  const height = Math.min(partRows, lanes * Math.max(1, Math.floor(partBytes / (rowBytes * lanes || 1))))
  const shortAt = height * lanes * 8
  const panelBytes = columns * lanes * 8
  const matrixAt = shortAt + count * panelBytes
  const { memory, run } = (machine ??= build())
  const missing = matrixAt + height * rowBytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / page))
  const { buffer } = memory
  const long = new Float64Array(buffer, 0, height * lanes)
  const short = new Float64Array(buffer, shortAt, count * columns * lanes)
  const copy = new (bits === 32 ? Float32Array : Float64Array)(buffer, matrixAt, height * stride)

  function* parts(): Generator<Part> {
    // the kernels go round at least once
    if (columns === 0) return
    for (let from = 0; from < matrix.rows; from += height) {
      const to = Math.min(from + height, matrix.rows)
      copy.set(data.subarray(from * stride, to * stride))
      copy.fill(0, (to - from) * stride, filledUp(to - from) * stride)
      yield { from, to }
    }
  }
  return {
    short,
    parts,
    write: ({ from, to }: Part, panel: Panel): void => {
      long.set(panel.subarray(from * lanes, to * lanes))
      long.fill(0, (to - from) * lanes, filledUp(to - from) * lanes)
    },
    run: (kernel: 'gather' | 'spread', { from, to }: Part, index: number): void => {
      run[`${kernel}${bits}`](matrixAt, rowBytes, filledUp(to - from), columns, 0, shortAt + index * panelBytes)
    },
    read: ({ from, to }: Part, panel: Panel): void => {
      panel.set(long.subarray(0, (to - from) * lanes), from * lanes)
    },
  }
}

const filledUp = (rows: number): number => lanes * Math.ceil(rows / lanes)
