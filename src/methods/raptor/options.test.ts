import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { raptorOptions } from './options.ts'

const refused = (given: object): string[] =>
  (raptorOptions.safeParse(given).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)

describe('compat and presets', () => {
  test.each<[object, object]>([
    [{}, { splitter: 'sentence', covariance: 'diag', bicSearch: 'early', topK: 10, maxTokens: 3500 }],
    [{ compat: true }, { splitter: 'raptor-compat', covariance: 'full', bicSearch: 'exhaustive', maxTokens: 3500 }],
    [{ compat: true, covariance: 'full' }, { covariance: 'full' }],
    [
      { covariance: 'spherical', topK: 3 },
      { covariance: 'spherical', topK: 3, maxTokens: 3500 },
    ],
    [{ preset: 'gem-rag' }, { topK: 10, maxTokens: 400 }],
    [
      { preset: 'gem-rag', topK: 3 },
      { topK: 3, maxTokens: 400 },
    ],
    [{ preset: 'unweaver' }, { topK: 10, maxTokens: 3500 }],
    [{ preset: 'paper' }, { topK: 20, maxTokens: 2000 }],
  ])('%j means %j', (given, expected) => expect(raptorOptions.parse(given)).toMatchObject(expected))

  test('what they decide cannot be decided otherwise, be it by a default', () => {
    expect(refused({ compat: true, covariance: 'diag', splitter: 'sentence' })).toEqual([
      'splitter: compat means raptor-compat: leave one of the two out',
      'covariance: compat means full: leave one of the two out',
    ])
    expect(refused({ preset: 'paper', topK: 10 })).toEqual(['topK: preset paper means 20: leave one of the two out'])
  })

  test('options that are settled are settled alike again', () => {
    const options = raptorOptions.parse({ compat: true, preset: 'paper' })
    expect(raptorOptions.parse(options)).toEqual(options)
  })
})

test('a similarity is between -1 and 1', () => {
  expect(refused({ threshold: 7 })).toHaveLength(1)
  expect(refused({ threshold: -1.5 })).toHaveLength(1)
})

test('every option shows its default, and what is parsed of it', () => {
  const { properties = {} } = z.toJSONSchema(raptorOptions, { io: 'input' })
  const shown = Object.entries(properties).map(([name, property]) => [
    name,
    (property as { default?: unknown }).default,
  ])
  expect(Object.fromEntries(shown)).toEqual(raptorOptions.parse({}))
})
