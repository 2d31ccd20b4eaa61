import { z } from 'zod'
import type { BadRecords } from '../shared/bad-records.ts'
import { placedRows } from '../formats/placed-rows.ts'
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
  for await (const { where, value } of placedRows(file, Object.keys(row.shape), bad)) {
    const read = bad.attempt(() => shape(row, value, where, release))
    if (read) yield read
  }
}
