import { z } from 'zod'
import { choice, flag, optionalFile, optionalLimit, ungroundedOption, wholeNumber } from '../shared/options.ts'

/** Probability of following an edge instead of restarting (both papers; the code of version 1 has 0.1). */
export const damping = 0.5

/**
 * Options of both versions. Passages are the run's chunks; the papers' datasets come in passages (`chunks: {by:
 * none}`).
 */
const graphOptions = {
  openie: optionalFile(
    'A file of OpenIE results in the JSON format of HippoRAG, relative to the config: all its facts are kept, and chunks without any are counted; null: the model of the run extracts.',
  ),
  ungrounded: ungroundedOption,
  qaTopK: optionalLimit(
    'Maximum passages of a context; null: as many as the budget has (our reading; the released code takes 5).',
  ),
  padding: flag(
    'Whether passages that the walk does not reach fill up a context (released code). By default they are left out and counted (our reading).',
  ),
  normalise: choice(
    ['ascii', 'unicode'],
    'Letters and digits kept in phrases: A-Z and 0-9 (released code), or those of every script (our reading).',
  ),
}

/** Options of version 1. */
export const hipporagOptions = z.strictObject(graphOptions)

/** Options of version 2. */
export const hipporag2Options = z.strictObject({
  ...graphOptions,
  filter: choice(
    ['llm', 'none'],
    'Whether the model chooses among the linked facts, or all are kept (the ablation of the paper).',
  ),
  filterTokens: wholeNumber(
    1,
    512,
    'With filter: llm, maximum tokens of its reply, reasoning included (released code); a model that reasons before it replies needs more.',
  ),
  passageNodeWeight: z
    .number()
    .min(0)
    .default(0.05)
    .describe(
      'Factor of the restart weight of a passage, which is its similarity with the question, relative to the phrases (paper).',
    ),
})
