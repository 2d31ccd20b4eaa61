import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { fakeRegistries, readYaml } from '../test-support/fake-configs.ts'
import { configJsonSchema } from './schema.ts'

const schema = await configJsonSchema(fakeRegistries)
const asZod = z.fromJSONSchema(schema)
const start = 'name: a\ndataset: sample\nmethods: [bm25]\n'

describe('the JSON schema and the config reader agree on', () => {
  test.each([
    ['the smallest config', start, true],
    ['the schema itself', `$schema: ./schema.json\n${start}`, true],
    [
      'a dataset with options',
      'name: a\ndataset: { use: qasper, limit: 2, options: { split: dev } }\nmethods: [bm25]\n',
      true,
    ],
    [
      'an unknown dataset option',
      'name: a\ndataset: { use: sample, options: { split: dev } }\nmethods: [bm25]\n',
      false,
    ],
    [
      'methods with options and labels',
      'name: a\ndataset: sample\nmethods: [{ use: bm25, k1: 2, label: x }, gem-rag]\n',
      true,
    ],
    ['repeats without a count', `${start}repeats: { index: false }\n`, false],
    ['an unknown method', 'name: a\ndataset: sample\nmethods: [bm52]\n', false],
    ['an option out of range', 'name: a\ndataset: sample\nmethods: [{ use: bm25, b: 2 }]\n', false],
    [
      "a plug-in's file",
      'name: a\ndataset: sample\nmethods: [./mine.ts, { use: ./mine.ts, label: d, depth: 2 }]\n',
      true,
    ],
    ['a model', `${start}models: { complete: { use: openai, model: m } }\n`, true],
    ['a model that cannot embed', `${start}models: { embed: extractive }\n`, false],
    ['an unknown key', `${start}sed: 3\n`, false],
    ['variants without an option', `${start}vary: { bm25: [0, 1] }\n`, false],
  ])('%s', async (_what, text, right) => {
    expect(asZod.safeParse(parse(text)).success).toBe(right)
    const reading = readYaml(text).then(
      () => true,
      () => false,
    )
    expect(await reading).toBe(right)
  })
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
