import { expect, test } from 'vitest'
import { ModelError } from '../errors.ts'
import type { DecomposeClaimsInput, verifyClaims } from '../tasks/claims.ts'
import { fakeModels, type FakeModels, type FakeReply } from '../testing/fake-models.ts'
import type { Answer, ScorerInput } from '../types.ts'
import { factualCorrectness } from './factual-correctness.ts'

type VerifyClaimsInput = Parameters<typeof verifyClaims.prompt>[0]

/** Every letter of a text is a claim; a text supports the letters that it holds. */
const decompose = ({ text }: DecomposeClaimsInput) => ({ claims: Array.from(text.replace(/\W/g, '')) })
const verify = ({ claims, context }: VerifyClaimsInput) => ({
  statements: claims.map((statement) => ({ statement, reason: 'r', verdict: context.includes(statement) ? 1 : 0 })),
})
const judge = (replies: Readonly<Record<string, FakeReply>> = {}): FakeModels =>
  fakeModels({ replies: { 'decompose-claims': decompose, 'verify-claims': verify, ...replies } })

const asked = (answer: Answer, expected: string): ScorerInput => ({
  question: { id: 'q', text: '?', reference: { kind: 'answer', accepted: [{ text: expected }, { text: 'other' }] } },
  context: [],
  answer,
})

const score = (answer: string | Answer, expected: string, models = judge()) =>
  factualCorrectness.score(asked(typeof answer === 'string' ? { text: answer } : answer, expected), models, {})

test('scores two right claims, a wrong one and a missing one', async () => {
  const models = judge()
  expect(await score('abx', 'abc', models)).toEqual({
    metrics: {
      factualCorrectness: 0.67,
      unrounded: expect.closeTo(2 / 3, 12) as number,
      directionConsistentF1: expect.closeTo(2 / 3, 12) as number,
      precision: expect.closeTo(2 / 3, 12) as number,
      recall: expect.closeTo(2 / 3, 12) as number,
    },
    parts: {
      tp: 2,
      fp: 1,
      fn: 1,
      refTp: 2,
      response: { claims: ['a', 'b', 'x'], verdicts: verify({ claims: ['a', 'b', 'x'], context: 'abc' }).statements },
      reference: {
        claims: ['a', 'b', 'c'],
        verdicts: verify({ claims: ['a', 'b', 'c'], context: 'abx' }).statements,
      },
    },
  })
  expect(models.calls.map(({ task }) => task).sort()).toEqual([
    'decompose-claims',
    'decompose-claims',
    'verify-claims',
    'verify-claims',
  ])
})

const judging = (verdicts: readonly unknown[]) =>
  judge({
    'verify-claims': () => ({ statements: verdicts.map((verdict) => ({ statement: 's', reason: 'r', verdict })) }),
  })

test('counts the verdicts that the judge returns', async () => {
  const scored = await score('abcdef', 'a', judging([1, 'yes', 0]))
  expect(scored).toMatchObject({ parts: { tp: 2, fp: 1 } })
})

test.each<[string, Answer]>([
  ['an empty answer', { text: ' ' }],
  ['a canned one', { text: 'There is no information to answer this question.', canned: true }],
])('%s: has no claims, makes no call, and misses all claims of the reference', async (_, answer) => {
  const models = judge()
  expect(await score(answer, 'ab', models)).toMatchObject({
    metrics: { factualCorrectness: 0, directionConsistentF1: 0, recall: 0 },
    parts: { tp: 0, fp: 0, fn: 2, refTp: 0 },
  })
  expect(models.calls).toEqual([{ task: 'decompose-claims', input: { text: 'ab' } }])
})

test('fails the score, not a 0, without a verdict on any claim', async () => {
  const silent = judge({ 'verify-claims': () => ({ statements: [] }) })
  await expect(score('a', 'b', silent)).rejects.toMatchObject({ name: 'ModelError', kind: 'reply' })
})

test('rethrows the failure of a call', async () => {
  const broken = new ModelError('timeout', 'too slow')
  const fails = () => {
    throw broken
  }
  await expect(score('a', 'b', judge({ 'verify-claims': fails }))).rejects.toBe(broken)
})
