import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fakeServer } from '../../test-support/servers/server.ts'
import { walk } from '../../test-support/walk.ts'
import type { ModelCase } from '../../testing/model.ts'
import { testModel } from '../../testing/index.ts'
import { providers } from '../index.ts'

const server = await fakeServer()
afterAll(() => server.close())

/** Options and standards with which every kind of model is checked. */
const fixtures: Readonly<Record<string, readonly ModelCase[]>> = {
  openai: [{ options: { model: 'm', baseUrl: server.url } }],
  'rerank-server': [
    { options: { baseUrl: 'http://127.0.0.1:9/v1' }, closed: 'what servers reply stands in rerank-server.test.ts' },
  ],
  minilm: [{ tolerance: 1e-5 }],
  transformers: [
    { options: { model: 'none' }, closed: 'the weights are a download; transformers.test.ts opens a folder' },
  ],
  gguf: [{ options: { path: 'none.gguf' }, closed: 'the package and the weights are optional' }],
  extractive: [{}],
  fake: [{}],
}

walk(await providers.all(), fixtures, 'src/models/providers/providers.test.ts', testModel)

/** What the file and what it loads at once import from outside; types and `await import()` load nothing. */
function loadedWith(file: string, visits = new Set<string>()): string[] {
  if (visits.has(file)) return []
  visits.add(file)
  const source = readFileSync(file, 'utf8')
  const targets = [...source.matchAll(/^(?:import|export)\s(?!type\b)[^;'"]*?from '([^']+)'/gm)].map(
    ([, target = '']) => target,
  )
  return targets.flatMap((target) =>
    target.startsWith('.') ? loadedWith(resolve(dirname(file), target), visits) : [target],
  )
}

test('the registry imports no heavy package', () => {
  const light = ['zod', 'zod/v4/core', 'p-limit', 'jsonrepair', 'fastest-levenshtein', 'stemmer', 'entities/decode']
  const heavy = loadedWith(resolve(import.meta.dirname, '../index.ts')).filter(
    (name) => !name.startsWith('node:') && !light.includes(name),
  )
  expect(heavy).toEqual([])
  // the reader of imports sees through the files: it reaches what the fake needs
  const visits = new Set<string>()
  loadedWith(resolve(import.meta.dirname, '../index.ts'), visits)
  expect([...visits].map((file) => relative(import.meta.dirname, file))).toContain('../../text/words.ts')
})
