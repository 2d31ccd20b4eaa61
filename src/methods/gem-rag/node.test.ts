import { expect, test } from 'vitest'
import type { UtilityQuestionsInput } from '../../tasks/pieces.ts'
import { fakeModels, type FakeModels } from '../../testing/fake-models.ts'
import type { Models } from '../../types.ts'
import { tagged } from './memory.ts'

const texts = ['the mill by the river', 'rye bread'].map((text) => ({ kind: 'chunk' as const, text, from: [text] }))
const models = (): FakeModels =>
  fakeModels({
    replies: { 'utility-questions': ({ text }: UtilityQuestionsInput) => [`Where is ${text}?`, `What is ${text}?`] },
  })
const questions = [
  'Where is the mill by the river?',
  'What is the mill by the river?',
  'Where is rye bread?',
  'What is rye bread?',
]

test('questions are embedded once where the first of them shows that the embedder knows no roles', async () => {
  const using = models()
  const nodes = await tagged(texts, { questions: 2, questionPool: 'shared' }, using)
  expect(using.embedded).toEqual([
    { texts: [...texts.map(({ text }) => text), questions[0]], role: 'document' },
    { texts: questions, role: 'query' },
  ])
  for (const question of nodes.flatMap((node) => node.questions)) expect(question.asDocument).toBe(question.raw)
})

test('an embedder that tells queries from documents is asked for both', async () => {
  const { run, embed, countTokens, embedTokens, tokenIds, random, seed } = models()
  const prefixing: Models = {
    run,
    countTokens,
    embedTokens,
    tokenIds,
    random,
    seed,
    embed: (given, role) => embed(given.map((text) => `${role ?? ''} ${text}`)),
  }
  const nodes = await tagged(texts, { questions: 2, questionPool: 'shared' }, prefixing)
  const found = nodes.flatMap((node) => node.questions)
  expect(found.map(({ raw }) => raw)).toEqual(await embed(questions.map((text) => `query ${text}`)))
  expect(found.map(({ asDocument }) => asDocument)).toEqual(await embed(questions.map((text) => `document ${text}`)))
  expect(nodes.map(({ vector }) => vector)).toEqual(await embed(texts.map(({ text }) => `document ${text}`)))
})

test('embeddings are kept as they came, 32 bits a number, and nothing is kept beside them', async () => {
  const kept = (await tagged(texts, { questions: 2, questionPool: 'shared' }, models())).flatMap(
    ({ vector, questions: asked }) => [vector, ...asked.flatMap((question) => Object.values<unknown>({ ...question }))],
  )
  const vectors = new Set(kept.filter((one) => ArrayBuffer.isView(one)))
  expect([...vectors].every((vector) => vector instanceof Float32Array)).toBe(true)
  expect(vectors.size).toBe(2 + 4)
})

test('without questions nothing but the texts is embedded', async () => {
  const using = models()
  await tagged(texts, { questions: 0, questionPool: 8 }, using)
  expect(using.embedded.flatMap((call) => call.texts)).toEqual(texts.map(({ text }) => text))
})

test('of a pool the first questions are taken: the call is that of the pool, whatever their number', async () => {
  const counts: number[] = []
  const pooled = fakeModels({
    replies: {
      'utility-questions': ({ text, count }: UtilityQuestionsInput) => {
        counts.push(count)
        return Array.from({ length: count }, (_, i) => `Question ${i} of ${text}?`)
      },
    },
  })
  const [node] = await tagged(texts, { questions: 2, questionPool: 8 }, pooled)
  expect(node?.questions.map(({ text }) => text)).toEqual([
    'Question 0 of the mill by the river?',
    'Question 1 of the mill by the river?',
  ])
  await tagged(texts, { questions: 2, questionPool: 'separate' }, pooled)
  expect(counts).toEqual([8, 8, 2, 2])
})
