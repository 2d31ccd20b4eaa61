import { describe, expect, test } from 'vitest'
import { corpusOf } from './corpus.ts'
import { kindNamed, kindNames } from './kinds.ts'
import { mulberry32 } from '../../src/math/random.ts'
import { mutateBytes, mutateJson, mutateText } from './mutate.ts'
import { causeOf } from './report.ts'
import { tryKind } from './runner.ts'

describe('nothing that is damaged ends in an unexpected error, a stack, a hang or a silent difference', () => {
  test.each(kindNames)('%s', async (name) => {
    const kind = await kindNamed(name)
    const known = await tryKind(kind, { seed: 42, mutants: corpusOf(name).map(({ mutant }) => mutant) })
    const tried = await tryKind(kind, { seed: 42, mutants: kind.tested })
    expect([...known.failures, ...tried.failures].map(causeOf)).toEqual([])
    expect(tried.mutants).toBe(kind.tested)
    expect([...tried.outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(kind.tested)
  })
})

test('the same numbers make the same mutant, and most mutants differ from the whole', () => {
  const value = { name: 'tiny', list: [1, { a: 'b' }], text: 'one\ntwo\nthree' }
  const text = JSON.stringify(value, null, 1)
  const makers = [
    (seed: number) => mutateJson(value, mulberry32(seed)),
    (seed: number) => Buffer.from(mutateText(text, mulberry32(seed))).toString('latin1'),
    (seed: number) => Buffer.from(mutateBytes(Buffer.from(text), mulberry32(seed))).toString('latin1'),
  ]
  for (const make of makers) {
    const mutants = Array.from({ length: 200 }, (_, seed) => make(seed))
    expect(mutants).toEqual(Array.from({ length: 200 }, (_, seed) => make(seed)))
    expect(new Set(mutants).size).toBeGreaterThan(150)
  }
})
