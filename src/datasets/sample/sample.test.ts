import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { gather } from '../../testing/dataset.ts'
import type { Question } from '../../types.ts'
import { sample } from './sample.ts'

const folder = fileURLToPath(new URL('../../../datasets/sample', import.meta.url))
const defaults = sample.options.parse({})

const corpus = (await gather(sample.corpora(folder, defaults)))[0]!
const withTag = (tag: string): Question[] => corpus.questions.filter(({ tags }) => tags?.includes(tag))
const textOf = new Map(corpus.documents.map(({ id, text }) => [id, text]))

test('the documents of the sample are one corpus, sorted, with the questions as the last file', async () => {
  const files = (await sample.files(folder, defaults)).map((file) => basename(file))
  expect(files).toEqual([...corpus.documents.map(({ id }) => `${id}.md`), 'questions.jsonl'])
  expect(corpus.documents.map(({ id }) => id)).toEqual([...textOf.keys()].sort())
})

describe('the questions of the sample', () => {
  test('have whole paragraphs as evidence, word for word', () => {
    for (const { id, evidence = [] } of corpus.questions)
      for (const { documentId, text } of evidence)
        expect(`${textOf.get(documentId)}\n`.includes(`\n\n${text}\n\n`), id).toBe(true)
  })

  test('have evidence unless they are unanswerable', () => {
    const without = corpus.questions.filter(({ evidence }) => evidence?.length === 0)
    expect(without).toEqual(withTag('unanswerable'))
  })
})

test('kinds: summary makes one corpus and one summary question per document', async () => {
  const options = sample.options.parse({ kinds: 'summary' })
  const files = (await sample.files(folder, options)).map((file) => basename(file))
  expect(files).toEqual([...textOf.keys()].map((id) => `${id}.md`).concat('summaries.jsonl'))
  const corpora = await gather(sample.corpora(folder, options))
  expect(corpora.map(({ id, documents }) => [id, documents.map((document) => document.id)])).toEqual(
    [...textOf.keys()].map((id) => [id, [id]]),
  )
  for (const { id, questions } of corpora) {
    expect(questions).toHaveLength(1)
    expect(questions[0]).toMatchObject({ evidence: [{ documentId: id }], reference: { kind: 'summary' } })
    const { reference } = questions[0]!
    if (reference.kind === 'summary') expect(reference.accepted).toHaveLength(2)
  }
})
