import type { AnswersWanted, Budget, CutBy, Kind, Method, Scorer, ScorerColumn, Usage } from '../types.ts'
import type { IndexLine, Row, VariedValue } from './lines.ts'

/** Raised when the files of a results folder change their form; a folder of another format is refused. */
export const resultsFormat = 3

/** manifest.json: all that a reader needs to judge or repeat a run. */
export interface Manifest {
  readonly format: number
  readonly gembench: string
  readonly name: string
  readonly hash: string
  /** The resolved config; keys are never in it. */
  readonly config: unknown
  readonly git: { readonly commit: string; readonly dirty: boolean | null } | null
  readonly versions: Readonly<Record<string, string>>
  readonly machine: Readonly<Record<string, string | number>>
  readonly seed: number
  /** As many as the lines hold; `asks` where this config asks fewer. */
  readonly repeats: number
  /** Present where all repeats ask one index, whether or not it depends on random numbers. */
  readonly indexPerRepeat?: false
  readonly judgeRuns: number
  readonly dataset: {
    readonly name: string
    readonly source: string
    readonly licence: string
    readonly checksum: string
    readonly files: readonly string[]
    /** As many as the lines hold; `asks` where this config asks fewer questions. */
    readonly corpora: number
    readonly documents: number
    readonly questions: number
    /** Of the questions, by ISO 639-1; absent where it cannot be said. */
    readonly language?: string
    /** The questions that a language model drafted from the documents; absent where people wrote all. */
    readonly synthetic?: SyntheticRecord
    /** What was met in the files and left out, counted. */
    readonly leftOut?: Readonly<Record<string, number>>
    /** What a reader should know of the data, a line each. */
    readonly notes?: readonly string[]
    readonly options: unknown
    /** Names of the options that had no part in choosing the files. */
    readonly unused?: readonly string[]
    /** Of the documents that this config reads; absent where they are more than 10,000. */
    readonly digests?: DocumentDigests
  }
  /** What the last run asks, where the lines hold more questions or repeats. */
  readonly asks?: { readonly questions: number; readonly repeats: number }
  /** Of a run of a series: the keys of the config that are varied, with their values in this run. */
  readonly varied?: readonly VariedValue[]
  /** Of a series, never in a file: its manifests, varied keys, and folders of runs that have not begun. */
  readonly series?: {
    readonly runs: readonly Manifest[]
    readonly varied: readonly string[]
    readonly missing: readonly string[]
  }
  /** How free answers were asked for. */
  readonly answers: AnswersWanted
  readonly chunks: ChunksRecord
  readonly budget: Budget
  /** `answer` is absent where the complete model answered. */
  readonly models: Readonly<Record<'complete' | 'embed' | 'judge', ModelRecord>> & {
    readonly answer?: ModelRecord
    readonly rerank?: ModelRecord
  }
  /** Providers that are no language model; every table says so. */
  readonly offline: readonly string[]
  /** Task name to version and hash: of the answer prompts, and of all that the config gives (`own`). */
  readonly prompts: Readonly<Record<string, { readonly version: number; readonly hash: string; readonly own?: true }>>
  readonly methods: readonly MethodRecord[]
  /** Rows of earlier runs that no row shows any more, since another one has their name; absent where there is none. */
  readonly replaced?: readonly ReplacedRow[]
  readonly scorers: readonly ScorerRecord[]
  /** How rows are compared, where the config says so. */
  readonly compare?: CompareRecord
  /** What the indexes say of themselves; absent until a run has ended. */
  readonly indexes?: IndexesRecord
  /** Calls to models that were sent and that no line shows; absent where there is none. */
  readonly callsInNoLine?: number
  /** SHA-256 of the other files and the rest of this one; until a run has ended, of files changed by hand. */
  readonly checksums?: Readonly<Partial<Record<'trials' | 'passages' | 'scores' | 'meter' | 'manifest', string>>>
  readonly started: string
  readonly finished: string | null
}

/** 12 hex digits of the SHA-256 of a document's title and text, by corpus and document. */
export type DocumentDigests = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Questions that language models drafted: how many, and the models. */
export interface SyntheticRecord {
  readonly questions: number
  readonly by: readonly string[]
}

/** All pairs of rows are compared without `baseline`, those of a sweep with the first; on the first metric. */
export interface CompareRecord {
  readonly baseline?: Row
  /** Of a sweep, too; asked for when the table is read, and never in a file. */
  readonly allPairs?: true
  readonly metric?: { readonly scorer: string; readonly metric: string }
  /** Rows count as the same within it; a fraction. */
  readonly margin?: number
}

/** How documents were cut; `size` and `overlap` in tokens. */
export interface ChunksRecord {
  readonly size: number
  readonly overlap: number
  readonly by: CutBy
  readonly path?: boolean | undefined
  readonly percentile?: number | undefined
  readonly tokenizer: string
}

/** Row by row, of the first hundred corpora of trials.jsonl; `corporaLeftOut` counts the others. */
export interface IndexesRecord {
  readonly corporaLeftOut: number
  readonly of: readonly (Row & Pick<IndexLine, 'corpus' | 'repeat' | 'stats' | 'warnings'>)[]
}

export interface ModelRecord {
  readonly provider: string
  readonly model: string
  readonly baseUrl?: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** Of an embedder: the number of tokens of a text that it reads, where it cuts longer ones. */
  readonly readsTokens?: number
  /** Of the values that `${NAME}` stood for; absent where the record holds all there is. */
  readonly digest?: string
  /** Per million tokens, where the config names it. */
  readonly price?: { readonly prompt: number; readonly completion: number; readonly embedding: number }
}

/**
 * `id` changes with the method's options or file; `context` says what makes it a reference row, `answers` that
 * it answers itself in place of the run's answerer, `ranks` that the order of its passages means nothing.
 */
export interface MethodRecord extends Row {
  readonly id: string
  readonly use: string
  readonly options: unknown
  readonly context?: Method['context']
  readonly answers?: 'own'
  readonly ranks?: false
  /** Its own budget; absent where it has that of the run. */
  readonly budget?: Budget
  /** What its variant is made of; absent where nothing is varied. */
  readonly varied?: readonly VariedValue[]
  /** Present where the config has no such row any more: its lines are of an earlier run in the folder. */
  readonly inConfig?: false
  /** In the manifest of a series alone: the hash of the run that it is a row of. */
  readonly run?: string
}

/** A row whose lines are in the folder and not in its table. */
export interface ReplacedRow
  extends Row, Pick<MethodRecord, 'id' | 'run'>, Partial<Pick<MethodRecord, 'use' | 'options'>> {}

/** series.json: several runs of one config, which differ in keys of the config that are varied. */
export interface SeriesRecord {
  readonly format: number
  readonly name: string
  readonly hash: string
  /** The keys that are varied. */
  readonly varied: readonly string[]
  /** Names of the results folders of the runs, which stand beside its own. */
  readonly runs: readonly string[]
}

/** A judge on claims whose truth is known from the references of the dataset, before it scored. */
export interface JudgeTest {
  /** Digest of the claims. */
  readonly claims: string
  /** Claims that are true, and those of them that it called so; of two answers: the right one was shown first. */
  readonly true: { readonly claims: number; readonly right: number }
  readonly false: { readonly claims: number; readonly right: number }
  /** Claims without a verdict: the call failed, or its reply could not be read. */
  readonly failed: number
  /** Present where two answers were compared, each pair in both orders. */
  readonly inOrders?: true
  /** The verdict that it gave throughout, of true and of false claims; absent where it gave several. */
  readonly always?: string
  readonly usage: Usage
}

export interface ScorerRecord {
  readonly id: string
  readonly scorer: string
  readonly use: string
  readonly version: number
  readonly options: unknown
  readonly kinds: readonly Kind[]
  readonly judge: boolean
  /** The model that judged, where it is not the run's judge: a scorer of an earlier run in the folder. */
  readonly judgedBy?: ModelRecord
  /** What its judge said of claims whose truth is known; absent where none could be made. */
  readonly judgeTest?: JudgeTest
  /** Present where it scores trials that failed, too: they are not counted as failed scores of it. */
  readonly failures?: true
  readonly ranges?: Scorer['ranges']
  /** Whether its first column ranks the rows. */
  readonly ranks?: true
  /** What it says, in one sentence; absent in folders of earlier versions. */
  readonly summary?: string
  /** How its numbers are made, in one sentence for the notes of a table. */
  readonly note?: string
  /** Those of its options. */
  readonly columns: readonly ScorerColumn[]
}
