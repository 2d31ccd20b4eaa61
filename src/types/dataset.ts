import type { ZodType } from 'zod'
import type { Question } from '../records/question.ts'

/** A text to be searched. `id` is unique within its corpus. */
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
  /** What the files of the whole dataset hold before anything is left out, counted; on one corpus only. */
  readonly holds?: Readonly<Record<string, number>>
  /** What the files hold and the options leave out, counted: `{'rows that repeat a question': 532}`. */
  readonly leftOut?: Readonly<Record<string, number>>
  /** What is wrong with the first record that was left out because it could not be read, and where it stands. */
  readonly firstBadRecord?: string
  /** Every question of the whole dataset has an answer: no prompt offers "unanswerable". On one corpus or all. */
  readonly answerable?: true
  /** What a person should know of the data before a run, a line each. */
  readonly notes?: readonly string[]
}

/** What every kind of plug-in has. `O`: its options; `I`: its options as a config writes them. */
export interface PlugInFields<O = unknown, I = unknown> {
  readonly name: string
  /** One sentence: what it holds, does or measures. */
  readonly summary: string
  readonly options: ZodType<O, I>
  /**
   * Of an object in the config of `run`, which must have one, and of a built-in method or dataset: another one whenever
   * its results change, since the text of its functions does not tell what they close over.
   */
  readonly version?: number | string
}

/**
 * What is done with a record that cannot be read: the whole file is refused (`stop`, the default), or the record is
 * left out and counted (our reading).
 */
export type OnBadRecord = 'stop' | 'skip'

/** Files on disk, read as corpora. */
export interface Dataset<O = unknown, I = unknown> extends PlugInFields<O, I> {
  /** Official address or citation. */
  readonly source: string
  readonly licence: string
  /** The names of the files that are read, and how they lie in a folder; names and options in backticks. */
  readonly layout?: string
  /** Whether its questions name their evidence; 'some': each copy and question says whether it does. */
  readonly evidence: boolean | 'some'
  /** Whether a question may lack a right answer: its reference accepts nothing, and what needs one is not scored. */
  readonly withoutAnswers?: true
  /** How a free answer is asked for. */
  readonly answers?: AnswersWanted
  /** The scorers of a run whose config names none, with options that are not their defaults; absent: all that fit. */
  readonly scorers?: readonly { readonly use: string; readonly options: Readonly<Record<string, unknown>> }[]
  /** What makes an answer right where no scorers are named: its words (absent), or what it says, by a judge. */
  readonly right?: 'meaning'
  /** Files that `path` stands for, as they are read; their bytes make the checksum. Throws UserError when absent. */
  files(path: string, options: O): Promise<readonly string[]>
  /** Names of `files` that tell results apart as their bytes do, because documents show them: as ids, for one. */
  names?(files: readonly string[], path: string): readonly string[]
  /** Options that had no part in choosing `files`, such as the split beside a file: a table names the file instead. */
  unused?(files: readonly string[], path: string, options: O): readonly string[]
  /** Reads the files in order. Throws UserError naming file and line of what is malformed. */
  corpora(path: string, options: O, onBadRecord?: OnBadRecord): AsyncIterable<Corpus>
  /** Where `gembench data get` finds it. */
  readonly download?: Download
}

export const answerStyles = ['short', 'span', 'sentence', 'reasoned'] as const

/**
 * `short`: a span, yes, no or unanswerable (Qasper); `span`: without unanswerable; `sentence`: one whole sentence;
 * `reasoned`: thoughts, which are no part of the answer, then "Answer:" and a span (HippoRAG 2's reader).
 */
export type AnswerStyle = (typeof answerStyles)[number]

export const answersWanted = [...answerStyles, 'by-reference', 'span-by-reference', 'none'] as const

/** One for all, or by the reference: short, or span (`span-by-reference`), up to six words, else a sentence. */
export type AnswersWanted = (typeof answersWanted)[number]

/** What `gembench data get` brings. `sha256` is checked; `unpack` names the members wanted from an archive. */
export interface Download {
  readonly files: readonly {
    readonly url: string
    readonly name: string
    readonly sha256?: string
    readonly bytes?: number
    readonly unpack?: { readonly format: 'zip' | 'tgz'; readonly members: readonly string[] }
  }[]
  /** What a reader must know before using it. */
  readonly note?: string
}
