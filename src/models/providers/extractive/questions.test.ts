import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { extractiveReplies } from '../../../test-support/extractive-replies.ts'

const harbour = readFileSync(new URL('./harbour.txt', import.meta.url), 'utf8')

let reply: (task: string, input: unknown) => string
beforeAll(async () => {
  reply = await extractiveReplies()
})

const asked = (text: string, count = 10) => JSON.parse(reply('utility-questions', { text, count })) as string[]

describe('questions', () => {
  test.each([
    ['The lighthouse was built in 1871.', ['When was the lighthouse built?', 'What was built in 1871?']],
    [
      'Marie Curie discovered polonium and radium.',
      ['What did Marie Curie discover?', 'Who discovered polonium and radium?'],
    ],
    ['Marie Curie was born in Warsaw.', ['Where was Marie Curie born?', 'Who was born in Warsaw?']],
    [
      'The town employs two hundred women.',
      ['How many women does the town employ?', 'What employs two hundred women?'],
    ],
    ['Arden Mill is a water mill.', ['What is Arden Mill?', 'What is a water mill?']],
    [
      'The keeper of the lighthouse rang the great bell.',
      ['What did the keeper of the lighthouse ring?', 'What rang the great bell?'],
    ],
  ])('%s', (text, expected) => {
    expect(asked(text).filter((question) => !question.startsWith('What is said'))).toEqual(expected)
  })

  test('pronouns are written out', () => {
    expect(asked('John Bell owned a mill. He built it in 1790.')).toContain('When did John Bell build a mill?')
  })

  test('a text without a verb is asked about its noun phrases', () => {
    expect(asked('The old lamp of the lighthouse')).toEqual([
      'What is said about old lamp?',
      'What is said about lighthouse?',
    ])
  })

  test('as many as wanted, each once, from all over the text', () => {
    for (const count of [0, 1, 5, 12]) expect(asked(harbour, count)).toHaveLength(count)
    const many = asked(harbour, 100).map((question) => question.toLowerCase())
    expect(new Set(many).size).toBe(many.length)
    const first = asked(harbour, 12).map((question) => question.split(' ').slice(1).join(' '))
    expect(new Set(first).size).toBe(12)
  })

  test('the text that they were made of answers most of them', () => {
    const precise = asked(harbour, 20)
    const answered = precise.filter(
      (question) => reply('answer-question', { question, context: harbour, style: 'short' }) !== 'unanswerable',
    )
    expect(answered.length).toBeGreaterThanOrEqual(16)
  })

  test('nothing of nothing', () => {
    expect(asked('')).toEqual([])
    expect(asked('!!! ---')).toEqual([])
  })
})

const askedOf = (answer: string, index = 0) =>
  JSON.parse(reply('question-of-answer', { answer, index })) as { question: string; noncommittal: number }

test('asks for one part of the answer after the other, and begins again', () => {
  const answer = 'Marie Curie discovered polonium.'
  const all = [0, 1, 2, 3, 4].map((index) => askedOf(answer, index).question)
  expect(all.slice(0, 2)).toEqual(['What did Marie Curie discover?', 'Who discovered polonium?'])
  expect(new Set(all).size).toBeLessThan(5)
  expect(all).not.toContain('')
})

test('asks what is said about a bare name, and nothing of a bare number', () => {
  expect(askedOf('Tamsin Vale').question).toBe('What is said about Tamsin Vale?')
  expect(askedOf('...').question).toBe('')
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
  expect(askedOf(answer).noncommittal).toBe(expected)
})
