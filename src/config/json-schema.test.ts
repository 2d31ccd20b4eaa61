import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { fakeRegistries, readYaml } from '../test-support/fake-configs.ts'
import { configJsonSchema } from './schema.ts'

const schema = await configJsonSchema(fakeRegistries)
const asZod = z.fromJSONSchema(schema)
const start = 'name: a\ndataset: sample\nmethods: [bm25]\n'

test.each([
  [start, true],
  [`$schema: ./schema.json\n${start}`, true],
  ['name: a\ndataset: { use: qasper, limit: 2, options: { split: dev } }\nmethods: [bm25]\n', true],
  ['name: a\ndataset: { use: sample, options: { split: dev } }\nmethods: [bm25]\n', false],
  ['name: a\ndataset: sample\nmethods: [{ use: bm25, k1: 2, label: x }, gem-rag]\n', true],
  [`${start}repeats: { index: false }\n`, false],
  ['name: a\ndataset: sample\nmethods: [bm52]\n', false],
  ['name: a\ndataset: sample\nmethods: [{ use: bm25, b: 2 }]\n', false],
  ['name: a\ndataset: sample\nmethods: [./mine.ts, { use: ./mine.ts, label: d, depth: 2 }]\n', true],
  [`${start}models: { complete: { use: openai, model: m } }\n`, true],
  [`${start}models: { embed: extractive }\n`, false],
  [`${start}sed: 3\n`, false],
  [`${start}vary: { bm25: [0, 1] }\n`, false],
])('the JSON schema and the config reader agree on %j', async (text, right) => {
  expect(asZod.safeParse(parse(text)).success).toBe(right)
  const reading = readYaml(text).then(
    () => true,
    () => false,
  )
  expect(await reading).toBe(right)
})

test('every key of the config has a description, and every reference resolves', () => {
  const undescribed = Object.entries(schema.properties ?? {}).filter(([, value]) => {
    const inner = value as { description?: string; $ref?: string }
    return inner.description === undefined && inner.$ref === undefined
  })
  expect(undescribed).toEqual([])
  const references = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map(([, name]) => name)
  expect(new Set(references)).toEqual(new Set(Object.keys(schema.$defs ?? {})))
})
