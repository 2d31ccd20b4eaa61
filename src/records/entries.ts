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
  /** What makes it a reference row. */
  context: z.enum(['none', 'unlimited', 'evidence']).optional(),
  /** It answers itself in place of the run's answerer. */
  answers: z.literal('own').optional(),
  /** The order of its passages means nothing. */
  ranks: z.literal(false).optional(),
  /** Its own budget; absent where it has that of the run. */
  budget: budget.optional(),
  /** The options of its variant; absent where nothing is varied. */
  varied: variedValues.optional(),
  /** Present where the config has no such row any more: its lines are of an earlier run in the folder. */
  inConfig: z.literal(false).optional(),
  /** In the manifest of a series: the hash of the run that it is a row of. */
  run: neverInFile<string>(),
})

export type MethodRecord = FromJson<z.infer<typeof methodRecord>>

export const replacedRow = methodRecord.pick({
  method: true,
  variant: true,
  id: true,
  use: true,
  options: true,
  run: true,
})

/** A row whose lines are in the folder and not in its table. */
export type ReplacedRow = FromJson<z.infer<typeof replacedRow>>

const verdicts = z.object({ claims: count, right: count })

const judgeTest = z.object({
  /** Digest of the claims. */
  claims: text,
  /** Claims that are true, and those of them that it called so; of two answers: the right one was shown first. */
  true: verdicts,
  false: verdicts,
  /** Claims without a verdict: the call failed, or its reply could not be read. */
  failed: count,
  /** Present where two answers were compared, each pair in both orders. */
  inOrders: z.literal(true).optional(),
  /** The verdict that it gave throughout, of true and of false claims; absent where it gave several. */
  always: text.optional(),
  usage,
})

/** A judge on claims whose truth is known from the references of the dataset, before it scored. */
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
  /** The model that judged, where it is not the run's judge: a scorer of an earlier run in the folder. */
  judgedBy: modelRecord.optional(),
  /** What its judge said of claims whose truth is known; absent where none could be made. */
  judgeTest: judgeTest.optional(),
  /** Present where it scores trials that failed, too: they are not counted as failed scores of it. */
  failures: z.literal(true).optional(),
  ranges: z.record(text, z.tuple([number.nullable(), number.nullable()])).optional(),
  /** Whether its first column ranks the rows. */
  ranks: z.literal(true).optional(),
  /** What it says, in one sentence. */
  summary: text.optional(),
  /** How its numbers are made, in one sentence for the notes of a table. */
  note: text.optional(),
  /** Those of its options. */
  columns: z.array(column),
})

export type ScorerRecord = FromJson<z.infer<typeof scorerRecord>>
