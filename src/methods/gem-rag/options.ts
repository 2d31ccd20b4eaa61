import { z } from 'zod'
import { choice, wholeNumber } from '../shared/options.ts'

const reading = '(our reading)'

/** Number of chunks per theme, e (our reading: the paper is silent). */
export const nodesPerTheme = 5

/**
 * Maximum length of a summary, in tokens of the run's tokenizer: the prompt requests it, and a longer reply is cut
 * after the last whole sentence (inferred: four nodes fill the 400 tokens of section IV; the cut is our reading).
 */
export const summaryTokens = 100

/** Options of GEM-RAG; names follow the specification. */
export const gemOptions = z.strictObject({
  questions: z
    .int()
    .min(0)
    .max(100)
    .default(5)
    .describe(
      'Number of utility questions per chunk, m; 0: the chunk itself is matched (section IV; Fig. 2 varies it)',
    ),
  questionPool: z
    .union([z.enum(['shared', 'separate']), z.int().min(1).max(100)])
    .default('shared')
    .describe(
      `Utility questions requested of a chunk, of which the first m are taken. shared: the largest varied m, so that variants differ in nothing else; separate: m; a number: for rows that share it ${reading}`,
    ),
  components: wholeNumber(
    0,
    2,
    'Number of eigencomponents, k, with one summary node each; the first is always that of the most central chunks (section IV; Fig. 2 varies it)',
  ),
  clustering: choice(
    ['spectral', 'kmeans'],
    `kmeans: themes are the chunks nearest the centres of k clusters; the paper reports this row without details ${reading}`,
  ),
  mode: choice(
    ['algorithm-1', 'best-first', 'best-first-by-prompt'],
    'Algorithm 1, or the best-first search of the text by edge weight or by similarity with the prompt',
  ),
  scope: choice(
    ['auto', 'document', 'corpus'],
    'One memory graph per document (inferred from the paper), or one for the corpus. auto: corpus where at least half of several documents have up to 5 chunks, else document (our reading).',
  ),
})

export type GemOptions = z.output<typeof gemOptions>
