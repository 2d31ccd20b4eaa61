import { describe, expect, test } from 'vitest'
import { corpusOf } from './corpus.ts'
import { kindNamed, kindNames } from './kinds.ts'
import { mulberry32 } from '../../src/math/random.ts'
import { mutateBytes, mutateJson, mutateText } from './mutate.ts'
import { causeOf } from './report.ts'
import { tryKind } from './runner.ts'

describe('nothing that is damaged ends in an unexpected error, a stack, a hang or a silent difference', () => {
  test.each(kindNames)('%s', { timeout: 300_000 }, async (name) => {
    const kind = await kindNamed(name)
    const given = corpusOf(name)
    const { failures, mutants } = await tryKind(kind, { given, seed: 42, mutants: kind.tested })
    expect(failures.map(causeOf)).toEqual([])
    expect(mutants).toBe(given.length + kind.tested)
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
