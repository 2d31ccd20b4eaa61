import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeModels } from '../testing/fake-models.ts'
import { answer } from './index.ts'
import { readChoice, readOptionText } from './read-choice.ts'

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
    ['Option 1 is wrong', 0],
    ['In 1876 they built 2 of them', 1],
    ['The text says 3', 2],
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

  test('the words of an option win over a number inside them', () => {
    expect(readChoice('3 ships', ['1 ship', '2 ships', 'none', '3 ships'])).toBe(3)
  })

  test('options with equal text: the first', () => {
    expect(readChoice('same', ['same', 'same'])).toBe(0)
  })

  test('never leaves the range, never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { minLength: 1, maxLength: 6 }), (reply, options) => {
        const choice = readChoice(reply, options)
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

  test('a reply as near to two options takes the first and says so', () => {
    expect(readOptionText('it took days', days)).toEqual({ choice: 0, tied: true })
    expect(readOptionText('same', ['other', 'same', 'the same'])).toEqual({ choice: 1, tied: true })
  })

  test('the same words in another order are not the option', () => {
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

describe('the answerer reads as the answering model replies', () => {
  const query = { id: 'q', text: 'How long did it take?', options: days }
  const ask = (replies: object) => {
    const models = fakeModels({ replies: { 'answer-choice': () => 'it took 3 days to cross' } })
    return answer({ query, kind: 'choice', style: 'short' }, [], { ...models, ...replies })
  }

  test('an option by its text', async () => {
    expect(await ask({ replies: 'option-text' })).toEqual({ text: 'it took 3 days to cross', choice: 2 })
  })

  test('else by its number, wherever it stands', async () => {
    const options = ['a', 'b', 'c', 'It took 3 days to cross it']
    const models = fakeModels({ replies: { 'answer-choice': () => 'it took 3 days to cross' } })
    const asked = { query: { ...query, options }, kind: 'choice', style: 'short' } as const
    expect(await answer(asked, [], models)).toMatchObject({ choice: 2 })
    expect(await answer(asked, [], { ...models, replies: 'option-text' })).toMatchObject({ choice: 3 })
  })
})
