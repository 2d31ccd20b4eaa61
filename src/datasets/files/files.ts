import { basename, relative, sep } from 'node:path'
import { groupBy } from '../../basics/collections.ts'
import { listing, plural, present } from '../../text/amounts.ts'
import { answerableOf } from '../shared/document-of-record.ts'
import { type MalformedRecords, publishedDataset } from '../shared/published-dataset.ts'
import { valuesOfCell, wholeText } from './cell-values.ts'
import { countsOf, findFiles, noDocuments, type Omission } from './find-files.ts'
import { options, type FilesOptions } from './options.ts'
import { questionsFile, isCsv, questionRecords } from './question-records.ts'
import { readDocuments } from './read-documents.ts'
import { UserError } from '../../errors.ts'
import type { Document, Question } from '../../types.ts'
import { evidenceFinder, notesOnMissing } from './find-evidence.ts'
import { columnsOf, toQuestion } from './to-question.ts'
import { withoutFormulaMark } from './write-questions.ts'

/** Documents of a folder and questions of a file: one corpus. File names are ids, so they are part of the identity. */
export const files = publishedDataset({
  name: 'files',
  summary: 'Data of your own: the documents of a folder, and a file of questions.',
  source: 'own data',
  licence: 'own data',
  layout: 'a folder of `.txt`, `.md`, `.html`, `.pdf`, `.docx`, `.jsonl`, `.json` or `.csv`, and a file of questions',
  options,
  evidence: 'some',
  withoutAnswers: true,
  answers: 'by-reference',
  right: 'meaning',
  async files(path, options) {
    const { documents, questions } = await filesOf(path, options)
    return [...documents.map((file) => file.path), questions]
  },
  // the last file is that of the questions, which may be anywhere
  names: (files, path) => files.slice(0, -1).map((file) => relative(path, file).split(sep).join('/') || basename(file)),
  async *corpora({ path, options, bad, leftOut }) {
    const skips: Omission[] = []
    const inputs = await filesOf(path, options, skips)
    const documents = await readDocuments(path, inputs.documents, options, bad, skips)
    const { questions, notes, unread } = await readQuestions(inputs.questions, documents, options, bad)
    for (const [reason, count] of Object.entries(countsOf(skips))) leftOut(reason, count)
    leftOut(`columns of the questions that are not read (${unread.join(', ')})`, unread.length)
    const corpus = { id: 'files', documents, questions, ...answerableOf(questions) }
    yield notes.length > 0 ? { ...corpus, notes } : corpus
  },
})

async function filesOf(path: string, options: Pick<FilesOptions, 'questions'>, skips: Omission[] = []) {
  const questions = await questionsFile(path, options)
  const documents = await findFiles(path, skips, questions)
  if (documents.length === 0) throw noDocuments(path, skips)
  return { documents, questions }
}

/** The questions of a file, notes on them, and the columns that are not read. Throws UserError naming file and line. */
export async function readQuestions(
  file: string,
  documents: readonly Document[],
  options: FilesOptions,
  bad: MalformedRecords,
) {
  const columns = columnsOf(options.columns, isCsv(file) ? valuesOfCell : wholeText)
  const markedColumns = columnsOf(options.columns, (text, field, where) =>
    valuesOfCell(withoutFormulaMark(text), field, where),
  )
  // text that occurs in no document may be several quotations
  const split = (text: string): readonly string[] => {
    const parts = isCsv(file) ? text.split('|') : [text]
    return parts.map((part) => part.trim()).filter((part) => part !== '')
  }
  const find = evidenceFinder(documents, split)
  const lines = new Map<string, number>()
  const questions: Question[] = []
  let number = 0
  for await (const { line, header = line, value } of questionRecords(file, options, bad)) {
    number++
    const where = `${file}:${line}`
    const headerPlace = `${file}:${header}`
    const read = (): Question => {
      const fieldValues = columns.read(value, where, headerPlace)
      // only gembench writes this column, and marks what a spreadsheet would take for a formula
      const isMarked = isCsv(file) && fieldValues('synthetic').length > 0
      const values = isMarked ? markedColumns.read(value, where, headerPlace) : fieldValues
      const question = toQuestion(values, number, where, find)
      const before = lines.get(question.id)
      if (before !== undefined)
        throw new UserError(`${where}: the question id "${question.id}" is used by line ${before} already`)
      lines.set(question.id, line)
      return question
    }
    const question = bad.attempt(read)
    if (question) questions.push(question)
  }
  columns.finish(file)
  if (number === 0)
    throw new UserError(`${file}: contains no questions; write one row for each, below the column names`)
  return {
    questions,
    notes: present(
      notesOnMissing(questions, documents, ({ id }) => `${file}:${lines.get(id)}`),
      noteOnTwins(file, questions, lines),
    ),
    unread: columns.unread(),
  }
}

function noteOnTwins(file: string, questions: readonly Question[], lines: ReadonlyMap<string, number>) {
  const groups = [...groupBy(questions, keyOf).values()]
  const twins = groups.filter((group) => group.length > 1 && !areOneCluster(group))
  if (twins.length === 0) return false
  const places = twins.map((group) => {
    const numbers = group.map(({ id }) => lines.get(id))
    return `lines ${numbers.join(', ')}`
  })
  const subject = plural(twins.length, 'question occurs', 'questions occur')
  return `${subject} more than once in ${basename(file)} (${listing(places, '; ')}); each time counts as independent: keep one, or give them one "cluster"`
}

/** Whether statistics count questions as one unit already. */
const areOneCluster = ([first, ...rest]: readonly Question[]) =>
  first?.cluster !== undefined && rest.every(({ cluster }) => cluster === first.cluster)

const keyOf = ({ text, reference, evidence = [] }: Question) =>
  JSON.stringify([
    text.trim().replace(/\s+/g, ' '),
    reference.kind === 'choice' ? reference.options : [],
    [...new Set(evidence.map(({ documentId }) => documentId))].sort(),
  ])
