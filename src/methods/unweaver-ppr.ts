import { z } from 'zod'
import { itemAt, countEach } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { buildGraph } from '../math/graph.ts'
import { pagerankSolver } from '../math/pagerank.ts'
import { highest } from '../math/highest.ts'
import { extractEntities, shortenDescription } from '../tasks/entities.ts'
import { roundScores } from './shared/scores.ts'
import { entityOptions, nearestEntities, sharedEntityIndex, type Entity, contextOf } from './unweaver/entity-index.ts'

/** Probability of following an edge instead of restarting (our reading: as in HippoRAG). */
const damping = 0.5

/**
 * UnWeaverPPR, our reading throughout: the paper only says that personalised PageRank from the retrieved entities
 * replaces the vote. The graph is bipartite: entities and the chunks that name them. The index is that of `unweaver`.
 */
export const unweaverPpr = defineMethod({
  name: 'unweaver-ppr',
  summary: 'The entities of unweaver; personalised PageRank from those nearest to the question ranks chunks.',
  paper: 'Tuora et al. 2026, UnWeaving the knots of GraphRAG: turns out VectorRAG is almost enough',
  tasks: [extractEntities, shortenDescription],
  options: z.strictObject(entityOptions),
  prepares: sharedEntityIndex,
  async index(chunks, models, options, sharedIndex) {
    const entityIndex = sharedIndex ?? (await sharedEntityIndex.make(chunks, models, options))
    const { entities, graph, stats, warnings } = entityIndex
    const walk = pagerankSolver(bipartite(chunks.length, entities), { damping })
    return {
      nested: true,
      async retrieve({ text }, budget, models) {
        const { voters } = await entityIndex.nearest(text, models)
        if (voters.length === 0) return []
        const cosines = voters.map(({ similarity }) => Math.max(0, similarity))
        const near = cosines.some((cosine) => cosine > 0)
        const seeds = near ? cosines : voters.map((_, rank) => 1 - rank / nearestEntities)
        const reset = new Float64Array(chunks.length + entities.length)
        for (const [rank, { row }] of voters.entries()) reset[chunks.length + row] = itemAt(seeds, rank)
        const { scores, iterations } = walk(reset)
        const why = { seeds: near ? 'cosine' : 'rank', iterations }
        const chunkScores = roundScores(scores.subarray(0, chunks.length))
        const best = highest(chunkScores, options.topK ?? budget.passages)
        const ranking = best.flatMap(({ index, score }) => (score > 0 ? [{ chunk: index, score, why }] : []))
        const fallback = near ? undefined : 'seeds by rank: no entity is near the question'
        return contextOf(chunks, ranking, voters, options, budget, fallback)
      },
      graph,
      stats,
      warnings,
    }
  },
})

/** Chunks are the first nodes, entities the ones after. */
function bipartite(chunks: number, entities: readonly Entity[]) {
  const edges = entities.flatMap((entity, row) => {
    const counts = countEach(entity.chunks)
    return Array.from(counts, ([chunk, times]) => ({ row, chunk, times }))
  })
  return buildGraph(chunks + entities.length, {
    from: edges.map(({ row }) => chunks + row),
    to: edges.map(({ chunk }) => chunk),
    weight: edges.map(({ times }) => times),
  })
}
