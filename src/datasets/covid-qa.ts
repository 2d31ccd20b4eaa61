import { z } from 'zod'
import { defineDataset } from '../define.ts'
import type { Corpus, Document, Question } from '../types.ts'
import { locateAnswer } from './answer-span.ts'
import { officialFile } from './files.ts'
import { jsonRecords } from './json-records.ts'
import { shape, words } from './shape.ts'
import { unanswerable } from './unanswerable.ts'

const release = 'COVID-QA (the SQuAD form: data, paragraphs, context, qas)'

const options = z.strictObject({
  scope: z
    .enum(['all', 'document'])
    .default('all')
    .describe(
      'all: every article is searched for every question (our reading); document: only its own, as when reading',
    ),
})

const id = z.union([z.string(), z.int()]).transform(String)
const question = z.object({
  id,
  question: words,
  is_impossible: z.boolean().default(false),
  answers: z.array(z.object({ text: words, answer_start: z.int() })),
})
const article = z.object({ document_id: id, context: words, qas: z.array(question) })
const articles = z.object({ data: z.array(z.object({ paragraphs: z.array(article) })) })

/**
 * COVID-QA (Möller et al., 2020): articles with answers marked in them. Evidence is the paragraph that holds the answer. An answer beside
 * its offset is looked up where it stands nearest (`repaired-offset`); one found nowhere has the whole article (`lost-answer`).
 */
export const covidQa = defineDataset({
  name: 'covid-qa',
  summary: 'Questions by biomedical experts about articles on the coronavirus, answered by passages marked in them.',
  source: 'https://github.com/deepset-ai/COVID-QA',
  licence: 'Apache 2.0',
  options,
  evidence: true,
  answers: 'sentence',
  files: async (path) => [await fileOf(path)],
  async *corpora(path, { scope }) {
    const corpora: Corpus[] = []
    const file = await fileOf(path)
    for await (const { line, value } of jsonRecords(file))
      for (const { paragraphs } of shape(articles, value, `${file}:${line}`, release).data)
        corpora.push(...paragraphs.map(corpusOf))
    if (scope === 'document') yield* corpora
    else
      yield {
        id: 'covid-qa',
        documents: corpora.flatMap(({ documents }) => documents),
        questions: corpora.flatMap(({ questions }) => questions),
      }
  },
  download: {
    files: [
      {
        url: 'https://raw.githubusercontent.com/deepset-ai/COVID-QA/master/data/question-answering/COVID-QA.json',
        name: 'COVID-QA.json',
      },
    ],
    note: 'This is not the covidqa of RAGBench, on which UnWeaver reports: that is a subset of "ragbench".',
  },
})

const fileOf = (path: string): Promise<string> => officialFile(path, ['COVID-QA.json'], 'covid-qa')

function corpusOf({ document_id, context, qas }: z.output<typeof article>): Corpus {
  const document = { id: document_id, text: context }
  return { id: document_id, documents: [document], questions: qas.map((asked) => toQuestion(asked, document)) }
}

function toQuestion(asked: z.output<typeof question>, document: Document): Question {
  const common = { id: asked.id, text: asked.question.trim() }
  if (asked.is_impossible) return { ...common, ...unanswerable, tags: ['unanswerable'] }
  const located = asked.answers.map(({ text, answer_start }) =>
    locateAnswer(document.id, document.text, { answer: text, offset: answer_start }),
  )
  return {
    ...common,
    reference: {
      kind: 'answer',
      accepted: asked.answers.map(({ text }) => ({ text: text.trim(), type: 'extractive' })),
    },
    evidence: [...new Map(located.map(({ evidence }) => [evidence.text, evidence])).values()],
    tags: [...new Set(located.flatMap(({ tags }) => tags))],
  }
}
