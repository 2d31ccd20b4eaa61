import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { choiceFor, sentenceFor, shortAnswer } from './answers.ts'

const harbour = readFileSync(new URL('./harbour.txt', import.meta.url), 'utf8')

describe('short answers', () => {
  test.each([
    ['Who founded Tarn?', 'Captain Elias Moor'],
    ['When was Tarn founded?', '1642'],
    ['How much did the lamp weigh?', '900 kilograms'],
    ['Who kept the light for thirty-one years?', 'Ingrid Falk'],
    ['Why did the lamp break?', 'a flying roof tile had hit the glass'],
    ['When was the great storm?', '1903'],
    ['Where did the lamp come from?', 'Leith'],
    ['Who is the mayor?', 'Tomas Reed'],
    ['Is the museum open on Mondays?', 'no'],
    ['Did the town build a cannery?', 'yes'],
  ])('%s %s', (question, expected) => expect(shortAnswer(question, harbour)).toBe(expected))

  test.each([
    ['too little of the question is in the context', 'Who won the chess championship in Paris?', harbour],
    ['no name in it', 'Who lit the lamp?', 'The lamp was lit at dusk.'],
    ['no date in it', 'When was the lamp lit?', 'The lamp was lit by the keeper.'],
    ['no context', 'Who lit the lamp?', ''],
    ['no question', '', harbour],
  ])('unanswerable: %s', (_, question, context) => expect(shortAnswer(question, context)).toBe('unanswerable'))

  test('follow the context, so that methods differ by what they retrieve', () => {
    expect(shortAnswer('Who founded Tarn?', 'Tarn was founded by Elias Moor.')).toBe('Elias Moor')
    expect(shortAnswer('Who founded Tarn?', 'Tarn was founded by Anna Stone.')).toBe('Anna Stone')
  })
})

describe('sentences', () => {
  test('have the largest overlap with the question, in any script', () => {
    expect(sentenceFor('Why did the lamp break?', harbour)).toMatch(/^During the great storm of 1903 the lamp broke/)
    expect(sentenceFor('灯塔建于哪一年？', '守塔人每天晚上点灯。灯塔建于1871年。')).toBe('灯塔建于1871年。')
  })

  test('say that there is no answer without overlap or context', () => {
    expect(sentenceFor('Qui vive?', harbour)).toBe('The answer is not known.')
    expect(sentenceFor('Who founded Tarn?', '')).toBe('The answer is not known.')
  })

  test('are never a title or the question itself', () => {
    const context = 'Who founded Tarn?\n\nThe Tarn\n\nMoor founded Tarn.'
    expect(sentenceFor('Who founded Tarn?', context)).toBe('Moor founded Tarn.')
  })
})

describe('choices', () => {
  const choose = (question: string, options: readonly string[], context = harbour): number =>
    Number(choiceFor({ question, options, context }))

  test.each([
    [
      'Why did the lamp break?',
      ['A tile hit the glass', 'The keeper dropped it', 'Lightning struck it', 'It was old'],
      1,
    ],
    ['What did Falk do in the storm?', ['She fled', 'She lit a fire', 'She slept', 'She rang the bell by hand'], 4],
    ['When was the line to Kelso closed?', ['1920', '1958', '1964', '1903'], 3],
    ['How did Reed pay for the study?', ['With a loan', 'By selling the forest', 'With taxes', 'With fish'], 2],
    ['Which is NOT in the museum?', ['Nets', 'Barrels', 'Steam engines', 'Photographs'], 3],
  ])('%s', (question, options, expected) => expect(choose(question, options)).toBe(expected))

  test('ignore words that all options share', () => {
    const options = ['The bell of Falk', 'The lamp of Falk', 'The bridge of Falk']
    expect(choose('What broke?', options, 'Falk sang. The lamp broke.')).toBe(2)
  })

  test('take the lowest number of ties, and the longest option without a context', () => {
    expect(choose('What flew?', ['Unicorns', 'Dragons', 'Griffins'])).toBe(1)
    expect(choose('Why?', ['No', 'Because of the long storm', 'Yes'], '')).toBe(2)
  })

  test('always name an option', () => {
    const options = fc.array(fc.string(), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(fc.string(), options, fc.string(), (question, options, context) => {
        const number = choose(question, options, context)
        return Number.isInteger(number) && number >= 1 && number <= options.length
      }),
    )
  })
})
