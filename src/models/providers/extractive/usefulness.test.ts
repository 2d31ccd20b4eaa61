import { beforeAll, expect, test } from 'vitest'
import { type Language, openLanguage } from './language/language.ts'
import { usefulness } from './usefulness.ts'
import { turnVerdict } from './verdicts.ts'

let language: Language
beforeAll(async () => {
  language = await openLanguage()
})

const passage =
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
  expect(JSON.parse(usefulness(language, { question, answer, passage }))).toMatchObject({ verdict: expected })
})

test('says where', () => {
  const reply = usefulness(language, { question: 'Where is the mill?', answer: 'Kent', passage })
  expect(JSON.parse(reply)).toEqual({ reason: 'The passage says: Arden Mill is a water mill in Kent.', verdict: 1 })
})

test('an empty passage is of no use', () => {
  const reply = usefulness(language, { question: 'Where is the mill?', answer: 'Kent', passage: '' })
  expect(JSON.parse(reply)).toMatchObject({ verdict: 0 })
})

test.each([
  ['That was Ines Corvane.', 'correct'],
  ['Ines Corvane directed a comedy in Varrow about cats.', 'inaccurate'],
  ['The answer is not known.', 'choke'],
])('a turn: %s is %s', (reply, verdict) => {
  const knowledge = 'Ines Corvane directed the film. It is about salt.'
  const input = {
    knowledge,
    roles: { asks: 'a', replies: 'b' },
    message: 'Who directed it?',
    gold: 'That was Ines Corvane.',
    reply,
  }
  expect(JSON.parse(turnVerdict(language, input))).toMatchObject({ verdict })
})
