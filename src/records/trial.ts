import { z } from 'zod'
import { indexLine } from './index-line.ts'
import { byMethod, count, failure, number, text, texts, type FromJson } from './parts.ts'
import { rankedPassages, storedPassage, type ContextPassage } from './passage.ts'
import { question } from './question.ts'
import { usage } from './usage.ts'

const answer = z.object({
  text,
  choice: count.nullable().optional(),
  tied: z.literal(true).optional(),
  canned: z.literal(true).optional(),
})

/** `choice`: the 0-based option read, null for none; `tied`: others are as near; `canned`: it cost no call. */
export type Answer = FromJson<z.infer<typeof answer>>

const coverage = z.enum(['whole', 'part', 'none'])

/** How much of a piece of evidence stands somewhere, by its letters and digits. */
export type Held = z.infer<typeof coverage>

const evidencePlace = z.union([
  z.object({ absent: z.literal(true) }),
  z.object({ cut: z.literal(true).optional(), context: coverage, ranking: coverage }),
])

/** Where evidence stands. `cut`: no chunk holds it whole; `absent`: it stands in no document word for word. */
export type EvidencePlace = FromJson<z.infer<typeof evidencePlace>>

const stop = z.enum(['end', 'passages', 'tokens'])

/** What ended a context: its last passage, or a limit of the budget or of the method. */
export type Stop = z.infer<typeof stop>

const storedTrial = z
  .object({
    line: z.literal('trial'),
    id: text,
    ...byMethod,
    corpus: text,
    repeat: count,
    question,
    context: z.array(storedPassage),
    relevant: texts.optional(),
    /** The grades of these chunks, in their order; absent where all are 1. */
    grades: z.array(number).optional(),
    /** Where each piece of the question's evidence stands; absent where the question has none. */
    evidence: z.array(evidencePlace).optional(),
    /** How many passages the method was asked for. Absent where there is no limit. */
    asked: count.optional(),
    /** What it ranked after the context, to rank 50, or to the depth of the budget without answers; absent: none. */
    beyond: rankedPassages.optional(),
    stopped: stop,
    /** Absent where the trial failed; null where no answer was asked for. */
    answer: answer.nullable().optional(),
    failure: failure.optional(),
    usage: z.object({ retrieve: usage, answer: usage }),
  })
  .refine(
    (line) => (line.answer === undefined) !== (line.failure === undefined),
    'must have either "answer" or "failure"',
  )

/** A line of trials.jsonl: one question, with the texts of its passages. */
export interface TrialLine extends Omit<FromJson<z.infer<typeof storedTrial>>, 'context'> {
  readonly context: readonly ContextPassage[]
}

export const storedLine = z.discriminatedUnion('line', [indexLine, storedTrial])

/** Any line of trials.jsonl as it is in the file. */
export type StoredLine = FromJson<z.infer<typeof storedLine>>
