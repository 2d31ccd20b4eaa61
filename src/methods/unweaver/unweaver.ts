import { z } from 'zod'
import { defineMethod } from '../../define.ts'
import { extractEntities } from '../../tasks/entities/extract-entities.ts'
import { shortenDescription } from '../../tasks/entities/shorten-description.ts'
import { align } from './align.ts'
import { contextOf, type RankedChunk } from './context.ts'
import { sharedEntityIndex } from './entity-index.ts'
import { entityOptions } from './options.ts'
import { vote, votings } from './vote.ts'
import { entityCalls, entityCosts } from './costs.ts'

/**
 * UnWeaver: a model describes the entities of every chunk; those of one name become one entity; the entities nearest to a question
 * vote for the chunks that name them. Alignment was never released: what Appendix C leaves open is our reading.
 */
export const unweaver = defineMethod({
  name: 'unweaver',
  summary:
    'A language model describes entities; the entities nearest to the question vote for the chunks that mention them.',
  paper: 'Tuora et al. 2026, UnWeaving the knots of GraphRAG: turns out VectorRAG is almost enough',
  tasks: [extractEntities, shortenDescription],
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
        'Ranking instead of a vote: by proportional fairness, or by constrained least squares (Appendix C; not released, our reading).',
      ),
    alignmentRank: z
      .enum(['gammaX', 'x'])
      .default('gammaX')
      .describe(
        'With alignment: what entities are ranked by, given their shares x: similarity times share, or share (our reading).',
      ),
    alignmentBudget: z
      .union([z.number().positive(), z.literal('tokens')])
      .default(1)
      .describe(
        'With alignment, what every chunk has to share out (the budget vector f): the same number for all, or tokens: its length over the mean length of the chunks in question (our reading: the paper leaves f open).',
      ),
    alignmentClasses: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'Entities whose chunks are taken after alignment; null takes as many as chunks are sought (r), for the paper names no number (our reading).',
      ),
    alignmentTolerance: z
      .number()
      .positive()
      .default(1e-4)
      .describe(
        'With alignment: utility, tolerance of the fair shares (our reading: the printed stopping rule never applies).',
      ),
    alignmentIterations: z
      .int()
      .min(1)
      .default(5000)
      .describe('With alignment: utility, largest number of iterations (our reading).'),
  }),
  prepares: sharedEntityIndex,
  costs: entityCosts,
  paperCalls: entityCalls,
  async index(chunks, models, options, prepared) {
    const lengths = chunks.map(({ tokens }) => tokens)
    const { nearest, graph, stats, warnings } = prepared ?? (await sharedEntityIndex.make(chunks, models, options))
    return {
      async retrieve({ text }, budget, models) {
        const { voters, query } = await nearest(text, options.k0, models)
        const ballots = voters.map(({ chunks }) => chunks)
        const { alignment, alignmentClasses } = options
        const r = options.r ?? budget.passages
        const given = (ranking: readonly RankedChunk[], fallback?: string) =>
          contextOf(chunks, ranking, voters, options, budget, fallback)
        if (alignment === 'none') return given(vote(ballots, { ...options, r }))
        const classes = { ...options, alignment, alignmentClasses: alignmentClasses ?? r }
        const aligned = align(voters, query, classes, lengths)
        return aligned
          ? given(aligned.ranking, aligned.fallback)
          : given(vote(ballots, { ...options, r }), 'vote: no entity is near enough to align')
      },
      graph,
      stats,
      warnings,
    }
  },
})
