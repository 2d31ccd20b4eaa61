import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Passage } from '../../types.ts'
import { fitToBudget } from './retrieve.ts'

const passage = (text: string): Passage => ({ text, score: 1, from: [], kind: 'chunk' })
const length = (text: string): number => text.length

describe('pack', () => {
  test.each([
    ['all fit', ['aa', 'bb'], { passages: 5, tokens: 10 }, ['aa', 'bb'], 'end'],
    ['passages stop first', ['aa', 'bb', 'cc'], { passages: 2, tokens: 10 }, ['aa', 'bb'], 'passages'],
    ['tokens stop first', ['aaa', 'bbb'], { passages: 5, tokens: 5 }, ['aaa'], 'tokens'],
    ['a long second hides a short third', ['a', 'bbbbb', 'c'], { passages: 5, tokens: 3 }, ['a'], 'tokens'],
    ['the first alone is too long', ['aaaa', 'b'], { passages: 5, tokens: 3 }, [], 'tokens'],
    ['exactly full', ['aaa'], { passages: 1, tokens: 3 }, ['aaa'], 'end'],
  ] as const)('%s', (_name, texts, budget, expected, stop) => {
    const fit = fitToBudget(texts.map(passage), budget, length)
    expect(fit.passages.map((item) => item.text)).toEqual(expected)
    expect(fit.stop).toBe(stop)
  })

  const rankings = fc.array(fc.string({ maxLength: 9 }).map(passage), { maxLength: 12 })
  const budgets = fc.record({ passages: fc.nat(8), tokens: fc.nat(30) })

  test('is a prefix within both limits, and the longest', () => {
    fc.assert(
      fc.property(rankings, budgets, (ranking, budget) => {
        const { passages } = fitToBudget(ranking, budget, length)
        expect(passages.map((item) => item.text)).toEqual(ranking.slice(0, passages.length).map((item) => item.text))
        const tokenSum = passages.reduce((sum, item) => sum + item.tokens, 0)
        expect(passages.length).toBeLessThanOrEqual(budget.passages)
        expect(tokenSum).toBeLessThanOrEqual(budget.tokens)
        const next = ranking[passages.length]
        if (next && passages.length < budget.passages)
          expect(tokenSum + length(next.text)).toBeGreaterThan(budget.tokens)
      }),
    )
  })
})
