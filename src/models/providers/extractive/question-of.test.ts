import { beforeAll, expect, test } from 'vitest'
import { type Language, openLanguage } from './language/language.ts'
import { questionOf } from './question-of.ts'

let language: Language
beforeAll(async () => {
  language = await openLanguage()
})

const asked = (answer: string, index = 0) =>
  JSON.parse(questionOf(language, { answer, index })) as { question: string; noncommittal: number }

test('asks for one part of the answer after the other, and begins again', () => {
  const answer = 'Marie Curie discovered polonium.'
  const all = [0, 1, 2, 3, 4].map((index) => asked(answer, index).question)
  expect(all.slice(0, 2)).toEqual(['What did Marie Curie discover?', 'Who discovered polonium?'])
  expect(new Set(all).size).toBeLessThan(5)
  expect(all).not.toContain('')
})

test('asks what is said about a bare name, and nothing of a bare number', () => {
  expect(asked('Tamsin Vale').question).toBe('What is said about Tamsin Vale?')
  expect(asked('...').question).toBe('')
})

test.each([
  ['Unanswerable', 1],
  ['There is no information to answer this question.', 1],
  ['The answer is not known.', 1],
  ["I don't know.", 1],
  ['The context cannot tell.', 1],
  ['It was not built in 1790.', 0],
  ['The builder is unknown.', 1],
  ['The unknown soldier lies in Paris.', 0],
  ['He did not know who built it.', 0],
  ['John Bell built it.', 0],
  ['', 0],
])('%s: %d', (answer, expected) => {
  expect(asked(answer).noncommittal).toBe(expected)
})
