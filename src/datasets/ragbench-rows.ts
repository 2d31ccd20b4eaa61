import { z } from 'zod'
import { jsonRecords } from './json-records.ts'
import { isParquet, parquetRows } from './parquet-rows.ts'
import { shape, words } from './shape.ts'

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
export async function* ragbenchRows(file: string): AsyncGenerator<RagbenchRow> {
  if (await isParquet(file)) {
    let number = 0
    for await (const value of parquetRows(file, Object.keys(row.shape)))
      yield shape(row, value, `${file}: row ${++number}`, release)
  } else for await (const { line, value } of jsonRecords(file)) yield shape(row, value, `${file}:${line}`, release)
}
