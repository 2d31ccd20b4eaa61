import { z } from 'zod'
import type { Document, Question } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { locateAnswer } from './shared/answer-span.ts'
import { unanswerable } from './shared/document-of-record.ts'
import { officialFile } from './shared/official-file.ts'
import { filesBelow, publishedDataset } from './shared/published-dataset.ts'

const id = z.union([z.string(), z.int()]).transform(String)
const question = z.object({
  id,
  question: words,
  is_impossible: z.boolean().default(false),
  answers: z.array(z.object({ text: words, answer_start: z.int() })),
})
const article = z.object({ document_id: id, context: words, qas: z.array(z.unknown()) })
const articles = z
  .object({ data: z.array(z.object({ paragraphs: z.array(z.unknown()) })) })
  .describe('COVID-QA (the SQuAD form: data, paragraphs, context, qas)')

/**
 * COVID-QA (Möller et al., 2020): evidence is the paragraph of the marked answer, which is looked up nearest to its
 * offset (`repaired-offset`); one found nowhere has none (`lost-answer`).
 */
export const covidQa = publishedDataset({
  name: 'covid-qa',
  summary:
    'Questions by biomedical experts about articles on the coronavirus; the answers are marked spans of the articles.',
  source: 'https://github.com/deepset-ai/COVID-QA',
  licence: 'Apache 2.0',
  layout: '`COVID-QA.json`',
  options: z.strictObject({}),
  evidence: 'some',
  answers: 'sentence',
  files: async (path) => [await officialFile(path, ['COVID-QA.json'], 'covid-qa')],
  async *corpora({ files: [file], bad }) {
    // every article is searched for every question (our reading)
    const documents: Document[] = []
    const questions: Question[] = []
    for await (const { value, part } of recordsOf(file, articles, bad))
      for (const [group, { paragraphs }] of value.data.entries())
        for (const [index, paragraph] of paragraphs.entries()) {
          const place = ['data', group, 'paragraphs', index]
          const read = part(article, paragraph, ...place)
          if (!read) continue
          const document = { id: read.document_id, text: read.context }
          documents.push(document)
          for (const [number, item] of read.qas.entries()) {
            const record = part(question, item, ...place, 'qas', number)
            if (record) questions.push(toQuestion(record, document))
          }
        }
    yield { id: 'covid-qa', documents, questions }
  },
  download: {
    files: filesBelow('https://raw.githubusercontent.com/deepset-ai/COVID-QA/master/data/question-answering', [
      'COVID-QA.json',
    ]),
    note: 'UnWeaver reports on another dataset of this name: the subset covidqa of "ragbench".',
  },
})

function toQuestion({ id, answers, ...read }: z.output<typeof question>, document: Document): Question {
  const common = { id, text: read.question.trim(), cluster: document.id }
  if (read.is_impossible) return { ...common, ...unanswerable, tags: ['unanswerable'] }
  const answerPlaces = answers.map(({ text, answer_start }) =>
    locateAnswer(document, { answer: text, offset: answer_start }),
  )
  const answerEvidence = answerPlaces.flatMap(({ evidence }) => evidence ?? [])
  const byStart = new Map(answerEvidence.map((place) => [place.start, place]))
  const evidence = [...byStart.values()]
  return {
    ...common,
    reference: { kind: 'answer', accepted: answers.map(({ text }) => ({ text: text.trim(), type: 'extractive' })) },
    ...(evidence.length > 0 && { evidence }),
    tags: [...new Set(answerPlaces.flatMap(({ tags }) => tags))],
  }
}
