import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listsByLetter } from '../tasks/answers.ts'
import { disagreements } from '../test-support/answers.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { answer } from './index.ts'
import { readChoice, readOptionText } from './read-choice.ts'

/** Replies by what the prompt asked for and the options, each with the place of the option that is meant, from 1. */
const handMade = readFileSync(new URL('../test-support/choices.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n\n')
  .flatMap((block) => {
    const [, asked, options = '', lines = ''] = /^## (\w+): (.*)\n([^]*)$/.exec(block) ?? []
    return lines.split('\n').map((line) => {
      const [reply = '', expected = ''] = line.split(' → ')
      return [asked === 'letter' ? 'letter' : 'number', options, reply.replaceAll('⏎', '\n'), expected] as const
    })
  })

const lamps = ['A lamp', 'The old lighthouse', 'A boat', 'The lighthouse']

describe('readChoice', () => {
  test.each([
    ['2', 1],
    [' 3.', 2],
    ['(B)', 1],
    ['b', 1],
    ['**C**', 2],
    ['D) The lighthouse', 3],
    ['4: because of the keeper', 3],
    ['Answer: 2', 1],
    ['The answer is (C).', 2],
    ['The correct answer is option 4', 3],
    ['I would choose B, since the text says so', 1],
    ['the answer is a boat', 2],
    ['A boat', 2],
    ['a boat.', 2],
    ['It was the old lighthouse that burned', 1],
    ['Option 1 is wrong', null],
    ['In 1876 they built 2 of them', null],
    ['The text says 3', null],
    ['', null],
    ['7', null],
    ['0', null],
    ['I do not know', null],
    ['A boat or a lamp', null],
    ['Both the lighthouse and a boat', null],
    ['A man went home', null],
    ['Version 2.5 is out', null],
    ['I cannot answer', null],
  ])('%j means %j', (reply, expected) => {
    expect(readChoice(reply, lamps)).toBe(expected)
  })

  test('the text of an option wins over a number inside it', () => {
    expect(readChoice('3 ships', ['1 ship', '2 ships', 'none', '3 ships'])).toBe(3)
  })

  test('takes the first of options with equal text', () => {
    expect(readChoice('same', ['same', 'same'])).toBe(0)
  })

  test('the requested mark decides where options are letters', () => {
    const types = ['B', 'O', 'AB', 'A']
    expect([readChoice('B', types, 'letter'), readChoice('B', types, 'number')]).toEqual([1, 0])
    expect([readChoice('O', types, 'letter'), readChoice('2', types, 'letter')]).toEqual([1, 1])
  })

  test.each(handMade)('%s, %s: %j is read as %s', (asked, options, reply, expected) => {
    expect(readChoice(reply, options.split(' | '), asked)).toBe(expected === '-' ? null : Number(expected) - 1)
  })

  test('agrees with the gold cases', () => {
    const { ids } = disagreements('choice', ({ options, asked, reply }) => readChoice(reply, options, asked))
    expect(ids).toEqual([])
  })

  test.each(['number', 'letter'] as const)(
    'reads a mark alone as its option, and an unknown mark as none: %s',
    (asked) => {
      const mark = (index: number) => (asked === 'number' ? String(index + 1) : String.fromCharCode(65 + index))
      const frames = ['#', '(#)', '**#**', '#.', 'Answer: #', 'The answer is #.', '\\boxed{#}', '答案是#。', '"#"']
      const framed = fc.constantFrom(...frames)
      const options = fc.uniqueArray(fc.stringMatching(/^[b-z]{3,9}( [b-z]{3,9}){0,2}$/), {
        minLength: 2,
        maxLength: 8,
      })
      fc.assert(
        fc.property(options, fc.nat(9), framed, (options, index, frame) => {
          const choice = readChoice(frame.replace('#', mark(index)), options, asked)
          expect(choice).toBe(index < options.length ? index : null)
        }),
      )
    },
  )

  test('is always in range and never throws', () => {
    const options = fc.array(fc.string(), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(fc.string(), options, fc.constantFrom('number', 'letter'), (reply, options, asked) => {
        const choice = readChoice(reply, options, asked)
        return choice === null || (choice >= 0 && choice < options.length)
      }),
    )
  })
})

const days = [
  'It took five days to cross the pass',
  'They never crossed it',
  'It took 3 days to cross the pass',
  'A mule',
]

describe('readOptionText', () => {
  test.each([
    ['it took 3 days to cross', 2],
    ['It took five days', 0],
    ['they never crossed it.', 1],
    ['the mule', 3],
    ['3', 2],
    ['2', null],
    ['', null],
    ['the', null],
    ['nobody knows', null],
  ])('%j means %j', (reply, choice) => {
    expect(readOptionText(reply, days)).toEqual({ choice })
  })

  test('reads a reply equally near to two options as the first, and reports a tie', () => {
    expect(readOptionText('it took days', days)).toEqual({ choice: 0, tied: true })
    expect(readOptionText('same', ['other', 'same', 'the same'])).toEqual({ choice: 1, tied: true })
  })

  test('prefers the same word order', () => {
    expect(readOptionText('dog bites man', ['man bites dog', 'dog bites man'])).toEqual({ choice: 1 })
  })

  test('an option is read as itself, unless another reads the same', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[b-z]{1,3}( [b-z]{1,3}){0,3}$/), { minLength: 1 }), (options) => {
        const different = [...new Set(options)].filter((option) => !option.split(' ').some((word) => word === 'the'))
        for (const [index, option] of different.entries())
          expect(readOptionText(option.toUpperCase(), different)).toEqual({ choice: index })
      }),
    )
  })
})

describe("reads replies in the answering model's format", () => {
  const query = { id: 'q', text: 'How long did it take?', options: days }
  const ask = (replies: object) => {
    const models = fakeModels({ replies: { 'answer-choice': () => 'it took 3 days to cross' } })
    return answer({ query, kind: 'choice', style: 'short' }, [], { ...models, ...replies })
  }

  test('reads an option by its text', async () => {
    expect(await ask({ replies: 'option-text' })).toEqual({ text: 'it took 3 days to cross', choice: 2 })
  })

  test("an option by its number, or its letter where the config's prompt uses letters", async () => {
    const models = fakeModels({ replies: { 'answer-choice': () => 'B' } })
    const asked = { query: { ...query, options: ['B', 'A', '1'] }, kind: 'choice', style: 'short' } as const
    expect(await answer(asked, [], models)).toMatchObject({ choice: 0 })
    expect(await answer(asked, [], { ...models, replies: 'letter' })).toMatchObject({ choice: 1 })
  })

  test.each([
    ['{{options:lettered}}', true],
    ['{{options}}', false],
    ['{{options:lines}}', false],
    ['{{context:lettered}}', false],
  ])('%s in a prompt: options have letters: %s', (placeholder, expected) => {
    const template = [{ role: 'user', content: `{{question}} ${placeholder}` }] as const
    expect(listsByLetter({ 'answer-choice': template })).toBe(expected)
    expect(listsByLetter({ 'answer-question': template })).toBe(false)
  })
})
