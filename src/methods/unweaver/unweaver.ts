import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { align } from './unweaver/align.ts'
import { contextOf, type RankedChunk } from './unweaver/context.ts'
import { entityIndex } from './unweaver/entity-index.ts'
import { entityOptions } from './unweaver/options.ts'
import { vote, votings } from './unweaver/vote.ts'

/**
 * UnWeaver: a model describes the entities of every chunk; those of one name become one entity; the entities nearest to a question
 * vote for the chunks that name them. Alignment was never released: what Appendix C leaves open is our reading.
 */
export const unweaver = defineMethod({
  name: 'unweaver',
  summary: 'Entities described by a language model; those nearest to the question vote for the chunks that name them.',
  paper: 'Tuora et al. 2026, UnWeaving the knots of GraphRAG: turns out VectorRAG is almost enough',
  options: z.strictObject({
    ...entityOptions,
    voting: z
      .enum(votings)
      .default('weighted')
      .describe(
        'weighted: share of all votes times (1 - rank / k0) (released code). approval, pav, chamberlin-courant: that rule, member by member; in ties the chunk of the nearer entity (our reading). With alignment only where no entity is near enough to be aligned.',
      ),
    dedupVotes: z
      .boolean()
      .default(false)
      .describe(
        'In the weighted vote, count an entity that a chunk names twice once: the binary matrix of the paper; the released code counts it twice. The other votes always count it once.',
      ),
    alignment: z
      .enum(['none', 'utility', 'cls'])
      .default('none')
      .describe(
        'Instead of a vote: proportional fairness, or constrained least squares (Appendix C; not released, our reading).',
      ),
    alignmentRank: z
      .enum(['gammaX', 'x'])
      .default('gammaX')
      .describe(
        'With alignment, what ranks the entities once their shares x are known: similarity times share, or share (our reading).',
      ),
    alignmentClasses: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'Entities whose chunks are taken after alignment; null takes as many as r, for the paper names no number (our reading).',
      ),
    alignmentTolerance: z
      .number()
      .positive()
      .default(1e-4)
      .describe(
        'With alignment: utility, how exactly the fair shares are found (our reading: the printed stopping rule never fires).',
      ),
    alignmentIterations: z
      .int()
      .min(1)
      .default(5000)
      .describe('With alignment: utility, steps to the fair shares at most (our reading).'),
  }),
  async index(chunks, models, options) {
    const { nearest, graph, stats, losses } = await entityIndex(chunks, models, options)
    return {
      async retrieve({ text }, budget, models) {
        const { voters, query } = await nearest(text, options.k0, models)
        const ballots = voters.map(({ chunks }) => chunks)
        const { alignment, alignmentClasses, r } = options
        const given = (ranking: readonly RankedChunk[], fallback?: string) =>
          contextOf(chunks, ranking, voters, options, budget, fallback)
        if (alignment === 'none') return given(vote(ballots, options))
        const aligned = align(voters, query, { ...options, alignment, alignmentClasses: alignmentClasses ?? r })
        return aligned
          ? given(aligned.ranking, aligned.fallback)
          : given(vote(ballots, options), 'vote: no entity is near enough to align')
      },
      graph,
      stats,
      losses,
    }
  },
})
