import { describe, expect, test } from 'vitest'
import type { attributeSentences, DecomposeClaimsInput, verifyClaims } from '../tasks/claims.ts'
import type { judgeUsefulness } from '../tasks/verdicts.ts'
import { fakeModels, type FakeModels, type FakeReply } from '../testing/fake-models.ts'
import type { ScorerInput, ContextPassage } from '../types.ts'
import { contextPrecision } from './context-precision.ts'
import { contextRecall } from './context-recall.ts'
import { faithfulness } from './faithfulness.ts'
import { contextPassage } from '../test-support/context-passage.ts'

type AttributeSentencesInput = Parameters<typeof attributeSentences.prompt>[0]
type VerifyClaimsInput = Parameters<typeof verifyClaims.prompt>[0]
type JudgeUsefulnessInput = Parameters<typeof judgeUsefulness.prompt>[0]

/** A judge who looks for words as they stand; claims end with a full stop. */
const judge = (replies: Readonly<Record<string, FakeReply>> = {}): FakeModels =>
  fakeModels({
    replies: {
      'decompose-claims': ({ text }: DecomposeClaimsInput) => ({ claims: text.match(/\w[^.]*/g) ?? [] }),
      'verify-claims': ({ claims, context }: VerifyClaimsInput) => ({
        statements: claims.map((statement) => ({ statement, reason: 'r', verdict: context.includes(statement) })),
      }),
      'judge-usefulness': ({ answer, passage }: JudgeUsefulnessInput) => ({
        reason: 'r',
        verdict: passage.includes(answer),
      }),
      'attribute-sentences': ({ sentences, context }: AttributeSentencesInput) => ({
        attributions: sentences.map((sentence) => ({ sentence, attributed: context.includes(sentence) })),
      }),
      ...replies,
    },
  })

const passage = (text: string, more: Partial<ContextPassage> = {}): ContextPassage =>
  contextPassage(text, { ...(['a', 'b'].includes(text) && { relevant: [text] }), ...more })

const asked = (answer: string, context: readonly ContextPassage[], expected = answer): ScorerInput => ({
  question: { id: 'q', text: 'Who?', reference: { kind: 'answer', accepted: [{ text: expected }] } },
  context,
  answer: { text: answer },
})

const nobody = (one: ScorerInput): ScorerInput => ({
  ...one,
  question: {
    ...one.question,
    reference: { kind: 'answer', accepted: [{ text: 'Unanswerable', type: 'unanswerable' }] },
  },
})

const failedReply = { name: 'ModelError', kind: 'reply' }

describe('faithfulness', () => {
  const score = (one: ScorerInput, models = judge()) => faithfulness.score(one, models, {})

  test('is the share of statements that the passages support', async () => {
    const models = judge()
    const one = asked('Ann sang. Bob left. Cy ate. Di ran', [
      passage('Ann sang'),
      passage('Bob left'),
      passage('Di ran'),
    ])
    expect(await score(one, models)).toMatchObject({ metrics: { faithfulness: 0.75 } })
    expect(models.calls).toEqual([
      {
        task: 'decompose-claims',
        input: { text: one.answer.text, question: 'Who?' },
      },
      {
        task: 'verify-claims',
        input: { claims: ['Ann sang', 'Bob left', 'Cy ate', 'Di ran'], context: 'Ann sang\nBob left\nDi ran' },
      },
    ])
  })

  test('is 0 without a call for an empty context', async () => {
    const models = judge()
    expect(await score(asked('Ann sang. Bob left', []), models)).toMatchObject({ metrics: { faithfulness: 0 } })
    expect(models.calls.map(({ task }) => task)).toEqual(['decompose-claims'])
  })

  test('is skipped without statements', async () => {
    const skipped = { skipped: 'the answer contains no statements' }
    const models = judge()
    const one = asked('Ann sang', [passage('Ann sang')])
    expect(await score({ ...one, answer: { text: '' } }, models)).toEqual(skipped)
    expect(await score({ ...one, answer: { text: 'Unanswerable', canned: true } }, models)).toEqual(skipped)
    expect(models.calls).toEqual([])
    expect(await score({ ...one, answer: { text: '...' } }, models)).toEqual(skipped)
  })

  test('fails without a verdict', async () => {
    const silent = judge({ 'verify-claims': () => ({ statements: [] }) })
    await expect(score(asked('Ann sang', [passage('x')]), silent)).rejects.toMatchObject(failedReply)
  })
})

describe('context-precision', () => {
  const score = (one: ScorerInput, models = judge()) => contextPrecision.score(one, models, {})

  test('rewards useful passages at early ranks', async () => {
    const [useful, other] = [passage('Ann did', { score: 0 }), passage('Bob did')]
    const value = async (...context: ContextPassage[]) => {
      const scored = await score(asked('Ann', context))
      return 'metrics' in scored ? scored.metrics['contextPrecision'] : NaN
    }
    expect(await value(useful, other, useful, other)).toBeCloseTo((1 + 2 / 3) / 2, 9)
    expect(await value(other, useful)).toBeCloseTo(0.5, 9)
    expect(await value(useful, useful)).toBeCloseTo(1, 9)
    expect(await value(other)).toBe(0)
    expect(await value()).toBe(0)
  })

  test('fails if one verdict fails', async () => {
    const verdict = ({ passage }: JudgeUsefulnessInput) =>
      passage === 'Bob' ? { reason: 'r' } : { reason: 'r', verdict: 1 }
    const models = judge({ 'judge-usefulness': verdict })
    await expect(score(asked('Ann', [passage('Bob'), passage('Ann')]), models)).rejects.toMatchObject(failedReply)
    expect(models.calls).toHaveLength(2)
  })

  test('is skipped without a reference answer', async () => {
    expect(await score(nobody(asked('Ann', [passage('Ann')])))).toHaveProperty('skipped')
  })
})

describe('context-recall', () => {
  const score = (one: ScorerInput, models = judge()) => contextRecall.score(one, models, {})

  test('is the share of reference sentences that the context supports', async () => {
    const models = judge()
    const one = asked('whatever', [passage('Ann sang.'), passage('Cy ate.')], 'Ann sang. Bob left. Cy ate.')
    expect(await score(one, models)).toMatchObject({
      metrics: { contextRecall: expect.closeTo(2 / 3, 12) as number },
      parts: { attributions: [{ attributed: 1 }, { sentence: 'Bob left.', attributed: 0 }, { attributed: 1 }] },
    })
    expect(models.calls).toMatchObject([{ input: { question: 'Who?', context: 'Ann sang.\nCy ate.' } }])
  })

  test('scores 0 without a call for an empty context', async () => {
    const models = judge()
    expect(await score(asked('Ann sang.', []), models)).toMatchObject({ metrics: { contextRecall: 0 } })
    expect(models.calls).toEqual([])
  })

  test('is skipped without a reference sentence', async () => {
    expect(await score(nobody(asked('Ann', [passage('Ann')])))).toHaveProperty('skipped')
    expect(await score(asked('x', [passage('Ann')], ' '))).toHaveProperty('skipped')
  })

  test('fails without any attribution', async () => {
    const silent = judge({ 'attribute-sentences': () => ({ attributions: [] }) })
    await expect(score(asked('Ann', [passage('Ann')]), silent)).rejects.toMatchObject(failedReply)
  })
})
