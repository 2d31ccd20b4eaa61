import { z } from 'zod'
import { isRegularFile } from '../basics/files.ts'
import { memoise } from '../basics/memoise.ts'
import { defineScorer, fileOption } from '../define.ts'
import { UserError } from '../errors.ts'
import { malformedRecords } from '../formats/malformed-records.ts'
import { recordsOf } from '../formats/records.ts'

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

/** Third-party labels of an answer. */
export const labels = defineScorer({
  name: 'labels',
  version: 1,
  summary:
    'Labels of a file, such as the relevance, utilisation, completeness and adherence of RAGBench, for rows whose answers are those of the file (method "recorded").',
  source: 'own; the labels of RAGBench are of Friel et al. 2024 (RAGBench), section 3',
  kinds: ['choice', 'answer', 'summary', 'turn'],
  options,
  onRequest: true,
  columns: columns.map((metric) => ({ metric, label: metric.replace(/_score$/, '') })),
  // notes are requested before the run, so that a wrong file fails early
  note({ file }) {
    if (!isRegularFile(file) || !/\.(jsonl|parquet)$/.test(file))
      throw new UserError(`labels: "${file}" is no .jsonl or .parquet file; name one: { use: labels, file: FILE }`)
    return 'labels of the file for answers of its very words; other answers are skipped.'
  },
  async score({ question, answer }, _models, { file }) {
    const labelRecord = (await recordsIn(file)).get(keyOf(question.text, answer.text))
    if (!labelRecord) return { skipped: 'the file has no labels of this answer to this question' }
    const metrics = columns.flatMap((name): readonly (readonly [string, number])[] => {
      const label = labelRecord.record[name]
      if (label === undefined || label === null) return []
      if (typeof label === 'boolean') return [[name, Number(label)]]
      if (typeof label === 'number' && Number.isFinite(label)) return [[name, label]]
      throw new UserError(
        `${labelRecord.where}: "${name}" is ${JSON.stringify(label)}; a number, true or false is expected`,
      )
    })
    if (metrics.length > 0) return { metrics: Object.fromEntries(metrics) }
    return { skipped: `the file has none of ${columns.join(', ')} of this answer` }
  },
})

interface LabelRecord {
  readonly where: string
  readonly record: Readonly<Record<string, unknown>>
}

const text = z.string()
const form = z
  .union([
    z.looseObject({ question: text, answer: text }),
    z.looseObject({ question: text, response: text }).transform((record) => ({ ...record, answer: record.response })),
  ])
  .describe('an object with question, and response or answer, as texts')

const recordsIn = memoise(async (file: string): Promise<ReadonlyMap<string, LabelRecord>> => {
  const records = new Map<string, LabelRecord>()
  for await (const { where, value } of recordsOf(file, form, malformedRecords()))
    records.set(keyOf(value.question, value.answer), { where, record: value })
  return records
})

const keyOf = (question: string, answer: string): string =>
  [question, answer].map((words) => words.trim().replaceAll(/\s+/g, ' ')).join('\n')
