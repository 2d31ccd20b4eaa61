import { z } from 'zod'
import { defineDataset } from '../define.ts'
import type { Document, Question } from '../types.ts'
import { recordsOf, shape, words } from '../formats/records.ts'
import { locateAnswer } from './shared/answer-span.ts'
import { unanswerable } from './shared/document-of-record.ts'
import { officialFile } from './shared/official-file.ts'
import { type BadRecords, countedCorpora } from './shared/reading.ts'

const release = 'COVID-QA (the SQuAD form: data, paragraphs, context, qas)'

const id = z.union([z.string(), z.int()]).transform(String)
const question = z.object({
  id,
  question: words,
  is_impossible: z.boolean().default(false),
  answers: z.array(z.object({ text: words, answer_start: z.int() })),
})
const article = z.object({ document_id: id, context: words, qas: z.array(z.unknown()) })
const articles = z.object({ data: z.array(z.object({ paragraphs: z.array(z.unknown()) })) })

/**
 * COVID-QA (Möller et al., 2020): articles with answers marked in them. Evidence is the paragraph that holds the
 * answer. An answer beside its offset is looked up where it stands nearest (`repaired-offset`); one found nowhere has
 * no evidence (`lost-answer`). Records are articles and questions.
 */
export const covidQa = defineDataset({
  name: 'covid-qa',
  summary:
    'Questions by biomedical experts about articles on the coronavirus; the answers are marked spans of the articles.',
  source: 'https://github.com/deepset-ai/COVID-QA',
  licence: 'Apache 2.0',
  layout: '`COVID-QA.json`',
  options: z.strictObject({}),
  evidence: 'some',
  answers: 'sentence',
  files: async (path) => [await fileOf(path)],
  corpora: (path, _options, onBadRecord) =>
    countedCorpora(path, onBadRecord, async function* ({ bad }) {
      const articles = await articlesOf(await fileOf(path), bad)
      // every article is searched for every question (our reading)
      yield {
        id: 'covid-qa',
        documents: articles.map(({ document }) => document),
        questions: articles.flatMap(({ questions }) => questions),
      }
    }),
  download: {
    files: [
      {
        url: 'https://raw.githubusercontent.com/deepset-ai/COVID-QA/master/data/question-answering/COVID-QA.json',
        name: 'COVID-QA.json',
      },
    ],
    note: 'UnWeaver reports on another dataset of this name: the subset covidqa of "ragbench".',
  },
})

const fileOf = (path: string): Promise<string> => officialFile(path, ['COVID-QA.json'], 'covid-qa')

interface Article {
  readonly document: Document
  readonly questions: readonly Question[]
}

async function articlesOf(file: string, bad: BadRecords): Promise<readonly Article[]> {
  const read: Article[] = []
  for await (const { value, where } of recordsOf(file, articles, release, bad))
    for (const [group, { paragraphs }] of value.data.entries())
      for (const [index, one] of paragraphs.entries()) {
        const place = ['data', group, 'paragraphs', index]
        const found = bad.attempt(() => shape(article, one, where, release, place))
        if (!found) continue
        const document = { id: found.document_id, text: found.context }
        const asked = found.qas.flatMap(
          (one, number) => bad.attempt(() => shape(question, one, where, release, [...place, 'qas', number])) ?? [],
        )
        read.push({ document, questions: asked.map((one) => toQuestion(one, document)) })
      }
  return read
}

function toQuestion(asked: z.output<typeof question>, document: Document): Question {
  const common = { id: asked.id, text: asked.question.trim(), cluster: document.id }
  if (asked.is_impossible) return { ...common, ...unanswerable, tags: ['unanswerable'] }
  const located = asked.answers.map(({ text, answer_start }) =>
    locateAnswer(document.id, document.text, { answer: text, offset: answer_start }),
  )
  const places = new Map(located.flatMap(({ evidence }) => (evidence ? [[evidence.start, evidence]] : [])))
  const evidence = [...places.values()]
  return {
    ...common,
    reference: {
      kind: 'answer',
      accepted: asked.answers.map(({ text }) => ({ text: text.trim(), type: 'extractive' })),
    },
    ...(evidence.length > 0 && { evidence }),
    tags: [...new Set(located.flatMap(({ tags }) => tags))],
  }
}
