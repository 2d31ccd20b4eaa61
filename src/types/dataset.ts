import type { ZodType } from 'zod'
import type { AnswersWanted } from '../records/parts.ts'
import type { Question } from '../records/question.ts'

/** A text to search. `id` is unique within its corpus. */
export interface Document {
  readonly id: string
  readonly text: string
  readonly title?: string
}

/** Documents searched together and the questions asked of them. QuALITY: one article. MuSiQue: all paragraphs. */
export interface Corpus {
  readonly id: string
  readonly documents: readonly Document[]
  readonly questions: readonly Question[]
  /** Counts over the files before anything is left out, of the whole dataset; on one corpus only. */
  readonly holds?: Readonly<Record<string, number>>
  /** Counts of what the options leave out: `{'rows that repeat a question': 532}`. */
  readonly leftOut?: Readonly<Record<string, number>>
  /** The error of the first malformed record that was skipped, with its place. */
  readonly firstBadRecord?: string
  /** Every question of the whole dataset has an answer: no prompt offers "unanswerable". On one corpus or all. */
  readonly answerable?: true
  /** Notes on the data for the user, a line each. */
  readonly notes?: readonly string[]
}

/** Fields of every plug-in. `O`: its options; `I`: the config's input for them. */
export interface PlugInFields<O = unknown, I = unknown> {
  readonly name: string
  /** One sentence: what it holds, does or measures. */
  readonly summary: string
  readonly options: ZodType<O, I>
  /**
   * Required for objects in the config of `run`, and used by built-in methods and datasets. Change it whenever results
   * change: the source of a function does not show what it closes over.
   */
  readonly version?: number | string
}

/** Handling of malformed records: reject the file (`stop`, the default), or skip and count them (our reading). */
export type OnBadRecord = 'stop' | 'skip'

/** Reads files on disk as corpora. */
export interface Dataset<O = unknown, I = unknown> extends PlugInFields<O, I> {
  /** Official address or citation. */
  readonly source: string
  readonly licence: string
  /** File names and folder layout; names and options in backticks. */
  readonly layout?: string
  /** Whether questions have evidence; 'some': it varies by copy and question. */
  readonly evidence: boolean | 'some'
  /** Whether questions may lack a reference answer: scorers that need one skip these. */
  readonly withoutAnswers?: true
  /** The style of free answers. */
  readonly answers?: AnswersWanted
  /** Default scorers, with options that differ from the defaults; absent: all applicable ones. */
  readonly scorers?: readonly { readonly use: string; readonly options: Readonly<Record<string, unknown>> }[]
  /** By default answers are compared by words (absent), or by meaning, with a judge. */
  readonly right?: 'meaning'
  /** The files of `path` in reading order; their bytes make the checksum. Throws UserError when absent. */
  files(path: string, options: O): Promise<readonly string[]>
  /** File names that affect results because documents show them, for example as ids. */
  names?(files: readonly string[], path: string): readonly string[]
  /** Options that did not affect `files`, such as the split of a given file: tables name the file instead. */
  unused?(files: readonly string[], path: string, options: O): readonly string[]
  /** Reads the files in order. Throws UserError naming file and line of a malformed record. */
  corpora(path: string, options: O, onBadRecord?: OnBadRecord): AsyncIterable<Corpus>
  /** The source for `gembench data get`. */
  readonly download?: Download
}

/** Files of `gembench data get`. `sha256` is verified; `unpack` lists the members of an archive to extract. */
export interface Download {
  readonly files: readonly {
    readonly url: string
    readonly name: string
    readonly sha256?: string
    readonly unpack?: { readonly format: 'zip' | 'tgz'; readonly members: readonly string[] }
  }[]
  /** Must be known before use, such as licence terms. */
  readonly note?: string
}
