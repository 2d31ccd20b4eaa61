import { describe, expect, test } from 'vitest'
import { attributeSentences, decomposeClaims, verifyClaims } from '../../tasks/claims.ts'
import { compareAnswers, judgeTurn, judgeUsefulness } from '../../tasks/verdicts.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import type { Question } from '../../types.ts'
import { knownClaims } from './known-claims.ts'

const question = (id: number, text: string): Question => ({
  id: `q${id}`,
  text: `Question ${id}?`,
  reference: { kind: 'answer', accepted: [{ text, type: 'extractive' }] },
})

const towns = ['a library', 'the harbour', 'John Bell', 'in 1790', 'rye bread', 'two goats', 'a weir', 'oak', 'Lisk', 'Orrin', 'a bell', 'Maud'] // prettier-ignore
const questions = towns.map((town, id) => question(id, town))

interface Verify {
  readonly claims: readonly [string]
  readonly context: string
}

describe('known claims', () => {
  test('are ten references and ten swapped ones', () => {
    const claims = knownClaims([decomposeClaims, verifyClaims], questions)
    expect(claims.map(({ holds }) => holds)).toEqual(Array.from({ length: 20 }, (_, place) => place % 2 === 0))
    for (const { input, holds } of claims) {
      const { claims: [claim], context } = input as Verify // prettier-ignore
      expect(context.endsWith(`\n${claim}`)).toBe(holds)
    }
    expect(knownClaims([decomposeClaims], questions)).toEqual([])
  })

  test('exclude yes and no, missing, equal and nested references', () => {
    const unclear = ['Yes.', 'no', '', 'the library', 'A library', 'a library in Lisk', 'Lisk'].map((text, id) => question(id, text)) // prettier-ignore
    const said = knownClaims([verifyClaims], unclear).map(({ input, holds }) => [holds, (input as Verify).claims[0]])
    // "a library in Lisk" holds both others, which leaves it without one that is false of it
    expect(said).toEqual([
      [true, 'the library'],
      [false, 'Lisk'],
      [true, 'Lisk'],
      [false, 'the library'],
    ])
    expect(knownClaims([verifyClaims], [question(0, 'a library'), question(1, 'A library!')])).toEqual([])
  })

  test.each([verifyClaims, attributeSentences, judgeUsefulness, judgeTurn, compareAnswers])(
    '$name: a constant verdict is right for half of them',
    async (task) => {
      const models = fakeModels({
        replies: {
          'verify-claims': () => ({ statements: [{ statement: '', reason: '', verdict: 1 }] }),
          'attribute-sentences': () => ({ attributions: [{ sentence: '', attributed: 1 }] }),
          'judge-usefulness': () => ({ reason: '', verdict: 1 }),
          'judge-turn': () => ({ reason: '', verdict: 'correct' }),
          'compare-answers': () => ({ reason: '', winner: 2 }),
        },
      })
      const claims = knownClaims([task], questions)
      const said = await Promise.all(claims.map(({ ask }) => ask(models)))
      expect(claims).toHaveLength(20)
      expect(said.filter(({ right }) => right)).toHaveLength(10)
      expect(new Set(said.map(({ verdict }) => verdict)).size).toBe(1)
    },
  )

  test('a tie is wrong in both orders', async () => {
    const models = fakeModels({ replies: { 'compare-answers': () => ({ reason: '', winner: 0 }) } })
    const said = await Promise.all(knownClaims([compareAnswers], questions).map(({ ask }) => ask(models)))
    expect(said.some(({ right }) => right)).toBe(false)
  })
})
