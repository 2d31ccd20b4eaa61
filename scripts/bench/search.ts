import { z } from 'zod'
import { mulberry32 } from '../../src/math/random.ts'
import { topK, topKForQueries, type Matrix } from '../../src/math/vectors.ts'
import { comparedRow, ourThreads } from './pairs.ts'
import { type BenchRow, best, small } from './row.ts'
import { similarityFactors } from '../../src/math/spectrum/factors.ts'
import { bestQuestion, recaller } from '../../src/methods/gem-rag/recall.ts'
import type { GemNode } from '../../src/methods/gem-rag/memory.ts'
const [rows, columns, k] = [small ? 500 : 50_000, 384, 10]

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
    const requests = queries.slice(0, count)
    let results = requests.map((query) => topK(query, matrix, k))
    for (const { task, threads } of sides) {
      yield await comparedRow({
        name: `exact top-${k} over ${rows.toLocaleString('en-US')} x ${columns}, ${name}, beside ${task} on ${threads}`,
        about: `8 bits, and float64 for what these leave, ${ourThreads}`,
        work: () =>
          (results = alone ? requests.map((query) => topK(query, matrix, k)) : topKForQueries(requests, matrix, k)),
        comparator: {
          script: 'search-exact.py',
          task,
          threads,
          result: z.array(z.array(z.number())),
          given: { k, alone, rows, columns, queries: count },
          data: { rows: matrix.data, queries: data.subarray(0, count * columns) },
        },
        check: (theirs) => {
          const right = results.every((hits, q) => hits.every(({ index }) => theirs[q]?.includes(index)))
          return { right, note: right ? 'the same rows' : 'OTHER ROWS' }
        },
      })
    }
  }
  yield* await recallBench()
}

const [size, dimensions, questions, count] = [small ? 50 : 5000, small ? 16 : 1536, 5, 4]

/** One question to a GEM of 5,000 nodes with five questions each, against a look at every question. */
async function recallBench(): Promise<readonly BenchRow[]> {
  const random = mulberry32(42)
  const unit = (): Float32Array => {
    const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5)
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
    return vector.map((value) => value / length)
  }
  const question = (raw: Float32Array) => ({ text: '', raw, asDocument: raw })
  const nodes = Array.from({ length: size }, (_, index): GemNode => ({
    kind: 'chunk',
    text: '',
    from: [String(index)],
    echoes: 0,
    vector: unit(),
    questions: Array.from({ length: questions }, () => question(unit())),
  }))
  const prompt = unit()
  const recall = recaller([{ nodes, factors: () => similarityFactors([], []) }], 'algorithm-1')
  recall(prompt, count)
  const duration = await best(9, () => recall(prompt, count))
  const plainly = () =>
    nodes
      .map((node, index) => ({ node: index, score: bestQuestion(node, prompt, 'averaged').similarity }))
      .sort((a, b) => b.score - a.score)
      .slice(0, count)
  const plain = await best(3, plainly)
  const results = recall(prompt, count)
  const equal = plainly().every(
    ({ node, score }, rank) => results[rank]?.node === node && results[rank].score === score,
  )
  return [
    {
      name: `GEM-RAG recall of ${size.toLocaleString('en-US')} nodes x ${dimensions}, ${questions} questions each`,
      figure: `${(duration * 1000).toFixed(0)} ms`,
      goal: '< 30 ms, same scores',
      met: duration < 0.03 && equal,
      note: `${equal ? 'the same nodes and scores' : 'OTHER NODES OR SCORES'} as a look at every question, which takes ${(plain * 1000).toFixed(0)} ms`,
    },
  ]
}
