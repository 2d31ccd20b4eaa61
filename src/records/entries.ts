import { z } from 'zod'
import { anyObject, count, neverInFile, number, options, row, text, variedValues, type FromJson } from './parts.ts'
import { kind } from './question.ts'
import { usage } from './usage.ts'

export const budget = z.object({ passages: count, tokens: count })

/** Limits on a context; both hold. */
export type Budget = FromJson<z.infer<typeof budget>>

export const modelRecord = z.object({
  provider: text,
  model: text,
  baseUrl: text.optional(),
  parameters: anyObject,
  /** Of an embedder: the number of tokens of a text that it reads, where it cuts longer ones. */
  readsTokens: number.optional(),
  /** Of the values that `${NAME}` stood for; absent where the record holds all there is. */
  digest: text.optional(),
  /** Per million tokens, where the config names it. */
  price: z.object({ prompt: number, completion: number, embedding: number }).optional(),
})

export type ModelRecord = FromJson<z.infer<typeof modelRecord>>

export const methodRecord = row.extend({
  /** Changes with the method's options or file. */
  id: text,
  use: text,
  options,
  /** Set for a reference row: the kind of its context. */
  context: z.enum(['none', 'unlimited', 'evidence']).optional(),
  /** Set if the method answers itself. */
  answers: z.literal('own').optional(),
  /** Set if the order of its passages is not a ranking. */
  ranks: z.literal(false).optional(),
  /** Its own budget; absent if it is that of the run. */
  budget: budget.optional(),
  /** The varied options of its variant. */
  varied: variedValues.optional(),
  /** Set for a row that the config no longer has: its lines are from an earlier run. */
  inConfig: z.literal(false).optional(),
  /** In the manifest of a series: the hash of the run that it is a row of. */
  run: neverInFile<string>(),
})

export type MethodRecord = FromJson<z.infer<typeof methodRecord>>

const verdicts = z.object({ claims: count, right: count })

const judgeTest = z.object({
  /** Digest of the claims. */
  claims: text,
  /** The number of true claims, and of those it called true; for pairs: the correct answer was shown first. */
  true: verdicts,
  false: verdicts,
  /** Claims without a verdict: the call failed, or its reply could not be read. */
  failed: count,
  /** Present where two answers were compared, each pair in both orders. */
  inOrders: z.literal(true).optional(),
  /** The only verdict that it gave, for true and false claims; absent if it gave several. */
  always: text.optional(),
  usage,
})

/** The result of testing a judge on claims with known truth, made from references. */
export type JudgeTest = FromJson<z.infer<typeof judgeTest>>

const column = z.object({
  metric: text,
  subset: text.optional(),
  label: text.optional(),
  unit: z.enum(['percent', 'number', 'count']).optional(),
  better: z.literal('none').optional(),
  shown: z.literal(false).optional(),
})

/**
 * A column of a table, of all questions where no subset is named. `percent` (default): fractions; `number`: the value
 * as it is, without a best one, for ranges beyond -1 to 1; `count`: the sum of 0 and 1 over the questions, the mean of
 * runs. `better: 'none'`: rows are never compared on it, as on ties. `shown: false`: it is shown only where it is
 * named.
 */
export type ScorerColumn = FromJson<z.infer<typeof column>>

export const scorerRecord = z.object({
  id: text,
  scorer: text,
  use: text,
  version: z.int(),
  options,
  kinds: z.array(kind),
  judge: z.boolean(),
  /** The judge of a scorer from an earlier run, if it is not the judge of the run. */
  judgedBy: modelRecord.optional(),
  /** The test of its judge; absent if no claims could be made. */
  judgeTest: judgeTest.optional(),
  /** Set if it also scores failed trials, which then do not count as failed scores. */
  failures: z.literal(true).optional(),
  ranges: z.record(text, z.tuple([number.nullable(), number.nullable()])).optional(),
  /** Its meaning in one sentence. */
  summary: text.optional(),
  /** How its numbers are made, in one sentence for the notes of a table. */
  note: text.optional(),
  /** The columns with its options. */
  columns: z.array(column),
})

export type ScorerRecord = FromJson<z.infer<typeof scorerRecord>>
