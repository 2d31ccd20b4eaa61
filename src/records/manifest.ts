import { z } from 'zod'
import { budget, methodRecord, modelRecord, scorerRecord } from './entries.ts'
import {
  answerRequests,
  anyObject,
  count,
  counts,
  cutBy,
  neverInFile,
  number,
  options,
  row,
  text,
  texts,
  variedValues,
  type FromJson,
} from './parts.ts'

/** Incremented when the format of results files changes; other formats are refused. */
export const resultsFormat = 3

const dataset = z.object({
  name: text,
  source: text,
  licence: text,
  checksum: text,
  files: texts,
  /** As many as the lines hold; `asks` where this config asks fewer questions. */
  corpora: count,
  documents: count,
  questions: count,
  /** Of the questions, by ISO 639-1; absent where it cannot be said. */
  language: text.optional(),
  /** How many questions language models drafted from the documents, and the models; absent where people wrote all. */
  synthetic: z.object({ questions: count, by: texts }).optional(),
  /** Counts of what was left out of the files. */
  leftOut: counts.optional(),
  /** Notes on the data, a line each. */
  notes: texts.optional(),
  options,
  /** Names of options without effect on the choice of files. */
  unused: texts.optional(),
  /**
   * 12 hex digits of the SHA-256 of a document's title and text, by corpus and document, of those that this config
   * reads; absent where they are more than 10,000.
   */
  digests: z.record(text, z.record(text, text)).optional(),
})

const chunks = z.object({
  size: count,
  overlap: count,
  by: z.enum(cutBy),
  tokenizer: text,
  path: z.boolean().optional(),
  percentile: number.optional(),
})

/** How documents were cut; `size` and `overlap` in tokens. It is also the form of a config, hence `undefined`. */
export type ChunksRecord = Readonly<z.infer<typeof chunks>>

const compare = z.object({
  baseline: row.optional(),
  /** Of a sweep, too; asked for when the table is read. */
  allPairs: neverInFile<true>(),
  metric: z.object({ scorer: text, metric: text }).optional(),
  /** The margin of equivalence, a fraction. */
  margin: number.optional(),
})

/** All pairs of rows are compared without `baseline`, those of a sweep with the first; on the first metric. */
export type CompareRecord = FromJson<z.infer<typeof compare>>

export const manifestSchema = z.object({
  format: z.literal(resultsFormat),
  gembench: text,
  name: text,
  hash: text,
  /** The resolved config, without secrets. */
  config: anyObject,
  git: z.object({ commit: text, dirty: z.boolean().nullable() }).nullable(),
  versions: z.record(text, text),
  machine: z.record(text, z.union([text, number])),
  seed: z.int(),
  /** As many as the lines hold; `asks` where this config asks fewer. */
  repeats: z.int().min(1),
  /** Set if all repeats share one index. */
  indexPerRepeat: z.literal(false).optional(),
  judgeRuns: z.int().min(1),
  dataset,
  /** The size of the last run, if the lines hold more questions or repeats. */
  asks: z.object({ questions: count, repeats: count }).optional(),
  /** Of a run of a series: the keys of the config that are varied, with their values in this run. */
  varied: variedValues.optional(),
  series: neverInFile<never>(),
  /** How free answers were asked for. */
  answers: z.enum(answerRequests),
  chunks,
  budget,
  /** `answer` is absent where the complete model answered. */
  models: z.object({
    complete: modelRecord,
    answer: modelRecord.optional(),
    embed: modelRecord,
    judge: modelRecord,
    rerank: modelRecord.optional(),
  }),
  /** Providers that are not language models; every table states them. */
  offline: texts,
  /** Task name to version and hash: of the answer prompts, and of all that the config gives (`own`). */
  prompts: z.record(text, z.object({ version: z.int(), hash: text, own: z.literal(true).optional() })),
  methods: z.array(methodRecord),
  scorers: z.array(scorerRecord),
  /** How rows are compared, where the config says so. */
  compare: compare.optional(),
  /** The number of calls that no line shows; absent for 0. */
  callsInNoLine: count.optional(),
  /** SHA-256 of the other files and the rest of this one; until a run has ended, of files changed by hand. */
  checksums: z.partialRecord(z.enum(['trials', 'passages', 'scores', 'meter', 'manifest']), text).optional(),
  started: text,
  finished: text.nullable(),
})

/** manifest.json: the settings, versions and checksums of a run. */
export interface Manifest extends Omit<FromJson<z.infer<typeof manifestSchema>>, 'chunks' | 'series'> {
  readonly chunks: ChunksRecord
  /** Of a series: its manifests, varied keys, and folders of runs that have not begun. */
  readonly series?: {
    readonly runs: readonly Manifest[]
    readonly varied: readonly string[]
    readonly missing: readonly string[]
  }
}

export const seriesRecord = z.object({
  format: z.literal(resultsFormat),
  name: text,
  hash: text,
  /** The keys that are varied. */
  varied: texts,
  /** Names of the results folders of the runs, which never lead out of the folder that holds them. */
  runs: z.array(text.regex(/^[A-Za-z0-9][\w.-]*$/)).min(1),
})

/** series.json: several runs of one config, which differ in keys of the config that are varied. */
export type SeriesRecord = FromJson<z.infer<typeof seriesRecord>>
