import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeModels } from '../testing/fake-models.ts'
import { answer } from './index.ts'
import { readOptionText } from './read-option-text.ts'

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
