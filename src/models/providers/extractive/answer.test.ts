import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { answer } from './answer.ts'
import { type Language, openLanguage } from './language.ts'

const harbour = readFileSync(new URL('./harbour.txt', import.meta.url), 'utf8')

let language: Language
beforeAll(async () => {
  language = await openLanguage()
})

const short = (question: string, context = harbour) => answer(language, { question, context, style: 'short' })
const sentence = (question: string, context = harbour) => answer(language, { question, context, style: 'sentence' })

describe('short answers about a page', () => {
  test.each([
    ['Who founded Tarn?', 'Captain Elias Moor'],
    ['When was Tarn founded?', '1642'],
    ['Where is Tarn?', 'northern coast'],
    ['What did Elias Moor lose on the reef?', 'ship'],
    ['When was the lighthouse built?', 'between 1868 and 1871'],
    ['Where did the lamp come from?', 'Leith'],
    ['How much did the lamp weigh?', '900 kilograms'],
    ['Who kept the light for thirty-one years?', 'Ingrid Falk'],
    ['How long did Ingrid Falk keep the light?', 'thirty-one years'],
    ['Why did the lamp break?', 'a flying roof tile had hit the glass'],
    ['When was the great storm?', '1903'],
    ['When did the town build a cannery?', '1920'],
    ['How many women did the cannery employ?', 'two hundred'],
    ['When did the cannery close?', '1958'],
    ['What can visitors see?', 'nets, barrels and old photographs'],
    ['Who is the mayor?', 'Tomas Reed'],
    ['What does the mayor want to bring back?', 'railway'],
    ['Why was the line to Kelso closed?', 'falling traffic'],
    ['How did Reed pay for the study?', 'selling the town forest'],
  ])('%s %s', (question, expected) => {
    expect(short(question)).toBe(expected)
  })
})

describe('short answers about a line', () => {
  test.each([
    ['Where is the fuse?', 'The fuse is beneath the panel.', 'panel'],
    ['Where did they sleep?', 'They came at eleven minutes past six and slept in the hall.', 'hall'],
    ['What did the keeper grow?', 'He grew beans. The keeper was a tall man with a boat.', 'beans'],
    ['What is the weight of the bell?', 'The bell, a gift, has a weight of 640 kilograms.', '640 kilograms'],
  ])('%s %s', (question, context, expected) => {
    expect(short(question, context)).toBe(expected)
  })
})

describe('yes and no', () => {
  test.each([
    ['Did the town build a cannery?', 'yes'],
    ['Did Falk ring the bell by hand?', 'yes'],
    ['Is the museum open on Mondays?', 'no'],
    ['Can the old bridge carry modern trains?', 'no'],
    ['Was a ship lost that night?', 'no'],
    ['Can the old bridge not carry modern trains?', 'yes'],
  ])('%s %s', (question, expected) => {
    expect(short(question)).toBe(expected)
  })

  test('an opposite word is a no', () => {
    expect(short('Did the price of bread increase?', 'The price of bread will decrease.')).toBe('no')
    expect(short('Did the price of bread increase?', 'The price of bread did increase.')).toBe('yes')
  })
})

describe('unanswerable', () => {
  test.each([
    ['too little of the question is in the context', 'Who won the chess championship in Paris?', harbour],
    ['nobody in it', 'Who lit the lamp?', 'The lamp was lit at dusk.'],
    ['no date in it', 'When was the lamp lit?', 'The lamp was lit by the keeper.'],
    ['no number in it', 'How many lamps were lit?', 'The lamps were lit by the keeper.'],
    ['no context', 'Who lit the lamp?', ''],
    ['no question', '', harbour],
    [
      'only half of a yes-no question',
      'Did the keeper of the lamp marry a dancer in Spain?',
      'The keeper lit the lamp.',
    ],
  ])('%s', (_, question, context) => {
    expect(short(question, context)).toBe('unanswerable')
  })
})

describe('sentences', () => {
  test.each([
    ['Who founded Tarn?', 'It was founded in 1642 by Captain Elias Moor, who had lost his ship on the reef.'],
    ['Why did the lamp break?', /^During the great storm of 1903 the lamp broke because/],
    ['Is the museum open on Mondays?', 'The museum is not open on Mondays.'],
  ])('%s', (question, expected) => {
    expect(sentence(question)).toMatch(expected)
  })

  test('nothing in common, or nothing to read: says so', () => {
    expect(sentence('Qui vive?', harbour)).toBe('The answer is not known.')
    expect(sentence('Who founded Tarn?', '')).toBe('The answer is not known.')
  })

  test('a title and the question itself answer nothing', () => {
    expect(sentence('Who founded Tarn?', 'Who founded Tarn?\n\nThe Tarn\n\nMoor founded Tarn.')).toBe(
      'Moor founded Tarn.',
    )
  })
})

test('a text in another script: the sentence with the most words in common', () => {
  expect(sentence('灯塔建于哪一年？', '守塔人每天晚上点灯。灯塔建于1871年。')).toBe('灯塔建于1871年。')
})

test('the answer follows the context, so methods differ by what they find', () => {
  const [moor, other] = ['Tarn was founded by Elias Moor.', 'Tarn was founded by Anna Stone.']
  expect(short('Who founded Tarn?', moor)).toBe('Elias Moor')
  expect(short('Who founded Tarn?', other)).toBe('Anna Stone')
})
