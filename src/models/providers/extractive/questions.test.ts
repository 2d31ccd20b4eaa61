import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { answer } from './answer.ts'
import { type Language, openLanguage } from './language/language.ts'
import { questions } from './questions.ts'

const harbour = readFileSync(new URL('./harbour.txt', import.meta.url), 'utf8')

let language: Language
beforeAll(async () => {
  language = await openLanguage()
})

const asked = (text: string, count = 10) => JSON.parse(questions(language, { text, count })) as string[]

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
      (question) => answer(language, { question, context: harbour, style: 'short' }) !== 'unanswerable',
    )
    expect(answered.length).toBeGreaterThanOrEqual(16)
  })

  test('nothing of nothing', () => {
    expect(asked('')).toEqual([])
    expect(asked('!!! ---')).toEqual([])
  })
})
