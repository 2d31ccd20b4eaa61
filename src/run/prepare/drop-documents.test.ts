import { expect, test } from 'vitest'
import type { Corpus } from '../../types.ts'
import { quotesDropped, withoutDropped, type ShrunkCorpus, survey } from './survey.ts'

const documents = Array.from({ length: 12 }, (_, n) => ({ id: `d${n}`, text: `The number of this one text is ${n}.` }))
const question = { id: 'q', text: 'Which?', reference: { kind: 'answer' as const, accepted: [{ text: 'it' }] } }
const questions = documents.map(({ id }) => ({ ...question, id: `of ${id}`, evidence: [{ documentId: id }] }))

async function* corpora(): AsyncGenerator<Corpus> {
  yield { id: 'c', documents, questions }
}

async function shrunk(drop: number, seed = 42): Promise<ShrunkCorpus> {
  for await (const corpus of withoutDropped(corpora(), { documents: drop, at: 'a.yaml:3:9' }, seed)) return corpus
  throw new Error('no corpus')
}

const ids = (of: readonly { readonly id: string }[] = []): readonly string[] => of.map(({ id }) => id)

test('what a smaller number leaves out a larger one does, too, and a smaller corpus begins a larger one', async () => {
  const [all, few, many] = [await shrunk(0), await shrunk(3), await shrunk(7)]
  expect(ids(many.dropped).slice(0, 3)).toEqual(ids(few.dropped))
  expect(ids(all.documents).slice(0, 5)).toEqual(ids(many.documents))
  expect(ids(few.documents).slice(0, 5)).toEqual(ids(many.documents))
  expect([...ids(few.documents), ...ids(few.dropped)].sort()).toEqual(ids(documents).toSorted())
  expect(few.questions).toHaveLength(12)
  expect(ids((await shrunk(3, 7)).dropped)).not.toEqual(ids(few.dropped))
})

test('a corpus keeps a document, and no drop leaves everything as it is', async () => {
  await expect(shrunk(12)).rejects.toThrow(
    'a.yaml:3:9: dataset.drop: 12 would leave no document of the corpus "c", which has 12; say 11 at most',
  )
  for await (const corpus of withoutDropped(corpora(), undefined, 42)) expect(corpus.documents).toBe(documents)
})

test('the documents that are gone are counted and named, as are the questions that need them', async () => {
  const counts = await survey(withoutDropped(corpora(), { documents: 7, at: '' }, 42))
  const { dropped } = await shrunk(7)
  expect(counts).toMatchObject({ documents: 5, questions: 12, dropped: { c: ids(dropped) } })
  expect(counts.leftOut).toEqual({ 'documents that dataset.drop leaves out': 7 })
  expect(counts.notes).toHaveLength(1)
  expect(counts.notes[0]).toMatch(/^evidence of 7 questions lies in documents .* and 2 more$/)
})

test('a text quotes what is gone where it holds a sentence of it that stands nowhere else', () => {
  const corpus = { id: 'c', questions: [] }
  const gone = [{ id: 'a', text: 'He wrote it in the year 1920. It is known to everyone now. Nobody asked.' }]
  const quotes = quotesDropped({
    ...corpus,
    documents: [{ id: 'b', text: 'It is  known\nto everyone now.' }],
    dropped: gone,
  })
  expect(quotes?.('He said: he wrote it. It is known to everyone now. Nobody asked.')).toBe(false)
  expect(quotes?.('So far. He wrote it in\nthe year 1920. And more.')).toBe(true)
  expect(quotesDropped({ ...corpus, documents: gone, dropped: [] })).toBeUndefined()
})
