import type { ZodType } from 'zod'

// ---------------------------------------------------------------- what is read

/** A text to be searched. `id` is unique within its corpus. */
export interface Document {
  readonly id: string
  readonly text: string
  readonly title?: string
}

/** A place that supports an answer: words quoted from a document, or the whole document when no text is given. */
export interface Evidence {
  readonly documentId: string
  readonly text?: string
}

/** How an annotator answered (Qasper's four types). */
export type AnswerType = 'extractive' | 'abstractive' | 'boolean' | 'unanswerable'

/** One annotator's answer; `evidence` is that annotator's own, where the dataset keeps it apart. */
export interface AcceptedAnswer {
  readonly text: string
  readonly type?: AnswerType
  readonly evidence?: readonly Evidence[]
}

/** What is right. `correct` is a 0-based index into `options`. */
export type Reference =
  | { readonly kind: 'choice'; readonly options: readonly string[]; readonly correct: number }
  | { readonly kind: 'answer'; readonly accepted: readonly AcceptedAnswer[] }
  | { readonly kind: 'summary'; readonly accepted: readonly string[] }
  | { readonly kind: 'turn'; readonly accepted: string }

export type Kind = Reference['kind']

/** One utterance of a conversation that came before the question. */
export interface Turn {
  readonly speaker: string
  readonly text: string
}

/** One step of a multi-hop question. `#1` in its text stands for the answer of the first; `documentId` names the document that supports it. */
export interface Hop {
  readonly question: string
  readonly answer: string
  readonly documentId?: string
}

/**
 * `evidence` is absent where the dataset has none, and empty where nothing supports an answer. `tags` become subsets of the tables.
 * `decomposition` is there where the dataset takes its questions apart.
 */
export interface Question {
  readonly id: string
  readonly text: string
  readonly reference: Reference
  readonly evidence?: readonly Evidence[]
  readonly tags?: readonly string[]
  readonly history?: readonly Turn[]
  readonly decomposition?: readonly Hop[]
}

/** Documents searched together and the questions asked of them. QuALITY: one article. MuSiQue: all paragraphs. */
export interface Corpus {
  readonly id: string
  readonly documents: readonly Document[]
  readonly questions: readonly Question[]
}

/** Files on disk, read as corpora. */
export interface Dataset<O = unknown> {
  readonly name: string
  /** One sentence: what it holds. */
  readonly summary: string
  /** Official address or citation. */
  readonly source: string
  readonly licence: string
  readonly options: ZodType<O>
  /** Whether its questions name their evidence; a method that sees evidence is refused where there is none. */
  readonly evidence: boolean
  /** How a free answer is asked for: a short span, or one sentence. */
  readonly answers?: AnswerStyle
  /** Files that `path` stands for, in the order read; their bytes make the dataset's checksum. Throws UserError when absent. */
  files(path: string, options: O): Promise<readonly string[]>
  /** Reads the files in order. Throws UserError naming file and line of what is malformed. */
  corpora(path: string, options: O): AsyncIterable<Corpus>
  /** Where `gembench data get` finds it. */
  readonly download?: Download
}

/** `short`: a span, yes, no or unanswerable (Qasper). `sentence`: one correct and complete sentence (UnWeaver, appendix E). */
export type AnswerStyle = 'short' | 'sentence'

/** What `gembench data get` brings. `sha256` is checked when it is known. `unpack` names the members wanted from an archive. */
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

// ---------------------------------------------------------------- what is searched

/** A window of a document. `start` and `end` are UTF-16 offsets into its text; `position` counts from 0 within it. */
export interface Chunk {
  readonly id: string
  readonly documentId: string
  readonly position: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly tokens: number
}

/** What a method is asked. It never holds the reference; `evidence` only for a method that declares `sees: 'evidence'`. */
export interface Query {
  readonly id: string
  readonly text: string
  readonly options?: readonly string[]
  readonly history?: readonly Turn[]
  readonly evidence?: readonly Evidence[]
}

/** Why a passage was chosen, in the method's own words: flat JSON, kept in the trial. */
export type Trace = Readonly<Record<string, string | number | boolean | null | readonly (string | number)[]>>

/** A text for the answerer. `from` lists the ids of the chunks it was made of. A higher `score` is better. */
export interface Passage {
  readonly text: string
  readonly score: number
  readonly from: readonly string[]
  readonly kind: 'chunk' | 'summary' | 'facts'
  readonly why?: Trace
}

/** Limits on a context; both hold. */
export interface Budget {
  readonly passages: number
  readonly tokens: number
}

/** A drawable graph: what `gembench graph` shows. */
export interface Graph {
  readonly nodes: readonly {
    readonly id: string
    readonly kind: string
    readonly text: string
    readonly group?: number
    readonly data?: Trace
  }[]
  readonly edges: readonly {
    readonly from: number
    readonly to: number
    readonly weight: number
    readonly kind?: string
  }[]
  readonly spectrum?: readonly number[]
}

/** A passage that a question brought. `nodes`: the nodes of the graph that it is, or is made of; none where the graph has no such node, and then `text` is there. */
export interface Found {
  readonly nodes: readonly number[]
  readonly score: number
  readonly text?: string
}

/** What one question would retrieve, best first. `own`: it is none of the dataset's. `evidence`: nodes of the chunks that overlap its evidence. */
export interface Lookup {
  readonly question: string
  readonly own: boolean
  readonly found: readonly Found[]
  readonly evidence?: readonly number[]
}

/** The graph of one corpus by one method, with questions asked of it. `failed`: questions that no answer came to. */
export interface Drawing {
  readonly method: string
  readonly corpus: string
  readonly graph: Graph
  readonly lookups: readonly Lookup[]
  readonly failed: number
}

/** Facts about an index for the manifest and the notes under a table. */
export type IndexStats = Readonly<Record<string, string | number | boolean | null | readonly (string | number)[]>>

/** A searchable form of the chunks of one corpus. */
export interface Index {
  /** Passages in rank order, best first. The runner cuts them to the budget; what is beyond it costs nothing. */
  retrieve(query: Query, budget: Budget, models: Models): Promise<readonly Passage[]>
  graph?(): Graph
  stats?(): IndexStats
}

/** A way to find passages. */
export interface Method<O = unknown> {
  readonly name: string
  /** One sentence: what it does. */
  readonly summary: string
  /** Where it was published; absent for a baseline. */
  readonly paper?: string
  readonly options: ZodType<O>
  readonly sees?: 'evidence'
  /** A bracket of every table: asked without a context on purpose (`none`), or outside the budget (`unlimited`). */
  readonly context?: 'none' | 'unlimited'
  index(chunks: readonly Chunk[], models: Models, options: O): Promise<Index>
}

// ---------------------------------------------------------------- what is asked of models

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** `maxTokens` bounds the reply; the model's own setting holds where it is absent. */
export interface Prompt {
  readonly messages: readonly Message[]
  readonly maxTokens?: number
}

/** What is asked of a language model, as data. `text` replies are parsed as they stand, `json` replies leniently. */
export interface Task<I, T> {
  readonly name: string
  readonly version: number
  readonly reply: 'text' | 'json'
  prompt(input: I): Prompt
  readonly output: ZodType<T>
}

/** The one door to language models and embedders. */
export interface Models {
  /** Prompt, call, parse, one repair question, typed result. Throws ModelError when that fails. */
  run<I, T>(task: Task<I, T>, input: I): Promise<T>
  /** One unit vector per text, in order; all of one length. Throws ModelError on a failed call or a vector that is not finite. */
  embed(texts: readonly string[], role?: EmbedRole): Promise<readonly Float32Array[]>
  /** One vector per token of the text, special tokens included. */
  embedTokens(text: string): Promise<readonly Float32Array[]>
  /** Tokens of the run's tokenizer. */
  countTokens(text: string): number
  /** Seeded by run, corpus, method, question and repeat; uniform in [0, 1). */
  random(): number
}

export type EmbedRole = 'query' | 'document'

// ---------------------------------------------------------------- what comes out

/** `choice` is the 0-based option read from the reply, null when none could be read. `canned` answers cost no call. */
export interface Answer {
  readonly text: string
  readonly choice?: number | null
  readonly canned?: true
}

/** A passage as the answerer saw it. `evidence`: indices of the question's evidence that it overlaps. `paragraphs`: keys of the document paragraphs that it touches. */
export interface ContextPassage extends Passage {
  readonly tokens: number
  readonly documents: readonly string[]
  readonly evidence?: readonly number[]
  readonly paragraphs?: readonly string[]
}

/** A question with what a method and the answerer made of it: all that a scorer sees. `relevant`: ids of all chunks that overlap the evidence. */
export interface Asked {
  readonly question: Question
  readonly context: readonly ContextPassage[]
  readonly answer: Answer
  readonly relevant?: readonly string[]
}

/** Numbers for one answer, by metric; `subsets` join the question's tags in the tables; `parts` are kept for the reader. */
export interface Scored {
  readonly metrics: Readonly<Record<string, number>>
  readonly subsets?: readonly string[]
  readonly parts?: Readonly<Record<string, unknown>>
}

/** A scorer may decline a question that it does not apply to, and says why. */
export type Score = Scored | { readonly skipped: string }

/** A judge of answers. A change of numbers raises `version`. */
export interface Scorer<O = unknown> {
  readonly name: string
  readonly version: number
  /** One sentence: what it measures. */
  readonly summary: string
  readonly source: string
  readonly kinds: readonly Kind[]
  readonly options: ZodType<O>
  /** Whether it asks a model, and so may be run several times on one answer. */
  readonly judge?: true
  /** Left out where a config names no scorers. */
  readonly onRequest?: true
  /** What a table shows of it, in order; subset `all` where none is named. Everything else is in table.json. */
  readonly columns: readonly { readonly metric: string; readonly subset?: string; readonly label?: string }[]
  score(asked: Asked, models: Models, options: O): Promise<Score>
}

/** Where tokens are spent. A paper's "index" column is `index`, its "query" column `retrieve` + `answer`. */
export type Phase = 'index' | 'retrieve' | 'answer' | 'judge'

/** Tokens and calls, cached ones counted as if made. `estimated` calls were counted by our tokenizer. */
export interface Usage {
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly embeddedTokens: number
  readonly estimated: number
}
