import { replayGolden } from '../../test-support/golden.ts'
import { fuseRankings } from '../../methods/shared/fuse-passages.ts'
import { maxSim, unitRows, type TokenRows } from '../max-sim.ts'
import { maximalMarginalRelevance } from '../../methods/mmr.ts'

replayGolden({
  'rerank.mmr': ({ query, vectors, lambda, k }: MmrCase) => {
    const chosen = maximalMarginalRelevance(
      vectors.map((vector) => cosine(query, vector)),
      (row, other) => cosine(vectors[row]!, vectors[other]!),
      { lambda, k },
    )
    return { order: chosen.map(({ index }) => index), values: chosen.map(({ value }) => value) }
  },
  'fusion.rrf': ({ rankings, k, weights = rankings.map(() => 1) }: FusionCase, { order }: { order?: unknown }) => {
    const lists = rankings.map((ranking) =>
      ranking.map((text) => ({ text, score: 0, from: [], kind: 'chunk' as const })),
    )
    const fused = fuseRankings(lists, { fusion: 'rrf', k, weights })
    return {
      scores: Object.fromEntries(fused.map(({ text, score }) => [text, score])),
      ...(order !== undefined && { order: fused.map(({ text }) => text) }),
    }
  },
  'late_interaction.maxsim': ({ query, documents, normalize }: MaxSimCase, { order }: { order?: unknown }) => {
    const rowsOf = (vectors: readonly (readonly number[])[]): TokenRows => {
      const data = Float64Array.from(vectors.flat())
      const columns = vectors[0]!.length
      return normalize ? unitRows(vectors, data) : { data, rows: vectors.length, columns }
    }
    const scores = documents.map((document) => maxSim(rowsOf(query), rowsOf(document)))
    const places = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!)
    return { scores, ...(order !== undefined && { order: places }) }
  },
})

const product = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0)
const cosine = (a: readonly number[], b: readonly number[]) => product(a, b) / Math.sqrt(product(a, a) * product(b, b))

interface MmrCase {
  readonly query: readonly number[]
  readonly vectors: readonly (readonly number[])[]
  readonly lambda: number
  readonly k: number
}

interface MaxSimCase {
  readonly query: readonly (readonly number[])[]
  readonly documents: readonly (readonly (readonly number[])[])[]
  readonly normalize: boolean
}

interface FusionCase {
  readonly rankings: readonly (readonly string[])[]
  readonly k: number
  readonly weights?: readonly number[]
}
