import { expect, test } from 'vitest'
import { datasets } from '../datasets/index.ts'
import { methods, type MethodOptions } from '../methods/index.ts'
import { providers } from '../models/index.ts'
import { scorers } from '../scorers/index.ts'
import { itemOf, loadOptional, registryOf, resolveOptional } from './loading.ts'

test('lists names without loading, and loads each item once, on demand', async () => {
  const loaded: string[] = []
  const item = (name: string) => () => (loaded.push(name), Promise.resolve({ name }))
  const registry = registryOf({ b: item('b'), a: item('a') })
  expect(registry.names).toEqual(['b', 'a'])
  expect(loaded).toEqual([])
  expect(await registry.load('a')).toBe(await itemOf(registry, 'a'))
  expect(loaded).toEqual(['a'])
  expect((await registry.all()).map(({ name }) => name)).toEqual(['b', 'a'])
  expect(loaded).toEqual(['a', 'b'])
})

test.each(Object.entries({ methods, datasets, scorers, providers }))(
  'registers each of the %s under its own name',
  async (_, registry) => {
    for (const name of registry.names) expect((await itemOf<{ readonly name: string }>(registry, name)).name).toBe(name)
  },
)

test('types the options of an item as config input', () => {
  const given: MethodOptions<'bm25'> = { k1: 1.2 }
  // @ts-expect-error: it has no such option
  const misspelt: MethodOptions<'bm25'> = { k2: 1.2 }
  // @ts-expect-error: a number is expected
  const mistaken: MethodOptions<'gem-rag'> = { components: 'two' }
  const parts: MethodOptions<'hybrid'> = { of: ['bm25', { use: 'vector' }] }
  expect([given, misspelt, mistaken, parts]).toHaveLength(4)
})

test('reports a missing package with its install command', () => {
  expect(() => resolveOptional({ kind: 'minilm', package: 'absent-runtime', version: '1.30.0' })).toThrow(
    /^minilm: absent-runtime cannot be loaded; install it next to gembench: npm install --ignore-scripts absent-runtime@1\.30\.0 \([^\n]*\)$/,
  )
})

test('reports an alias of another package like a missing package', () => {
  expect(() => resolveOptional({ kind: 'kind', package: 'typescript-native', version: '7.0.2' })).toThrow(
    /^kind: typescript-native cannot be loaded; .*: npm install .* \(typescript \S+ is installed under this name\)$/,
  )
})

test('rejects another major version, but not a newer minor one', async () => {
  const wanted = { kind: 'files', package: 'zod' }
  await expect(loadOptional({ ...wanted, version: '3.9.0' })).rejects.toThrow(
    /^files: zod 4\.\d+\.\d+ is installed, 3\.9\.0 is needed: npm install --ignore-scripts zod@3\.9\.0$/,
  )
  await expect(loadOptional({ ...wanted, version: '4.0.0' })).resolves.toHaveProperty('z')
})
