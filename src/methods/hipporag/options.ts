import { z } from 'zod'
import { fileOption } from '../../define.ts'

/** What both versions share. Passages are the chunks of the run: the papers take them as given, which is `chunks: {by: none}`. */
const graphOptions = {
  openie: fileOption(
    z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'A file of OpenIE results in the JSON that HippoRAG publishes, seen from the config: no model is asked then; null asks the model of the run.',
      ),
  ),
  qaTopK: z
    .int()
    .min(1)
    .default(5)
    .describe(
      'Passages of a context at most (released code). Its one-shot answer prompt and its loop of thoughts and retrievals (IRCoT, off in the main runs) are not here: every method shares one prompt.',
    ),
  damping: z
    .number()
    .min(0)
    .lt(1)
    .default(0.5)
    .describe('The chance to follow an edge rather than to start again (both papers; the code of version 1 says 0.1).'),
  synonymThreshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe('Cosine from which two phrases are synonyms (both papers).'),
  synonymK: z
    .int()
    .min(1)
    .default(2047)
    .describe('Nearest phrases looked at for synonyms, the phrase itself among them (released code).'),
  maxSynonyms: z.int().min(0).default(101).describe('Synonyms of a phrase at most (released code).'),
  synonymMode: z
    .enum(['overwrite', 'add'])
    .default('overwrite')
    .describe(
      'What a synonym does to a relation of the same two phrases: take its place (released code) or add to it.',
    ),
  relationWeight: z
    .union([z.literal(1), z.literal(2)])
    .default(2)
    .describe(
      'Weight of a triple between its subject and object: 2, as the parallel edges of the released code, or 1.',
    ),
  normalize: z
    .enum(['ascii', 'unicode'])
    .default('ascii')
    .describe(
      'Letters and digits that stay in phrases: A-Z and 0-9 (released code; other scripts vanish), or those of every script (our reading).',
    ),
}

/** Options of version 1. */
export const hipporagOptions = z.strictObject({
  ...graphOptions,
  nodeSpecificity: z
    .boolean()
    .default(true)
    .describe('Start from a phrase with 1 over the number of passages that hold it, instead of 1 (paper).'),
  ensemble: z
    .boolean()
    .default(false)
    .describe(
      'Where the entities are linked badly, average with dense retrieval (released code; off in the main runs).',
    ),
  ensembleThreshold: z
    .number()
    .default(0.9)
    .describe('With ensemble, the lowest cosine of a linked entity above which it is not used (released code).'),
})

/** Options of version 2. */
export const hipporag2Options = z.strictObject({
  ...graphOptions,
  linkingTopK: z.int().min(1).default(5).describe('Facts nearest to the question that are linked (released code).'),
  filter: z
    .enum(['llm', 'none'])
    .default('llm')
    .describe('Whether the model chooses among the linked facts, or all are kept (the ablation of the paper).'),
  filterMaxFacts: z
    .int()
    .min(1)
    .default(4)
    .describe('With filter: llm, facts that it keeps at most, as its prompt says (paper).'),
  filterTokens: z
    .int()
    .min(1)
    .default(512)
    .describe('With filter: llm, tokens of its reply at most, reasoning included (released code).'),
  topPhrases: z
    .int()
    .min(1)
    .default(5)
    .describe('Phrases of the kept facts that the walk starts from (released code).'),
  passageNodeWeight: z
    .number()
    .min(0)
    .default(0.05)
    .describe('What a passage starts with for its own nearness to the question, beside the phrases (paper).'),
  retrievalTopK: z
    .int()
    .min(1)
    .default(200)
    .describe(
      'Passages that are ranked at most (released code); a context takes qaTopK of them, so that only a smaller number changes it.',
    ),
})
