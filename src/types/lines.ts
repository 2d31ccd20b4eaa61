import type {
  Answer,
  ContextPassage,
  EvidencePlace,
  GraphHealth,
  IndexStats,
  Phase,
  Question,
  RankedPassage,
  Scored,
  Usage,
} from '../types.ts'

/** A row of a table: one method with one set of options. `variant` is empty unless the options were varied. */
export interface Row {
  readonly method: string
  readonly variant: string
}

/** An option of a method, or a key of the config, that `vary` names, and its value as tables show it. */
export interface VariedValue {
  readonly option: string
  readonly text: string
}

/** Which method with which options made a line: the `id` of its record in the manifest. */
interface ByMethod extends Row {
  readonly methodId: string
}

/** A line of trials.jsonl: what an index cost. `repeat`: the later repeat that it was built for. */
export interface IndexLine extends ByMethod {
  readonly line: 'index'
  readonly id: string
  readonly corpus: string
  readonly repeat?: number
  readonly documents: number
  readonly chunks: number
  readonly usage: Usage
  readonly stats?: IndexStats
  /** Of an index with a graph. */
  readonly graph?: GraphHealth
  /** What the index lost, without zeros; absent where that is nothing. */
  readonly warnings?: Readonly<Record<string, number>>
  /** The first texts that could not be embedded, each with the reason; absent where there is none. */
  readonly unembedded?: readonly string[]
  readonly failure?: Failure
}

/** A line of trials.jsonl: one question. In the file a passage has the `digest` of its text in passages.jsonl. */
export interface TrialLine extends ByMethod {
  readonly line: 'trial'
  readonly id: string
  readonly corpus: string
  readonly repeat: number
  readonly question: Question
  readonly context: readonly ContextPassage[]
  readonly relevant?: readonly string[]
  /** The grades of these chunks, in their order; absent where all are 1. */
  readonly grades?: readonly number[]
  /** Where each piece of the question's evidence stands; absent where the question has none. */
  readonly evidence?: readonly EvidencePlace[]
  /** How many passages the method was asked for. Absent where there is no limit. */
  readonly asked?: number
  /** What it ranked after the context, to rank 50, or to the depth of the budget without answers; absent for none. */
  readonly beyond?: readonly BeyondPassage[]
  /** What ended the context: the last passage, or a limit of the budget or of the method. */
  readonly stopped: Stop
  /** Absent where the trial failed; null where no answer was asked for. */
  readonly answer?: Answer | null
  readonly failure?: Failure
  readonly usage: { readonly retrieve: Usage; readonly answer: Usage }
}

/** A passage that was ranked after those of the context: the ids of its chunks, and the evidence it holds. */
export type BeyondPassage = RankedPassage

export type Stop = 'end' | 'passages' | 'tokens'

/** A failed call or method: counted, never scored. `raw`: the reply, cut to a few thousand characters. */
export interface Failure {
  readonly phase: Phase
  readonly kind: string
  readonly message: string
  readonly raw?: string
}

/** A line of scores.jsonl: numbers for one trial in one judge run, or `skipped`, or `failure`. */
export interface ScoreLine extends ByMethod {
  readonly trial: string
  /** Id of the question, and of its cluster where it has one. */
  readonly question: string
  readonly cluster?: string
  readonly repeat: number
  readonly scorer: string
  /** Which version and options made the numbers. */
  readonly scorerId: string
  readonly run: number
  /** Digest of the references or other rows' answers that the numbers were made with, where there are such. */
  readonly against?: string
  readonly subsets: readonly string[]
  readonly metrics?: Scored['metrics']
  readonly parts?: Scored['parts']
  readonly skipped?: string
  readonly failure?: Failure
  readonly usage: Usage
}

/** A line of meter.jsonl: what depends on the machine and its cache. */
export interface MeterLine extends Row {
  readonly phase: Phase
  readonly cached: number
  readonly milliseconds: number
  /** Of these, the time of embedding calls; absent where there was none. */
  readonly embeddingMilliseconds?: number
  /** Texts that were embedded for it, and their tokens: not those that the cache held; absent where there are none. */
  readonly newTexts?: number
  readonly newEmbeddedTokens?: number
}
