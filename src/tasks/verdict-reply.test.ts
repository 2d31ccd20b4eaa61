import { describe, expect, test } from 'vitest'
import { readReply } from '../models/calls/task-call.ts'
import { disagreements } from '../test-support/answers.ts'
import { judgeAnswer, judgeUsefulness } from './verdicts.ts'

/** Yes, no, or null for a reply that is unreadable. */
function verdictOf(reply: string): boolean | null {
  const read = readReply(judgeAnswer, reply)
  return 'error' in read ? null : read.value.verdict === 1
}

const json = (verdict: unknown): string => JSON.stringify({ reason: 'So it is.', verdict })

test('matches the gold cases', () => {
  expect(disagreements('verdict', ({ reply }) => verdictOf(reply)).ids).toEqual([])
})

describe('a verdict in JSON', () => {
  test.each([1, 1.0, true, '1', '1.0', 'Yes', 'yes.', 'TRUE', ' "1" ', 'ja', 'Oui', 'sí', 'sì', 'sim', 'kyllä', 'tak'])(
    'reads %j as yes',
    (verdict) => expect(verdictOf(json(verdict))).toBe(true),
  )
  test.each([
    ...[0, false, '0', 'No', 'FALSE', 'nein', 'non', 'não', 'ei', 'nie', 'нет', 'όχι', 'hayır', 'لا', 'לא', 'नहीं'],
  ])('reads %j as no', (verdict) => expect(verdictOf(json(verdict))).toBe(false))
  test.each([-1, 0.5, 2, 10, '-1', '0.5', '2', 'perhaps', 'yes or no', '', null, [], [1], {}])(
    'rejects %j as a verdict',
    (verdict) => expect(verdictOf(json(verdict))).toBe(null),
  )
})

test.each([
  ['1', true],
  ['**No.**', false],
  ['Verdict: 1', true],
  ['**Verdict**: 1', true],
  ['Urteil: nein', false],
  ['判定：是', true],
  ['My verdict is 1 because the answer names the year.', true],
  ['Yes, the answer says the same.', true],
  ['Sure! {"reason": "x", "verdict": 0} I hope it helps.', false],
  ['{"reason": "The verdict 0 would be wrong.", "verdict": 1}', true],
  ['{"reason": "He said "yes"", "verdict": 1}', true],
  ['{"verdict": 1}\n{"verdict": 1}', true],
  ['Verdict: 1\nFinal verdict: 0', false],
  ['Draft:\n```json\n{"verdict": 1}\n```\nFinal:\n```json\n{"verdict": 0}\n```', false],
  ['```json\n{"verdict": 1}\n```\n```json\n{"verdict": 0}\n```', null],
  ['[{"verdict": 1}, {"verdict": 0}]', null],
  ['Verdict: 1\nVerdict: 0', null],
  ['The verdict is 1 if it says the same, and 0 if not.', null],
  ['Verdict: 0.5', null],
  ['Verdict: 1/2', null],
  ['No year is named.', null],
  ['{"reason": "It is', null],
  ['I cannot say.', null],
  ['', null],
])('%j is read as %j', (reply, verdict) => expect(verdictOf(reply)).toBe(verdict))

test('describes the fault of a reply, so that the judge can repair it', () => {
  const errors = ['', '{"verdict": 0.5}', '{"verdict": 1}\n{"verdict": 0}', '{"reason": "so"}', '{"verdict": [']
  expect(errors.map((reply) => readReply(judgeUsefulness, reply))).toEqual([
    { error: 'the reply is empty' },
    { error: 'the verdict is neither 1 nor 0' },
    { error: 'the reply gives several verdicts and calls none of them final' },
    { error: 'the reply gives no verdict' },
    { error: 'the reply breaks off before its first item ends' },
  ])
})

test('takes the reason of the object, or the text of the reply', () => {
  expect(readReply(judgeAnswer, json(1))).toMatchObject({ value: { reason: 'So it is.' } })
  expect(readReply(judgeAnswer, 'Another year, so the verdict is 0.')).toMatchObject({
    value: { reason: 'Another year, so the verdict is 0.' },
  })
})
