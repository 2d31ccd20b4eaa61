import { z } from 'zod'
import type { BadRecords } from '../shared/bad-records.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { isParquet, parquetRows } from '../formats/parquet-rows.ts'
import { shape, words } from '../formats/shape.ts'

const release = 'RAGBench (one row per question and response)'

const row = z.object({
  id: words,
  question: words,
  documents: z.array(z.string()),
  response: words,
  dataset_name: words,
  adherence_score: z.boolean().nullish(),
  all_relevant_sentence_keys: z.array(z.string()).nullish(),
})

/** A question of RAGBench with the documents that were retrieved for it and the response of one model. */
export type RagbenchRow = z.output<typeof row>

/** The rows of a file, Parquet or JSON objects. Throws UserError naming row and column of what is malformed. */
export async function* ragbenchRows(file: string, bad: BadRecords): AsyncGenerator<RagbenchRow> {
  for await (const { where, value } of (await isParquet(file)) ? parquet(file) : objects(file, bad)) {
    const read = bad.attempt(() => shape(row, value, where, release))
    if (read) yield read
  }
}

interface Placed {
  readonly where: string
  readonly value: unknown
}

async function* parquet(file: string): AsyncGenerator<Placed> {
  let number = 0
  for await (const value of parquetRows(file, Object.keys(row.shape)))
    yield { where: `${file}: row ${++number}`, value }
}

async function* objects(file: string, bad: BadRecords): AsyncGenerator<Placed> {
  for await (const { line, value } of jsonRecords(file, bad)) yield { where: `${file}:${line}`, value }
}
