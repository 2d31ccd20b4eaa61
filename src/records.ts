import type {
  Answer,
  AnswerStyle,
  Budget,
  ContextPassage,
  IndexStats,
  Kind,
  Phase,
  Question,
  Scored,
  Usage,
} from './types.ts'

/** A row of a table: one method with one set of options. `variant` is empty unless the options were varied. */
export interface Row {
  readonly method: string
  readonly variant: string
}

/** Which method with which options made a line: the `id` of its record in the manifest. */
interface Made extends Row {
  readonly contestant: string
}

/** A line of trials.jsonl: what the index of one corpus cost. */
export interface IndexLine extends Made {
  readonly line: 'index'
  readonly id: string
  readonly corpus: string
  readonly documents: number
  readonly chunks: number
  readonly usage: Usage
  readonly stats?: IndexStats
  /** What the index lost, without zeros; absent where that is nothing. */
  readonly losses?: Readonly<Record<string, number>>
  readonly failure?: Failure
}

/** A line of trials.jsonl: one question, its context and the answer, or what failed. */
export interface TrialLine extends Made {
  readonly line: 'trial'
  readonly id: string
  readonly corpus: string
  readonly repeat: number
  readonly question: Question
  readonly context: readonly ContextPassage[]
  readonly relevant?: readonly string[]
  /** What ended the context: the last passage, or a limit of the budget. */
  readonly stopped: Stop
  readonly answer?: Answer
  readonly failure?: Failure
  readonly usage: { readonly retrieve: Usage; readonly answer: Usage }
}

export type Stop = 'end' | 'passages' | 'tokens'

/** A failed call or method: counted, never scored. `raw` is the reply that could not be used, cut to a few thousand characters. */
export interface Failure {
  readonly phase: Phase
  readonly kind: string
  readonly message: string
  readonly raw?: string
}

/** A line of scores.jsonl: one scorer's numbers for one trial in one judge run; exactly one of `metrics`, `skipped`, `failure`. */
export interface ScoreLine extends Made {
  readonly trial: string
  readonly repeat: number
  readonly scorer: string
  /** Which version and options made the numbers. */
  readonly scorerId: string
  readonly run: number
  readonly subsets: readonly string[]
  readonly metrics?: Scored['metrics']
  readonly parts?: Scored['parts']
  readonly skipped?: string
  readonly failure?: Failure
  readonly usage: Usage
}

/** A line of meter.jsonl: what depends on the machine and its cache, and so stands apart from what is compared byte by byte. */
export interface MeterLine extends Row {
  readonly phase: Phase
  readonly cached: number
  readonly milliseconds: number
}

/** manifest.json: all that a reader needs to judge or repeat a run. */
export interface Manifest {
  readonly gembench: string
  readonly name: string
  readonly hash: string
  /** The resolved config; keys are never in it. */
  readonly config: unknown
  readonly git: { readonly commit: string; readonly dirty: boolean } | null
  readonly versions: Readonly<Record<string, string>>
  readonly machine: Readonly<Record<string, string | number>>
  readonly seed: number
  readonly repeats: number
  readonly judgeRuns: number
  readonly dataset: {
    readonly name: string
    readonly source: string
    readonly licence: string
    readonly checksum: string
    readonly files: readonly string[]
    readonly corpora: number
    readonly documents: number
    readonly questions: number
    readonly options: unknown
  }
  /** How free answers were asked for. */
  readonly answers: AnswerStyle
  readonly chunks: ChunksRecord
  readonly budget: Budget
  /** `answer` is absent where the complete model answered. */
  readonly models: Readonly<Record<'complete' | 'embed' | 'judge', ModelRecord>> & { readonly answer?: ModelRecord }
  /** Providers that are no language model; every table says so. */
  readonly offline: readonly string[]
  /** Task name to version and hash of the answer prompts. */
  readonly prompts: Readonly<Record<string, { readonly version: number; readonly hash: string }>>
  readonly methods: readonly MethodRecord[]
  readonly scorers: readonly ScorerRecord[]
  /** What the indexes say of themselves; absent until a run has ended. */
  readonly indexes?: IndexesRecord
  readonly started: string
  readonly finished: string | null
}

/** How documents were cut; `size` and `overlap` in tokens. */
export interface ChunksRecord {
  readonly size: number
  readonly overlap: number
  readonly by: 'tokens' | 'sentences' | 'none'
  readonly tokenizer: string
}

/** Row by row, of the first hundred corpora in the order of trials.jsonl, which holds them all; `corporaLeftOut` counts the others. */
export interface IndexesRecord {
  readonly corporaLeftOut: number
  readonly of: readonly (Row & Pick<IndexLine, 'corpus' | 'stats' | 'losses'>)[]
}

export interface ModelRecord {
  readonly provider: string
  readonly model: string
  readonly baseUrl?: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** Per million tokens, where the config names it. */
  readonly price?: { readonly prompt: number; readonly completion: number; readonly embedding: number }
}

/** `id` changes with the method's options or file; `context` says whether it stands outside the budget. */
export interface MethodRecord extends Row {
  readonly id: string
  readonly use: string
  readonly options: unknown
  readonly context?: 'none' | 'unlimited'
}

export interface ScorerRecord {
  readonly id: string
  readonly scorer: string
  readonly use: string
  readonly version: number
  readonly options: unknown
  readonly kinds: readonly Kind[]
  readonly judge: boolean
  readonly columns: readonly { readonly metric: string; readonly subset?: string; readonly label?: string }[]
}
