import { z } from 'zod'
import { isRegularFile } from '../basics/files.ts'
import { memoise } from '../basics/memoise.ts'
import { parquetRows } from '../basics/parquet-rows.ts'
import { isObject } from '../basics/plain-data.ts'
import { defineScorer, fileOption } from '../define.ts'
import { messageOf, UserError } from '../errors.ts'
import { lines } from '../text/jsonl.ts'

const options = z.strictObject({
  file: fileOption(
    z
      .string()
      .default('')
      .describe(
        'JSON lines or Parquet, relative to the config, with question, response (or answer) and the labels of it, as RAGBench publishes them',
      ),
  ),
})

/** Fields of the file, those of RAGBench: numbers from 0 to 1, or true and false. */
const columns = ['relevance_score', 'utilization_score', 'completeness_score', 'adherence_score']

/** Labels that others gave to an answer, beside our scores of it. */
export const labels = defineScorer({
  name: 'labels',
  version: 1,
  summary:
    'What a file says of an answer, such as the relevance, utilisation, completeness and adherence of RAGBench: for rows whose answers are those of the file (method "recorded").',
  source: 'own; the labels of RAGBench are of Friel et al. 2024 (RAGBench), section 3',
  kinds: ['choice', 'answer', 'summary', 'turn'],
  options,
  onRequest: true,
  columns: columns.map((metric) => ({ metric, label: metric.replace(/_score$/, '') })),
  // what a table says of a scorer is asked before the run: a file that is none is told then
  note({ file }) {
    if (!isRegularFile(file) || !/\.(jsonl|parquet)$/.test(file))
      throw new UserError(`labels: "${file}" is no .jsonl or .parquet file; name one: { use: labels, file: FILE }`)
    return 'labels of the file for answers of its very words; other answers are skipped.'
  },
  async score({ question, answer }, _models, { file }) {
    const found = (await recordsIn(file)).get(keyOf(question.text, answer.text))
    if (!found) return { skipped: 'the file has no labels of this answer to this question' }
    const metrics = columns.flatMap((name): readonly (readonly [string, number])[] => {
      const label = found.record[name]
      if (label === undefined || label === null) return []
      if (typeof label === 'boolean') return [[name, Number(label)]]
      if (typeof label === 'number' && Number.isFinite(label)) return [[name, label]]
      throw new UserError(`${found.where}: "${name}" is ${JSON.stringify(label)}; a number, true or false is expected`)
    })
    if (metrics.length > 0) return { metrics: Object.fromEntries(metrics) }
    return { skipped: `the file has none of ${columns.join(', ')} of this answer` }
  },
})

interface Labelled {
  readonly where: string
  readonly record: Readonly<Record<string, unknown>>
}

/** The records of a file by question and answer. Throws UserError for what is no record of these. */
const recordsIn = memoise(async (file: string): Promise<ReadonlyMap<string, Labelled>> => {
  const records = new Map<string, Labelled>()
  for await (const { where, record } of file.endsWith('.parquet') ? rowsOf(file) : linesOf(file)) {
    const { question, response, answer = response } = record
    if (typeof question !== 'string' || typeof answer !== 'string')
      throw new UserError(`${where}: has no question, or no response or answer, as a text`)
    records.set(keyOf(question, answer), { where, record })
  }
  return records
})

const keyOf = (question: string, answer: string): string =>
  [question, answer].map((text) => text.trim().replaceAll(/\s+/g, ' ')).join('\n')

async function* rowsOf(file: string): AsyncGenerator<Labelled> {
  let row = 0
  for await (const record of parquetRows(file)) yield { where: `${file}: row ${++row}`, record }
}

async function* linesOf(file: string): AsyncGenerator<Labelled> {
  for await (const { line, text } of lines(file)) {
    const where = `${file}:${line}`
    if (text.trim() === '') continue
    let record: unknown
    try {
      record = JSON.parse(text)
    } catch (error) {
      throw new UserError(`${where}: is no JSON (${messageOf(error)})`, { cause: error })
    }
    if (!isObject(record)) throw new UserError(`${where}: is no object with question and response`)
    yield { where, record }
  }
}
