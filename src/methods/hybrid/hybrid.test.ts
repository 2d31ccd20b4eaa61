import { expect, test } from 'vitest'
import { readConfig } from '../../config/index.ts'
import { methodEntriesOf } from '../../run/prepare/method-entries.ts'
import { registries } from '../../run/plug-ins/registries.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import type { Method, Part } from '../../types.ts'
import { methods } from '../index.ts'
import { hybrid } from './hybrid.ts'
import { ask, asking, chunkAt, type MethodEntry } from '../../test-support/ask-method.ts'
import { testMethod } from '../../testing/index.ts'

testMethod(await asking(hybrid, 'bm25', 'vector'))
testMethod(await asking(hybrid, { use: 'bm25', k1: 0, b: 1 }, 'tf-idf'), {
  options: { fusion: 'score', weights: [2, 1] },
})
testMethod(await asking(hybrid, 'unweaver', 'raptor', 'hybrid'), {
  options: { of: ['a', 'b', 'c'], fusion: 'score' },
})

const texts = ['the cat sat', 'a dog barked', 'the cat and the dog', 'birds']
const chunks = texts.map((text, position) => chunkAt(position, text))

const search = async (of: readonly MethodEntry[], options: object = {}) =>
  (await ask(await asking(hybrid, ...of), chunks, { text: 'cat dog', options })).passages

/** A method that ranks chunks as told, and says something of itself. */
const scripted = (
  name: string,
  ranks: readonly (readonly [chunk: number, score: number])[],
  fallback?: string,
): Method => ({
  name,
  summary: 'Ranks as told.',
  options: noOptions,
  index: () =>
    Promise.resolve({
      retrieve: (_query, { passages }) =>
        Promise.resolve(
          ranks.slice(0, passages).map(([at, score], rank) => ({
            text: chunks[at]?.text ?? '',
            from: [`c${at}`],
            kind: 'chunk' as const,
            score,
            order: 7,
            ...(rank === 0 && fallback !== undefined && { why: { fallback } }),
          })),
        ),
      warnings: () => ({ 'lost replies': ranks.length }),
      stats: () => ({ ranked: ranks.length }),
    }),
})
const { options: noOptions } = (await methods.load('random'))!

test('adds the reciprocal ranks of bm25 and vector by default', async () => {
  const found = await search(['bm25', 'vector'])
  expect(found[0]).toMatchObject({ from: ['c2'], score: 2 / 61, why: { 'rank in bm25': 1, 'rank in vector': 1 } })
  // bm25 leaves out what shares no word, vector does not
  expect(found.map(({ from }) => from[0]).sort()).toEqual(['c0', 'c1', 'c2', 'c3'])
  expect(found.at(-1)?.why).toEqual({ 'rank in vector': 4, 'score in vector': expect.any(Number) as number })
})

test('distinguishes two parts of one method with different options', async () => {
  const found = await search(['bm25', { use: 'bm25', k1: 0 }], { fusion: 'score' })
  expect(Object.keys(found[0]?.why ?? {})).toEqual([
    'rank in bm25',
    'score in bm25',
    'rank in bm25 2',
    'score in bm25 2',
  ])
})

test('reports fallbacks and statistics by name, and sums warnings', async () => {
  const [a, b] = [scripted('a', [[0, 9], [1, 8]], 'dense: no fact'), scripted('b', [[1, 5]])] // prettier-ignore
  const { passages: found, warnings, stats } = await ask(await asking(hybrid, a, b), chunks)
  expect(found.map(({ from, order }) => [from[0], order])).toEqual([
    ['c1', undefined],
    ['c0', undefined],
  ])
  expect(found[0]?.why).toMatchObject({ fallback: 'a: dense: no fact', 'rank in a': 2, 'rank in b': 1 })
  expect(found[1]?.why).not.toHaveProperty('fallback')
  expect(warnings).toEqual({ 'lost replies': 3 })
  expect(stats).toEqual({ 'a: ranked': 2, 'b: ranked': 1 })
})

test('closes all its methods, ends with any, and has the lowest concurrency', async () => {
  const closed: string[] = []
  const running = (name: string, ended: boolean, concurrency: number): Part => {
    const close = async (): Promise<void> => void closed.push(name)
    const index = async () => ({ retrieve: async () => [], concurrency, hasEnded: () => ended, close })
    return { method: { ...scripted(name, []), index }, options: {} }
  }
  const options = hybrid.options.parse({})
  const parts = [running('a', false, 3), running('b', true, 2)]
  const index = await hybrid.over!(parts).index(chunks, fakeModels(), options)
  expect([index.concurrency, index.hasEnded?.()]).toEqual([2, true])
  await index.close?.()
  expect(closed.splice(0)).toEqual(['a', 'b'])
  const failing: Method = { ...scripted('c', []), index: () => Promise.reject(new Error('no index')) }
  await expect(
    hybrid.over!([...parts, { method: failing, options: {} }]).index(chunks, fakeModels(), options),
  ).rejects.toThrow('no index')
  expect(closed).toEqual(['a', 'b'])
})

const planOf = (options: object) => {
  const value = { name: 'x', dataset: 'sample', methods: [{ use: 'hybrid', ...options }] }
  return readConfig({ value, name: 'x.yaml' }, { cwd: process.cwd(), environment: {} }, registries)
}
const entriesOf = async (options: object) =>
  methodEntriesOf(await planOf(options), { name: 'x', evidence: true }, { questions: 1, withoutEvidence: 0 })

test('identifies a row by its resolved methods, not by their notation', async () => {
  const idOf = async (of?: readonly unknown[]) => (await entriesOf(of ? { of } : {}))[0]?.id
  const usual = await idOf()
  expect(await idOf(['bm25', { use: 'vector' }])).toBe(usual)
  expect(await idOf([{ use: 'bm25', k1: 1.2 }, 'vector'])).not.toBe(usual)
  expect(await idOf(['vector', 'bm25'])).not.toBe(usual)
  expect(await idOf(['bm25', { use: 'hybrid', of: ['vector', 'tf-idf'] }])).not.toBe(
    await idOf(['bm25', { use: 'hybrid', of: ['vector', 'bm25'] }]),
  )
})

test.each<[string, object, string]>([
  ['an unknown name', { of: ['bm52', 'vector'] }, 'unknown method "bm52"; did you mean "bm25"?'],
  ['a reference row', { of: ['oracle', 'bm25'] }, 'x.yaml: "oracle" is a row for orientation'],
  [
    'a program that answers',
    { of: ['bm25', { use: 'command', run: ['node'], answers: true }] },
    'x.yaml: "command" answers',
  ],
  ['a program that is not there', { of: ['bm25', { use: 'command', run: ['no-such-program'] }] }, 'cannot be run'],
  ['a file that is not there', { of: ['./mine.ts', 'bm25'] }, 'x.yaml: no such file "./mine.ts"'],
  ['an unknown option', { of: [{ use: 'bm25', k2: 1 }, 'vector'] }, 'methods.0.of.0: "k2"; did you mean "k1"?'],
  ['a label, which no table shows', { of: [{ use: 'bm25', label: 'x' }, 'vector'] }, 'methods.0.of.0: "label"'],
  ['an option that is wrong', { of: [{ use: 'bm25', k1: -1 }, 'vector'] }, 'methods.0.of.0.k1: Too small'],
  ['one alone', { of: ['bm25'] }, 'methods.0.of: Too small'],
  ['too few weights', { weights: [1] }, 'methods.0.weights: must hold a number for each of the 2 methods'],
  ['no weight', { weights: [0, 0] }, 'methods.0.weights: must hold a number above 0'],
])('refuses %s in one line', async (_, options, message) => {
  const error = await entriesOf(options).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ message: expect.stringContaining(message) })
  expect((error as Error).message).not.toContain('\n')
})
