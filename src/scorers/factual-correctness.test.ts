import { describe, expect, test } from 'vitest'
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

/** Verdicts as the judge gives them, `+` and `-`, whatever the claims say: the answer is `a`, the reference `r`. */
const scripted = (response: string, reference: string) => {
  const verdicts = (pattern: string) =>
    Array.from(pattern, (sign) => ({ statement: 's', reason: 'r', verdict: sign === '+' ? 1 : 0 }))
  return judge({
    'decompose-claims': ({ text }: DecomposeClaimsInput) => ({
      claims: Array.from(text === 'a' ? response : reference, () => text),
    }),
    'verify-claims': ({ context }: VerifyClaimsInput) => ({
      statements: verdicts(context === 'r' ? response : reference),
    }),
  })
}

describe('factual-correctness', () => {
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

  test.each([
    ['+', '+', { factualCorrectness: 1, directionConsistentF1: 1 }, 'all is supported'],
    ['--', '++', { factualCorrectness: 0, directionConsistentF1: 0 }, 'nothing said is true'],
    ['+++++---', '+---', { factualCorrectness: 0.62, unrounded: 0.625 }, 'a half goes to the even digit'],
    ['+++-', '++---', { precision: 0.75, recall: 0.4 }, 'across the texts'],
    ['+', '', { factualCorrectness: 1, recall: 0 }, 'a reference without claims'],
    ['', '++', { factualCorrectness: 0, precision: 0, recall: 1 }, 'an answer without claims'],
    ['', '', { factualCorrectness: 0, directionConsistentF1: 0 }, 'neither has claims'],
  ])('answer %j, reference %j: %j (%s)', async (response, reference, metrics, _why) => {
    expect(await score('a', 'r', scripted(response, reference))).toMatchObject({
      metrics: Object.fromEntries(
        Object.entries(metrics).map(([name, value]) => [name, expect.closeTo(value, 7) as number]),
      ),
    })
  })

  const judging = (verdicts: readonly unknown[]) =>
    judge({
      'verify-claims': () => ({ statements: verdicts.map((verdict) => ({ statement: 's', reason: 'r', verdict })) }),
    })

  test('counts the verdicts that the judge returns', async () => {
    const scored = await score('abcdef', 'a', judging([1, 'yes', 0]))
    expect(scored).toMatchObject({ parts: { tp: 2, fp: 1 } })
  })

  test.each([2, -1, 0.5])('fails for a verdict of %d', async (verdict) => {
    await expect(score('abc', 'a', judging([1, verdict, 0]))).rejects.toMatchObject({
      kind: 'reply',
    })
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

  test('uses the first of several references', async () => {
    expect(await score('a', 'a')).toMatchObject({ metrics: { factualCorrectness: 1 } })
    expect(await score('other', 'a')).toMatchObject({ metrics: { factualCorrectness: 0 } })
  })
})

describe('judge failures', () => {
  test.each<[string, Readonly<Record<string, FakeReply>>]>([
    ['claims that are no list', { 'decompose-claims': () => ({ claims: 'a' }) }],
    ['no JSON at all', { 'decompose-claims': () => 'Sure!' }],
    [
      'a verdict in words',
      { 'verify-claims': () => ({ statements: [{ statement: 'a', reason: 'r', verdict: 'maybe' }] }) },
    ],
    ['no verdict on any claim', { 'verify-claims': () => ({ statements: [] }) }],
  ])('%s: fails the score instead of a 0', async (_, replies) => {
    await expect(score('a', 'b', judge(replies))).rejects.toMatchObject({ name: 'ModelError', kind: 'reply' })
  })

  test('rethrows the failure of a call', async () => {
    const broken = new ModelError('timeout', 'too slow')
    const fails = () => {
      throw broken
    }
    await expect(score('a', 'b', judge({ 'verify-claims': fails }))).rejects.toBe(broken)
  })
})
