import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Criterion } from '../../../tasks/verdicts.ts'
import { sentences } from '../../../text/sentences.ts'
import { extractiveReplies } from '../../../test-support/extractive-replies.ts'

const harbour = readFileSync(new URL('./harbour.txt', import.meta.url), 'utf8')

let reply: (task: string, input: unknown) => string
beforeAll(async () => {
  reply = await extractiveReplies()
})

describe('claims', () => {
  const found = (text: string) => (JSON.parse(reply('decompose-claims', { text })) as { claims: string[] }).claims
  const kiwi = 'The kiwi is a bird that cannot fly. It lives in New Zealand and feeds at night.'

  test('clauses that stand alone', () => {
    expect(found(kiwi)).toEqual([
      'The kiwi is a bird that cannot fly.',
      'The kiwi lives in New Zealand.',
      'The kiwi feeds at night.',
    ])
  })

  test.each([
    [
      'Mount Elbrus, a sleeping volcano in southern Russia, is 5642 metres high and was first climbed in 1874.',
      [
        'Mount Elbrus is a sleeping volcano in southern Russia.',
        'Mount Elbrus is 5642 metres high.',
        'Mount Elbrus was first climbed in 1874.',
      ],
    ],
    [
      'The lighthouse was built in 1828. Robert Stevenson planned it.',
      ['The lighthouse was built in 1828.', 'Robert Stevenson planned the lighthouse.'],
    ],
    [
      'In 1920 the town built a cannery and sold its forest.',
      ['The town built a cannery in 1920.', 'The town sold its forest.'],
    ],
    ['No verb here', ['No verb here']],
    ['', []],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })
})

describe('verdicts', () => {
  const judged = (all: readonly string[], context = harbour) =>
    (
      JSON.parse(reply('verify-claims', { claims: all, context })) as {
        statements: { statement: string; verdict: number }[]
      }
    ).statements
  const verdict = (claim: string, context = harbour) => judged([claim], context)[0]?.verdict

  test.each([
    ['Tarn was founded in 1642 by Captain Elias Moor.', 1],
    ['Tarn was founded in 1742 by Captain Elias Moor.', 0],
    ['Tarn was founded in 1642 by Captain Anna Stone.', 0],
    ['The museum is not open on Mondays.', 1],
    ['The museum is open on Mondays.', 0],
    ['Ingrid Falk rang the bell by hand.', 1],
    ['The old bridge can carry modern trains.', 0],
    ['The cannery closed in 1958.', 1],
    ['The king of Alvia lives in a marble palace.', 0],
    ['Visitors can see old photographs.', 1],
  ])('%s %d', (claim, expected) => {
    expect(verdict(claim)).toBe(expected)
  })

  test('one verdict per claim, in order; none in an empty context', () => {
    const all = ['The lamp broke.', 'The lamp sang.', 'The lamp broke.']
    expect(judged(all).map(({ statement }) => statement)).toEqual(all)
    expect(judged(all, '').map(({ verdict }) => verdict)).toEqual([0, 0, 0])
    expect(judged([])).toEqual([])
  })

  test('a text supports its own sentences', () => {
    const own = sentences(harbour).map(({ text }) => text)
    expect(judged(own).every(({ verdict }) => verdict === 1)).toBe(true)
  })
})

test('a sentence is attributed where it would be supported as a claim', () => {
  const sentences = ['Tarn was founded in 1642.', 'The king of Alvia lives in a marble palace.']
  const input = { question: 'When was Tarn founded?', sentences, context: harbour }
  expect(JSON.parse(reply('attribute-sentences', input))).toEqual({
    attributions: [
      { sentence: sentences[0], attributed: 1 },
      { sentence: sentences[1], attributed: 0 },
    ],
  })
})

const mill =
  'Arden Mill is a water mill in Kent. John Bell built it in 1790. It ground corn for Maidstone until a fire closed it.'

test.each([
  ['Who built Arden Mill?', 'John Bell', 1],
  ['Who built Arden Mill?', 'It was built by John Bell.', 1],
  ['Who built Arden Mill?', 'Edric Sloe', 0],
  ['When was the cannery founded?', '1790', 0],
  ['When was the mill built?', '1790', 1],
  ['Was Arden Mill closed by a fire?', 'Yes', 1],
  ['Did the bakery in Harrowgate sell rye bread?', 'no.', 0],
  ['What did the mill cost?', 'Unanswerable', 0],
])('%s %s: %d', (question, answer, expected) => {
  expect(JSON.parse(reply('judge-usefulness', { question, answer, passage: mill }))).toMatchObject({
    verdict: expected,
  })
})

test('says where', () => {
  const judged = reply('judge-usefulness', { question: 'Where is the mill?', answer: 'Kent', passage: mill })
  expect(JSON.parse(judged)).toEqual({ reason: 'The context says: Arden Mill is a water mill in Kent.', verdict: 1 })
})

test('an empty passage is of no use', () => {
  const judged = reply('judge-usefulness', { question: 'Where is the mill?', answer: 'Kent', passage: '' })
  expect(JSON.parse(judged)).toMatchObject({ verdict: 0 })
})

test.each([
  ['That was Ines Corvane.', 'correct'],
  ['Ines Corvane directed a comedy in Varrow about cats.', 'inaccurate'],
  ['The answer is not known.', 'choke'],
])('a turn: %s is %s', (said, verdict) => {
  const knowledge = 'Ines Corvane directed the film. It is about salt.'
  const input = {
    knowledge,
    roles: { asks: 'a', replies: 'b' },
    message: 'Who directed it?',
    gold: 'That was Ines Corvane.',
    reply: said,
  }
  expect(JSON.parse(reply('judge-turn', input))).toMatchObject({ verdict })
})

const [short, long] = ['Tamsin built it.', 'Tamsin Vale built it, and the weir too.']
const winner = (criterion: Criterion, first: string, second: string): unknown =>
  (JSON.parse(reply('compare-answers', { question: 'Who built it?', criterion, first, second })) as { winner: unknown })
    .winner

test.each<[Criterion, unknown, unknown]>([
  ['comprehensiveness', 2, 1],
  ['diversity', 2, 1],
  ['empowerment', 0, 0],
  ['directness', 1, 2],
])('%s prefers an answer, not a place', (criterion, inOrder, swapped) => {
  expect([winner(criterion, short, long), winner(criterion, long, short)]).toEqual([inOrder, swapped])
})
