import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { extractiveReply } from '../../test-support/extractive-replies.ts'
import { claimsIn, judge, preference } from './judging.ts'

const harbour = readFileSync(new URL('./harbour.txt', import.meta.url), 'utf8')

test('splits claims at clauses', () => {
  const text = 'The mill was built in 1790 and was closed in 1920; Bell owned it. Reed sold the forest.'
  const clauses = ['The mill was built in 1790', 'was closed in 1920', 'Bell owned it.', 'Reed sold the forest.']
  expect(claimsIn(text)).toEqual(clauses)
})

test.each([
  ['Tarn was founded in 1642 by Captain Elias Moor.', 1],
  ['Tarn was founded in 1742 by Captain Elias Moor.', 0],
  ['Tarn was founded in 1642 by Captain Anna Stone.', 0],
  ['The museum is not open on Mondays.', 1],
  ['The museum is open on Mondays.', 0],
  ['Ingrid Falk rang the bell by hand.', 1],
  ['The old bridge can carry modern trains.', 0],
  ['Penguins live on Gull Point and sing.', 0],
])('%s: %d', (claim, verdict) => expect(judge(harbour)(claim).verdict).toBe(verdict))

test.each([
  ['Moor founded it in 1642.', 'correct'],
  ['Moor founded it in 1742.', 'inaccurate'],
  ['Purple elephants dance.', 'choke'],
])('the turn "%s" is judged: %s', (reply, verdict) => {
  const roles = { asks: 'a', replies: 'b' }
  const input = { knowledge: 'Tarn was founded in 1642.', roles, message: 'And when?', reply, gold: 'Moor founded it.' }
  expect(JSON.parse(extractiveReply('judge-turn', input))).toMatchObject({ verdict })
})

test.each([
  ['Unanswerable', 1],
  ['There is no information to answer this question.', 1],
  ['The answer is not known.', 1],
  ["I don't know.", 1],
  ['The context cannot tell.', 1],
  ['It was not built in 1790.', 0],
  ['The unknown soldier lies in Paris.', 0],
  ['John Bell built it.', 0],
  ['', 0],
])('"%s" evades the question: %d', (answer, noncommittal) => {
  expect(JSON.parse(extractiveReply('question-of-answer', { answer, index: 0 }))).toMatchObject({ noncommittal })
})

test('prefers the answer with the higher count for a criterion, and ties equals', () => {
  const [short, long] = ['The lamp broke.', 'The lamp broke when a flying tile hit the glass.']
  const winner = (criterion: string, first = short, second = long): number =>
    preference('When broke the lamp?', criterion, first, second).winner
  expect(winner('comprehensiveness')).toBe(2)
  expect(winner('directness')).toBe(1)
  expect(winner('empowerment')).toBe(2)
  expect(winner('diversity', long, long)).toBe(0)
})
