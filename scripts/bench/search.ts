import { z } from 'zod'
import { mulberry32 } from '../../src/math/random.ts'
import { topK, topKOfEach, type Matrix } from '../../src/math/vectors.ts'
import { comparedRow, ourThreads } from './pairs.ts'
import type { BenchRow } from './row.ts'

const [rows, columns, k] = [50_000, 384, 10]

/** Threads that the comparator has: its best number is another for each. */
const sides = [
  { task: 'usearch', threads: 1 },
  { task: 'usearch', threads: 2 },
  { task: 'faiss', threads: 1 },
  { task: 'faiss', threads: 2 },
]

/** Exact search as methods use it, one question at a time and many at once. */
export async function* searchBench(): AsyncGenerator<BenchRow> {
  const random = mulberry32(42)
  const vectors = (count: number) => Float32Array.from({ length: count * columns }, () => random() - 0.5)
  const matrix: Matrix = { data: vectors(rows), rows, columns }
  const data = vectors(64)
  const queries = Array.from({ length: 64 }, (_, row) => data.subarray(row * columns, (row + 1) * columns))
  for (const [count, name] of [
    [16, '16 questions, one after the other'],
    [64, '64 questions at once'],
  ] as const) {
    const alone = count < queries.length
    const asked = queries.slice(0, count)
    let found = asked.map((query) => topK(query, matrix, k))
    for (const { task, threads } of sides) {
      yield await comparedRow({
        name: `exact top-${k} over ${rows.toLocaleString('en-US')} x ${columns}, ${name}, beside ${task} on ${threads}`,
        about: `8 bits, and float64 for what these leave, ${ourThreads}`,
        work: () => (found = alone ? asked.map((query) => topK(query, matrix, k)) : topKOfEach(asked, matrix, k)),
        comparator: {
          ...{ script: 'search-exact.py', task, threads, result: z.array(z.array(z.number())) },
          given: { k, alone, rows, columns, queries: count },
          data: { rows: matrix.data, queries: data.subarray(0, count * columns) },
        },
        check: (theirs) => {
          const right = found.every((hits, q) => hits.every(({ index }) => theirs[q]?.includes(index)))
          return { right, said: right ? 'the same rows' : 'OTHER ROWS' }
        },
      })
    }
  }
}
