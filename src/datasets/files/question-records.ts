import { dirname, join } from 'node:path'
import { LineCounter, parseDocument, isSeq, visit, type Node } from 'yaml'
import { failureOf, messageOf, UserError } from '../../errors.ts'
import { csvRows } from '../../formats/csv-rows.ts'
import { jsonRecords, type JsonRecord } from '../../formats/json-records.ts'
import { wholeText } from '../../formats/text-file.ts'
import { exists, isFolder, missingPath } from '../shared/official-file.ts'
import type { MalformedRecords } from '../shared/published-dataset.ts'
import type { FilesOptions } from './options.ts'

/** The ends of the names that a file of questions may have, the one looked for first before the others. */
export const endings = ['csv', 'jsonl', 'json', 'yaml', 'yml'] as const

const names = endings.map((ending) => `questions.${ending}`)

/** The file of the questions: the one named, else that in the folder. Throws UserError where not one is there. */
export async function questionsFile(path: string, options: Pick<FilesOptions, 'questions'>): Promise<string> {
  const file = await questionsPlace(path, options)
  if (await exists(file)) return file
  if (options.questions !== undefined)
    throw await missingPath(file, { kind: 'file', remedy: 'correct the option "questions"' })
  throw new UserError(
    `${dirname(file)}: no file of questions (${names.join(', ')}); name one with the option "questions"`,
  )
}

/** Where the file of the questions is, or belongs. Throws UserError for several, and for the name of a folder. */
export async function questionsPlace(path: string, { questions }: Pick<FilesOptions, 'questions'>): Promise<string> {
  if (questions !== undefined) {
    if (await isFolder(questions))
      throw new UserError(`${questions}: is a folder; the option "questions" must be a file`)
    return questions
  }
  const isInFolder = await isFolder(path)
  if (isInFolder === undefined) throw await missingPath(path)
  const folder = isInFolder ? path : dirname(path)
  const files: string[] = []
  for (const name of names) {
    if (await exists(join(folder, name))) files.push(name)
  }
  const [only = 'questions.csv', second] = files
  if (second !== undefined)
    throw new UserError(`${folder}: contains ${files.join(' and ')}; choose one with the option "questions"`)
  return join(folder, only)
}

/** A record of a file of questions; `header` is the line on which its columns are named, where that is another. */
interface QuestionRecord extends JsonRecord {
  readonly header?: number
}

/** The records of a file of questions, each with its line. Throws UserError naming file and line. */
export async function* questionRecords(
  file: string,
  { encoding }: Pick<FilesOptions, 'encoding'>,
  bad: MalformedRecords,
): AsyncGenerator<QuestionRecord> {
  const name = file.replace(/\.gz$/i, '')
  if (isCsv(file)) yield* csvRows(file, await wholeText(file, encoding))
  else if (/\.(jsonl|ndjson|json)$/i.test(name)) yield* jsonRecords(file, bad, 'text')
  else if (/\.ya?ml$/i.test(name)) yield* yamlRecords(file, await wholeText(file, encoding))
  else throw new UserError(`${file}: questions are read from .csv, .tsv, .jsonl, .json, .yaml and .yml`)
}

/** Whether a file of questions is CSV, where a cell may hold several values. */
export const isCsv = (file: string): boolean => /\.(csv|tsv)(\.gz)?$/i.test(file)

function yamlRecords(file: string, text: string) {
  const lines = new LineCounter()
  const place = (offset = 0) => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`
  }
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: 'failsafe' })
    const [problem] = document.errors
    if (problem) throw new UserError(`${place(problem.pos[0])}: malformed YAML (${messageOf(problem)})`)
    visit(document, {
      Scalar(key, scalar) {
        const { value, type, tag, comment, range } = scalar
        const [, end = 0, next = 0] = range ?? []
        if (comment && /^[^\S\n]*#[\p{L}\d]/u.test(text.slice(end, next)))
          throw new UserError(
            `${place(end)}: YAML reads "#${comment}" as a comment; put the value in quotes, or write a space after "#"`,
          )
        if (key === 'key' || type !== 'PLAIN' || tag !== undefined) return
        if (value === 'null')
          throw new UserError(
            `${place(range?.[0])}: null: write "null" in quotes for the word, or leave the value empty`,
          )
        if (value === '~') scalar.value = null
      },
    })
    const { contents } = document
    if (!isSeq(contents))
      throw new UserError(`${place(contents?.range[0])}: expected a list of questions: "- question: …"`)
    // the document resolves aliases, and bounds how often
    const values = document.toJS() as readonly unknown[]
    return contents.items.map((item, index) => ({
      line: lines.linePos((item as Node | null)?.range?.[0] ?? 0).line,
      number: index + 1,
      value: values[index],
    }))
  } catch (error) {
    throw failureOf(`${file}: malformed YAML`, error)
  }
}
