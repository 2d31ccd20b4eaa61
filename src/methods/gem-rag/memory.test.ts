import { expect, test } from 'vitest'
import type { utilityQuestions } from '../../tasks/pieces.ts'
import { fakeModels, type FakeModels } from '../../testing/fake-models.ts'
import type { Models } from '../../types.ts'
import { tagWithQuestions } from './memory.ts'

type UtilityQuestionsInput = Parameters<typeof utilityQuestions.prompt>[0]

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
  const nodes = await tagWithQuestions(texts, { questions: 2, questionPool: 'shared' }, prefixing)
  const found = nodes.flatMap((node) => node.questions)
  expect(found.map(({ raw }) => raw)).toEqual(await embed(questions.map((text) => `query ${text}`)))
  expect(found.map(({ asDocument }) => asDocument)).toEqual(await embed(questions.map((text) => `document ${text}`)))
  expect(nodes.map(({ vector }) => vector)).toEqual(await embed(texts.map(({ text }) => `document ${text}`)))
})

test('takes the first questions of a pool with the same call for every m', async () => {
  const counts: number[] = []
  const pooled = fakeModels({
    replies: {
      'utility-questions': ({ text, count }: UtilityQuestionsInput) => {
        counts.push(count)
        return Array.from({ length: count }, (_, i) => `Question ${i} of ${text}?`)
      },
    },
  })
  const [node] = await tagWithQuestions(texts, { questions: 2, questionPool: 8 }, pooled)
  expect(node?.questions.map(({ text }) => text)).toEqual([
    'Question 0 of the mill by the river?',
    'Question 1 of the mill by the river?',
  ])
  await tagWithQuestions(texts, { questions: 2, questionPool: 'separate' }, pooled)
  expect(counts).toEqual([8, 8, 2, 2])
})
