import { z } from 'zod'
import { anyObject, byMethod, count, counts, failure, flatData, number, text, texts, type FromJson } from './parts.ts'
import { rankedPassages, storedPassage, type ContextPassage } from './passage.ts'
import { question } from './question.ts'
import { usage } from './usage.ts'

const graphHealth = z.object({
  nodes: count,
  /** Pairs of two nodes with an edge, in whichever direction, those that are too weak to be drawn among them. */
  edges: count,
  /** Connected components, and the nodes of the largest one; null where weak edges are not drawn. */
  components: count.nullable(),
  largest: count.nullable(),
})

/** Counts of the graph of an index. */
export type GraphHealth = FromJson<z.infer<typeof graphHealth>>

export const indexLine = z.object({
  line: z.literal('index'),
  id: text,
  ...byMethod,
  corpus: text,
  /** The later repeat that it was built for. */
  repeat: count.optional(),
  /** Statistics of the index. */
  stats: flatData.optional(),
  /** Counted losses of the index, without zeros. */
  warnings: counts.optional(),
  documents: count,
  chunks: count,
  usage,
  /** Of an index with a graph. */
  graph: graphHealth.optional(),
  /** The first texts that could not be embedded, each with the reason; absent where there is none. */
  unembedded: texts.optional(),
  failure: failure.optional(),
})

/** A line of trials.jsonl: an index and its usage. */
export type IndexLine = FromJson<z.infer<typeof indexLine>>

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

export const scoreLine = z
  .object({
    trial: text,
    /** Id of the question, and of its cluster where it has one. */
    question: text,
    cluster: text.optional(),
    ...byMethod,
    repeat: count,
    scorer: text,
    /** Which version and options made the numbers. */
    scorerId: text,
    run: count,
    /** Digest of the references or other rows' answers that the numbers were made with, where there are such. */
    against: text.optional(),
    subsets: texts,
    metrics: z.record(text, number).optional(),
    parts: anyObject.optional(),
    skipped: text.optional(),
    failure: failure.optional(),
    usage,
  })
  .refine(
    ({ metrics, skipped, failure: failed }) =>
      [metrics, skipped, failed].filter((outcome) => outcome !== undefined).length === 1,
    'must have one of "metrics", "skipped" and "failure"',
  )

/** A line of scores.jsonl: numbers for one trial in one judge run, or `skipped`, or `failure`. */
export type ScoreLine = FromJson<z.infer<typeof scoreLine>>
