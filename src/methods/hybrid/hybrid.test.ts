import { describe, expect, test } from 'vitest'
import { readConfigValue } from '../../config/index.ts'
import { menus } from '../../run/plug-ins/menus.ts'
import { tasksOf } from '../../define.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import type { Chunk, Method } from '../../types.ts'
import { methods } from '../index.ts'
import { hybridOf } from './hybrid.ts'
import { testMethod } from '../../testing/suites.ts'

const menu = (await methods.all()).filter(({ name }) => name !== 'hybrid')
const hybrid = hybridOf(menu)

testMethod(hybrid)
testMethod(hybrid, {
  options: { fusion: 'score', weights: [2, 1], of: [{ use: 'bm25', k1: 0, b: 1 }, 'tf-idf'], depth: 1 },
})
testMethod(hybrid, {
  options: { of: ['unweaver', { use: 'raptor', reducer: 'pca' }, 'random'], fusion: 'score', normalise: 'zscore' },
})

const chunks: readonly Chunk[] = ['the cat sat', 'a dog barked', 'the cat and the dog', 'birds'].map(
  (text, position) => ({
    ...{
      id: `c${position}`,
      documentId: 'd',
      position,
      start: position * 30,
      end: position * 30 + text.length,
      text,
      tokens: 3,
    },
  }),
)

const ask = async (options: object, passages = 10) => {
  const index = await hybrid.index(chunks, fakeModels(), hybrid.options.parse(options))
  return { index, found: await index.retrieve({ id: 'q', text: 'cat dog' }, { passages, tokens: 99 }, fakeModels()) }
}

/** A method that ranks chunks as told, and says something of itself. */
const scripted = (
  name: string,
  ranks: readonly (readonly [chunk: number, score: number])[],
  fallback?: string,
): Method => ({
  ...{ name, summary: 'Ranks as told.', options: bm25Options, costs: () => 'unknown' },
  index: () =>
    Promise.resolve({
      retrieve: (_query, { passages }) =>
        Promise.resolve(
          ranks.slice(0, passages).map(([at, score], rank) => ({
            ...{ text: chunks[at]?.text ?? '', from: [`c${at}`], kind: 'chunk' as const, score, order: 7 },
            ...(rank === 0 && fallback !== undefined && { why: { fallback } }),
          })),
        ),
      warnings: () => ({ 'lost replies': ranks.length }),
      stats: () => ({ ranked: ranks.length }),
    }),
})
const bm25Options = menu.find(({ name }) => name === 'random')!.options

describe('hybrid', () => {
  test('adds the reciprocal ranks of bm25 and vector where nothing else is said', async () => {
    const { found } = await ask({})
    expect(found[0]).toMatchObject({ from: ['c2'], score: 2 / 61, why: { 'rank in bm25': 1, 'rank in vector': 1 } })
    // bm25 leaves out what shares no word, vector does not
    expect(found.map(({ from }) => from[0]).sort()).toEqual(['c0', 'c1', 'c2', 'c3'])
    expect(found.at(-1)?.why).toEqual({ 'rank in vector': 4, 'score in vector': expect.any(Number) as number })
  })

  test('two of one method with other options are told apart', async () => {
    const { found } = await ask({ of: ['bm25', { use: 'bm25', k1: 0 }], fusion: 'score' })
    expect(Object.keys(found[0]?.why ?? {})).toEqual([
      'rank in bm25',
      'score in bm25',
      'rank in bm25 2',
      'score in bm25 2',
    ])
  })

  test('reads as deep as is said, or as the budget is, and keeps to the budget', async () => {
    expect((await ask({ of: ['vector', 'vector'], depth: 1 }, 1)).found).toHaveLength(1)
    expect((await ask({ of: ['vector', 'vector'], depth: 1 }, 3)).found).toHaveLength(3)
  })

  test('says what the methods say: fallbacks by name, warnings added, statistics by name', async () => {
    const own = hybridOf([
      scripted(
        'a',
        [
          [0, 9],
          [1, 8],
        ],
        'dense: no fact',
      ),
      scripted('b', [[1, 5]]),
    ])
    const index = await own.index(chunks, fakeModels(), own.options.parse({ of: ['a', 'b'] }))
    const found = await index.retrieve({ id: 'q', text: '' }, { passages: 9, tokens: 99 }, fakeModels())
    expect(found.map(({ from, order }) => [from[0], order])).toEqual([
      ['c1', undefined],
      ['c0', undefined],
    ])
    expect(found[0]?.why).toMatchObject({ fallback: 'a: dense: no fact', 'rank in a': 2, 'rank in b': 1 })
    expect(found[1]?.why).not.toHaveProperty('fallback')
    expect(index.warnings?.()).toEqual({ 'lost replies': 3 })
    expect(index.stats?.()).toEqual({ 'a: ranked': 2, 'b: ranked': 1 })
  })

  test('needs the tasks and embeds the chunks that its methods do', () => {
    const of = (...names: string[]) => hybrid.options.parse({ of: names })
    expect(tasksOf(hybrid as Method, of('bm25', 'tf-idf'))).toEqual([])
    expect(tasksOf(hybrid as Method, of('bm25', 'raptor')).map(({ name }) => name)).toEqual(['summarise'])
    expect(hybrid.embedsChunks?.(of('bm25', 'tf-idf'))).toBe(false)
    expect(hybrid.embedsChunks?.(of('bm25', 'vector'))).toBe(true)
  })

  test.each<[string, unknown, string]>([
    ['an unknown name', { of: ['bm52', 'vector'] }, 'methods.0.of.0: unknown method "bm52"; did you mean "bm25"?'],
    [
      'itself',
      { of: ['bm25', 'hybrid'] },
      'methods.0.of.1: a hybrid cannot be one of the methods that a hybrid combines',
    ],
    [
      'a reference row',
      { of: ['oracle', 'bm25'] },
      'methods.0.of.0: "oracle" is a row for orientation, which does not search',
    ],
    [
      'a program',
      { of: ['bm25', { use: 'command', run: ['x'] }] },
      'methods.0.of.1.use: "command" runs a program of your own',
    ],
    ['a file', { of: ['./mine.ts', 'bm25'] }, 'methods.0.of.0: a method in a file of your own cannot be combined'],
    [
      'an unknown option',
      { of: [{ use: 'bm25', k2: 1 }, 'vector'] },
      'methods.0.of.0.k2: unknown option "k2"; did you mean "k1"?',
    ],
    ['an option that is wrong', { of: [{ use: 'bm25', k1: -1 }, 'vector'] }, 'methods.0.of.0.k1: must not be -1'],
    [
      'a file as an option',
      { of: [{ use: 'hipporag', openie: 'x.json' }, 'bm25'] },
      'methods.0.of.0.openie: names a file',
    ],
    ['one alone', { of: ['bm25'] }, 'methods.0.of must hold at least 2 items, not 1'],
    ['too few weights', { weights: [1] }, 'methods.0.weights: must hold a number for each of the 2 methods'],
    ['no weight', { weights: [0, 0] }, 'methods.0.weights: must hold a number above 0'],
  ])('refuses %s in one line', async (_, options, message) => {
    const value = { name: 'x', dataset: 'sample', methods: [{ use: 'hybrid', ...(options as object) }] }
    const read = readConfigValue(value, 'x.yaml', { cwd: process.cwd(), environment: {} }, menus)
    const said = await read.then(
      () => 'nothing',
      (error: unknown) => (error as Error).message,
    )
    expect(said).toContain(message)
    expect(said.split('\n')).toHaveLength(1)
  })
})
