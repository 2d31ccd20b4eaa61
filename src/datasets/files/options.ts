import { z } from 'zod'
import { fileOption } from '../../define.ts'
import { encodings } from '../../formats/text-file.ts'

export const formats = ['txt', 'md', 'html', 'pdf', 'docx', 'csv', 'json'] as const

export type Format = (typeof formats)[number]

const endings: Readonly<Record<Format, RegExp>> = {
  txt: /\.(txt|text)(\.gz)?$/i,
  md: /\.(md|markdown)(\.gz)?$/i,
  html: /\.(html?|xhtml)(\.gz)?$/i,
  pdf: /\.pdf$/i,
  docx: /\.docx$/i,
  csv: /\.(csv|tsv)(\.gz)?$/i,
  json: /\.(jsonl|ndjson|json)(\.gz)?$/i,
}

/** The kind of a file by the end of its name; undefined for any other. */
export const formatOf = (name: string): Format | undefined => formats.find((format) => endings[format].test(name))

const column = z.union([z.string().min(1), z.array(z.string().min(1)).min(1), z.null()])

const columns = z.strictObject({
  id: column.optional(),
  question: column.optional(),
  answer: column.optional(),
  summary: column.optional(),
  options: column.optional(),
  correct: column.optional(),
  evidence: column.optional(),
  document: column.optional(),
  tags: column.optional(),
  cluster: column.optional(),
  synthetic: column.optional(),
  mustContain: column.optional(),
  mustNotContain: column.optional(),
})

/** What a question may say of itself; each may be in a column of another name, or in several. */
export const fields = columns.keyof().options

export type Field = (typeof fields)[number]

/** The options of the dataset `files`. */
export const options = z.strictObject({
  questions: fileOption(
    z
      .string()
      .min(1)
      .optional()
      .describe(
        'File of questions, relative to the config file; default: `questions.csv`, `.jsonl`, `.json`, `.yaml` or `.yml` next to the documents',
      ),
  ),
  columns: columns
    .optional()
    .describe(
      'Columns (or keys) of questions, where their names differ from the fields: a name, a list, or null for a field not to be read. question is required. The others: answer, summary (the best reference counts), options and correct (number from 1, letter or words), evidence (quoted words, or the id of a document), document (of the evidence), tags, cluster, id, synthetic (the model that drafted it), mustContain and mustNotContain (for the scorer must-contain)',
    ),
  text: z
    .string()
    .min(1)
    .default('text')
    .describe('Column or key with the text of a document; if no table has it, the run does not start'),
  encoding: z
    .enum(encodings)
    .optional()
    .describe(
      'Encoding of texts and CSV that are neither UTF-8 nor have a byte order mark. JSON and JSONL are UTF-8, or UTF-16 with a byte order mark',
    ),
})

export type FilesOptions = z.output<typeof options>
