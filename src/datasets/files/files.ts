import { basename, relative, sep } from 'node:path'
import { addFields } from '../../basics/collections.ts'
import { defineDataset } from '../../define.ts'
import { answerableOf } from '../shared/document-of-record.ts'
import { countedCorpora } from '../shared/reading.ts'
import { findFiles, noDocuments, type FoundFiles } from './find-files.ts'
import { options, type FilesOptions } from './options.ts'
import { questionsFile } from './question-records.ts'
import { readDocuments } from './read-documents.ts'
import { readQuestions } from './read-questions.ts'

/** Documents of a folder and questions of a file: one corpus. File names are ids, so they tell results apart. */
export const files = defineDataset({
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
    const { found, questions } = await filesOf(path, options)
    return [...found.files.map((file) => file.path), questions]
  },
  // the last one is that of the questions, which may lie anywhere
  names: (files, path) => files.slice(0, -1).map((file) => relative(path, file).split(sep).join('/') || basename(file)),
  corpora: (path, options) =>
    countedCorpora(path, options.onBadRecord, async function* ({ bad }) {
      const { found, questions } = await filesOf(path, options)
      const { documents, leftOut, textless } = await readDocuments(found.files, options, bad)
      const left = addFields(found.leftOut, leftOut)
      if (documents.length === 0) throw bad.first() ?? noDocuments(path, left, textless)
      const asked = await readQuestions(questions, documents, options, bad)
      const told = asked.notes.length > 0 ? { notes: asked.notes } : {}
      const { questions: all, leftOut: unread } = asked
      yield { id: 'files', documents, questions: all, leftOut: addFields(left, unread), ...answerableOf(all), ...told }
    }),
})

async function filesOf(
  path: string,
  options: Pick<FilesOptions, 'questions' | 'formats'>,
): Promise<{ readonly found: FoundFiles; readonly questions: string }> {
  const questions = await questionsFile(path, options)
  const found = await findFiles(path, { ...options, except: questions })
  if (found.files.length === 0) throw noDocuments(path, found.leftOut)
  return { found, questions }
}
