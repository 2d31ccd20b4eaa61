import { expect, test } from 'vitest'
import { fakeModels, type FakeModels } from '../../testing/fake-models.ts'
import type { Models } from '../../types.ts'
import { tagWithQuestions } from './memory.ts'

interface UtilityQuestionsInput {
  readonly text: string
  readonly count: number
}

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

test('embeds questions once if the embedder has no roles', async () => {
  const using = models()
  const nodes = await tagWithQuestions(texts, { questions: 2, questionPool: 'shared' }, using)
  expect(using.embedded).toEqual([
    { texts: [...texts.map(({ text }) => text), questions[0]], role: 'document' },
    { texts: questions, role: 'query' },
  ])
  for (const question of nodes.flatMap((node) => node.questions)) expect(question.asDocument).toBe(question.raw)
})

test('embeds questions in both roles if the embedder has roles', async () => {
  const { embed } = models()
  const prefixing: Models = { ...models(), embed: (given, role) => embed(given.map((text) => `${role ?? ''} ${text}`)) }
  const nodes = await tagWithQuestions(texts, { questions: 2, questionPool: 'shared' }, prefixing)
  const found = nodes.flatMap((node) => node.questions)
  expect(found.map(({ raw }) => raw)).toEqual(await embed(questions.map((text) => `query ${text}`)))
  expect(found.map(({ asDocument }) => asDocument)).toEqual(await embed(questions.map((text) => `document ${text}`)))
  expect(nodes.map(({ vector }) => vector)).toEqual(await embed(texts.map(({ text }) => `document ${text}`)))
})

test('takes the first questions of a pool with the same call for every m', async () => {
  const counts: number[] = []
  const reply = ({ text, count }: UtilityQuestionsInput) =>
    Array.from({ length: counts[counts.push(count) - 1] ?? 0 }, (_, i) => `Question ${i} of ${text}?`)
  const pooled = fakeModels({ replies: { 'utility-questions': reply } })
  const [node] = await tagWithQuestions(texts, { questions: 2, questionPool: 8 }, pooled)
  expect(node?.questions.map(({ text }) => text)).toEqual([
    'Question 0 of the mill by the river?',
    'Question 1 of the mill by the river?',
  ])
  await tagWithQuestions(texts, { questions: 2, questionPool: 'separate' }, pooled)
  expect(counts).toEqual([8, 8, 2, 2])
})
