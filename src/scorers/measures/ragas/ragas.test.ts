import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerRelevancy, contextPrecision, shareOf, factualCorrectness, roundHalfEven } from './claims.ts'
const verdicts = (pattern: string) => Array.from(pattern, (sign) => sign === '+')
const score = (response: string, reference: string, mode: 'f1' | 'precision' | 'recall' = 'f1', beta?: number) =>
  factualCorrectness({ response: verdicts(response), reference: verdicts(reference) }, mode, beta)

describe('factualCorrectness', () => {
  test.each([
    ['++-', '+-', 0.67, 'two of three, one missing'],
    ['+++++---', '+---', 0.62, 'a half goes to the even digit'],
    ['--', '++', 0, 'nothing said is true, though all is covered'],
    ['', '++', 0, 'nothing said'],
    ['+', '', 1, 'nothing to say'],
    ['', '', 0, 'neither'],
    ['+++', '++', 1, 'all supported'],
  ])('%j against %j is %d: %s', (response, reference, value) => {
    expect(score(response, reference).value).toBe(value)
  })

  test('recall sets true claims of the response against missing ones of the reference, and has the consistent value beside it', () => {
    expect(score('+++-', '++---', 'recall')).toMatchObject({ tp: 3, fp: 1, fn: 3, refTp: 2, value: 0.5 })
    expect(score('+++-', '++---', 'recall').directionConsistent).toBeCloseTo(0.4, 12)
    expect(score('+++-', '++---').directionConsistent).toBeCloseTo(0.6 / 1.15, 12)
  })

  test('precision does not look at the reference', () => {
    expect(score('++--', '----', 'precision')).toMatchObject({ fn: 0, value: 0.5 })
  })

  test('beta above 1 favours recall', () => {
    expect(score('+', '-', 'f1', 2).unrounded).toBeCloseTo(5 / 9, 12)
  })

  test('lies in 0..1', () => {
    const claims = fc.array(fc.boolean())
    fc.assert(
      fc.property(claims, claims, (response, reference) => {
        const { value, directionConsistent } = factualCorrectness({ response, reference }, 'f1')
        for (const one of [value, directionConsistent]) expect(one >= 0 && one <= 1).toBe(true)
      }),
    )
  })
})

test.each([
  [0.125, 0.12],
  [0.375, 0.38],
  [0.005, 0],
  [0.015, 0.02],
  [0.3333, 0.33],
  [1, 1],
])('%d rounds to %d', (value, rounded) => expect(roundHalfEven(value)).toBe(rounded))

describe('judged context', () => {
  test('shares, and NaN of nothing', () => {
    expect([shareOf(verdicts('+-++')), shareOf(verdicts('--'))]).toEqual([0.75, 0])
    expect(shareOf([])).toEqual(NaN)
  })

  test('precision rewards useful passages early', () => {
    expect(contextPrecision(verdicts('+-+-'))).toBeCloseTo((1 + 2 / 3) / 2, 9)
    expect(contextPrecision(verdicts('++'))).toBeLessThan(1)
    expect([contextPrecision([]), contextPrecision(verdicts('--'))]).toEqual([0, 0])
  })
})

describe('answerRelevancy', () => {
  const asked = (embedding: number[], noncommittal = false, text = 'q') => ({ embedding, noncommittal, text })

  test('mean cosine, negative ones too', () => {
    expect(answerRelevancy([2, 0], [asked([1, 0]), asked([0, 3]), asked([-1, 0])])).toBeCloseTo(0, 12)
    expect(answerRelevancy([2, 0], [asked([3, 4])])).toBeCloseTo(0.6, 12)
  })

  test('0 only when all are noncommittal, NaN when all are empty', () => {
    expect(answerRelevancy([1], [asked([1], true), asked([1])])).toBe(1)
    expect(answerRelevancy([1], [asked([1], true)])).toBe(0)
    expect(answerRelevancy([1], [asked([1], false, '')])).toBeNaN()
  })
})
