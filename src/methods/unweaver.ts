import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { align } from './unweaver/align.ts'
import { contextOf } from './unweaver/context.ts'
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
        'weighted: share of all votes times (1 - rank / k0) (released code). approval, pav, chamberlin-courant: that rule, member by member; in ties the chunk of the nearer entity (our reading).',
      ),
    dedupVotes: z
      .boolean()
      .default(false)
      .describe(
        'In the weighted vote, count an entity that a chunk names twice once: the binary matrix of the paper; the released code counts it twice.',
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
        'What ranks the entities once their shares x are known: similarity times share, or share (our reading).',
      ),
    alignmentClasses: z
      .int()
      .min(1)
      .default(5)
      .describe(
        'Entities whose chunks are taken after alignment; the paper names no number: as many as r (our reading).',
      ),
    alignmentTolerance: z
      .number()
      .positive()
      .default(1e-4)
      .describe('How exactly the fair shares are found (our reading: the printed stopping rule never fires).'),
    alignmentIterations: z.int().min(1).default(5000).describe('Steps to the fair shares at most (our reading).'),
  }),
  async index(chunks, models, options) {
    const { nearest, graph, stats } = await entityIndex(chunks, models, options)
    return {
      async retrieve({ text }, budget, models) {
        const { voters, query } = await nearest(text, options.k0, models)
        const elected = () =>
          vote(
            voters.map(({ chunks }) => chunks),
            options,
          )
        const { alignment } = options
        // no entity near enough to be aligned: the vote is what is left
        const ranking =
          alignment === 'none' ? elected() : (align(voters, query, { ...options, alignment }) ?? elected())
        return contextOf(chunks, ranking, voters, options, budget)
      },
      graph,
      stats,
    }
  },
})
