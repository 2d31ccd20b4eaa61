import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { corpusOf } from './corpus.ts'
import { loadKind, kindNames } from './kind.ts'
import { mulberry32 } from '../../src/math/random.ts'
import misbehaving from './misbehaving.ts'
import { mutateBytes, mutateJson, mutateText } from './mutate.ts'
import { causeOf, tryKind } from './runner.ts'
describe('damaged input never ends in an unexpected error, a stack trace, a hang or a silent difference', () => {
  for (const name of kindNames) {
    test(name, async () => {
      const kind = await loadKind(name)
      const corpus = corpusOf(name)
      const { failures, mutants } = await tryKind(kind, { corpus, seed: 42, mutants: kind.mutantsInTest })
      expect(failures.map(causeOf)).toEqual([])
      expect(mutants).toBe(corpus.length + kind.mutantsInTest)
    })
  }
})

test('counts a hang, a crash, an error, a changed prototype and a fault as failures, and goes on with the next mutant', async () => {
  const corpus = [0, 1, 2, 3, 4, 5].map((first) => ({ of: '', bytes: new Uint8Array([first]) }))
  const { failures, mutants, outcomes } = await tryKind(misbehaving, {
    corpus,
    seed: 42,
    mutants: 3,
    file: './misbehaving.ts',
  })
  expect(failures.map(({ sort, fault, mutant }) => [mutant.bytes[0], sort, fault.split('\n')[0]])).toEqual([
    [0, 'hang', 'no end within 2 s'],
    [1, 'crash', 'the thread ended: Error: too late'],
    [2, 'fault', 'TypeError: unforeseen'],
    [3, 'fault', 'every object has now polluted'],
    [4, 'fault', 'another value'],
  ])
  expect([mutants, outcomes.get('read')]).toEqual([9, 4])
})

test('the same numbers make the same mutant, and most mutants differ from the original', () => {
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

test.each([
  [['--mutants', '0'], '--mutants: expected a whole number from 1, not "0"'],
  [['--mutants', '1.5'], '--mutants: expected a whole number from 1, not "1.5"'],
  [['--seed', '1.5'], '--seed: expected a whole number, not "1.5"'],
  [['--minutes', '0.0'], '--minutes: expected a number above 0, not "0.0"'],
  [['--minutes', '0.000000001'], 'nothing was tried; give more --minutes'],
])('%j: a run without a mutant ends with exit code 2', (flags, message) => {
  const args = ['--import', 'tsx', join(import.meta.dirname, 'index.ts'), ...flags, '--kind', kindNames[0] ?? '']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([2, `error ${message}\n`])
  expect(stdout).not.toContain('no failure')
})
