import { describe, expect, test } from 'vitest'
import { mistakesOf, readRuns, readYaml } from '../test-support/fake-configs.ts'
import { variableKeys } from './schema.ts'

const sound = 'name: a\ndataset: sample\nmethods: [bm25, gem-rag]\n'
const openai = 'models: { complete: { use: openai, model: m, apiKey: "${KEY}" } }\n'
const environment = { KEY: 'hush-hush' }

describe('varied keys of the config', () => {
  test('make one run for every combination and name the varied values in every row', async () => {
    const runs = await readRuns(
      `${sound}vary: { chunks.size: [50, 100], budget: [{ tokens: 200 }], seed: [1, 2], gem-rag.components: [3, 4] }\n`,
    )
    expect(runs.map(({ chunks, budget, seed }) => [chunks.size, budget.tokens, seed])).toEqual([
      [50, 200, 1],
      [50, 200, 2],
      [100, 200, 1],
      [100, 200, 2],
    ])
    expect(runs[3]?.variedValues).toEqual([
      { option: 'chunks.size', text: '100' },
      { option: 'budget', text: '{"tokens":200}' },
      { option: 'seed', text: '2' },
    ])
    expect(runs[1]?.methods.map(({ label, variant }) => `${label} (${variant})`)).toEqual([
      'bm25 (chunks.size=50, budget={"tokens":200}, seed=2)',
      'gem-rag (chunks.size=50, budget={"tokens":200}, seed=2, components=3)',
      'gem-rag (chunks.size=50, budget={"tokens":200}, seed=2, components=4)',
    ])
    expect(runs[0]?.budget.passages).toBe(5)
  })

  test('are set like --set does, and the record of each run is a complete config', async () => {
    const runs = await readRuns(`${sound}${openai}vary: { models.complete.model: [m, n] }\n`, { environment })
    expect(runs.map(({ models }) => models.complete.options)).toMatchObject([{ model: 'm' }, { model: 'n' }])
    expect(runs[1]?.record['models']).toMatchObject({ complete: { use: 'openai', model: 'n', apiKey: '${KEY}' } })
    expect(runs[1]?.record).not.toHaveProperty('vary')
    const both = await readRuns(`${sound}vary: { seed: [1, 2], bm25.k1: [0, 1] }\n`)
    expect(both[0]?.record['vary']).toEqual({ 'bm25.k1': [0, 1] })
  })

  test('show values by their names where the names differ', async () => {
    const texts = async (values: string) =>
      (await readRuns(`${sound}vary: { dataset: [${values}] }\n`)).map(({ variedValues }) => variedValues[0]?.text)
    const qasper = '{ use: qasper, limit: 2 }'
    expect(await texts(`sample, ${qasper}`)).toEqual(['sample', 'qasper'])
    expect(await texts(`sample, ${qasper}, { use: qasper, limit: 3 }`)).toEqual([
      'sample',
      '{"use":"qasper","limit":2}',
      '{"use":"qasper","limit":3}',
    ])
    expect(await texts(`sample, { limit: 2 }`)).toEqual(['sample', '{"limit":2}'])
    expect(await texts(`${qasper}, { use: qasper, path: a.json }`)).toEqual(['qasper', 'a.json'])
    expect(await texts(`{ use: qasper, path: '[a' }, { use: qasper, path: b }`)).toEqual(['"[a"', 'b'])
  })

  test('take precedence over labels of the same name', async () => {
    const runs = await readRuns(
      'name: a\ndataset: sample\nmethods: [{ use: bm25, label: chunks }]\nvary: { chunks.size: [10, 20] }\n',
    )
    expect(runs.map(({ chunks }) => chunks.size)).toEqual([10, 20])
    const values: Readonly<Record<string, string>> = {
      dataset: '[sample, { use: qasper }]',
      chunks: '[{ size: 9 }]',
      budget: '[{ tokens: 9 }]',
      answers: '[short]',
      models: '[{ judge: extractive }]',
      scorers: '[[accuracy], [judged]]',
      repeats: '[2]',
      judgeRuns: '[2]',
      seed: '[2]',
      limits: '[{ scoreSeconds: 9 }]',
      prompts: '[paper]',
    }
    const all = variableKeys.map((key) => `${key}: ${values[key] ?? ''}`).join(', ')
    expect(await readRuns(`${sound}vary: { ${all} }\n`)).toHaveLength(4)
  })

  test('never show an API key, and show a variable by its name', async () => {
    const models =
      'models.complete: [{ use: openai, model: m, temperature: 1, apiKey: sk-1 }, { use: openai, model: m, apiKey: "${KEY}" }]'
    const runs = await readRuns(`${sound}vary: { ${models} }\n`, { environment })
    expect(runs.map(({ variedValues }) => variedValues[0]?.text)).toEqual([
      '{"use":"openai","model":"m","temperature":1,"apiKey":"***"}',
      '{"use":"openai","model":"m","apiKey":"${KEY}"}',
    ])
    expect(runs[1]?.models.complete.options).toMatchObject({ apiKey: 'hush-hush' })
  })

  test('accept a baseline from any run', async () => {
    const runs = await readRuns(
      `${sound}vary: { seed: [1, 2], bm25.k1: [0, 1] }\ncompare: { baseline: "bm25 (seed=2, k1=1)" }\n`,
    )
    expect(runs.map(({ compare }) => compare?.baseline)).toEqual([
      { method: 'bm25', variant: 'seed=2, k1=1' },
      { method: 'bm25', variant: 'seed=2, k1=1' },
    ])
  })

  test('a command for one run prints the --set that selects it', async () => {
    const text = `${sound}vary: { chunks.size: [50, 100], seed: [1, 2], bm25.k1: [0, 1] }\n`
    const [line] = await mistakesOf(readYaml(text))
    expect(line).toBe(
      `the config has 4 runs, since "vary" names chunks.size, seed, and this command takes one: give each one value, as with --set 'vary.chunks.size=[…]'`,
    )
    const one = await readYaml(text, { set: ['vary.chunks.size=[50]', 'vary.seed=[1]'] })
    expect(one.methods[0]?.variant).toBe('chunks.size=50, seed=1, k1=0')
  })
})

describe('design', () => {
  const vary = 'vary: { chunks.size: [50, 60, 70], seed: [1, 2], repeats: [1, 2], bm25.k1: [0, 1] }\n'
  const runsOf = async (design: string) =>
    (await readRuns(`${sound}${vary}design: ${design}\n`)).map(({ variedValues }) =>
      variedValues.map(({ text }) => text),
    )

  test('one-at-a-time changes one key of the first values in each run', async () => {
    expect(await runsOf('one-at-a-time')).toEqual([
      ['50', '1', '1'],
      ['60', '1', '1'],
      ['70', '1', '1'],
      ['50', '2', '1'],
      ['50', '1', '2'],
    ])
    expect(await runsOf('all')).toHaveLength(12)
  })

  test('one-at-a-time changes options of methods in the first run alone, one in each variant', async () => {
    const options = 'bm25.k1: [0, 1, 2], bm25.b: [.5, 1], gem-rag.components: [3, 4]'
    const rowsOf = async (keys: string) =>
      (await readRuns(`${sound}vary: { ${keys}${options} }\ndesign: one-at-a-time\n`)).map(({ methods }) =>
        methods.map(({ label, variant }) => `${label} (${variant})`),
      )
    const first = ['bm25 (k1=0, b=0.5)', 'bm25 (k1=1, b=0.5)', 'bm25 (k1=2, b=0.5)', 'bm25 (k1=0, b=1)']
    const rows = [...first, 'gem-rag (components=3)', 'gem-rag (components=4)']
    expect(await rowsOf('')).toEqual([rows])
    expect(await rowsOf('seed: [1, 2], ')).toEqual([
      rows.map((row) => row.replace('(', '(seed=1, ')),
      ['bm25 (seed=2, k1=0, b=0.5)', 'gem-rag (seed=2, components=3)'],
    ])
  })

  test('the record of each run reads to the same plan', async () => {
    const runs = await readRuns(`${sound}${vary}design: one-at-a-time\n`)
    expect(runs.slice(0, 2).map(({ record }) => [record['vary'], record['design']])).toEqual([
      [{ 'bm25.k1': [0, 1] }, 'one-at-a-time'],
      [{ 'bm25.k1': [0] }, 'one-at-a-time'],
    ])
    const [run] = await readRuns(`${sound}vary: { seed: [1, 2] }\ndesign: one-at-a-time\n`)
    expect(run?.record).not.toHaveProperty('design')
  })

  test('the limit of runs counts only the combinations that the design chooses', async () => {
    const list = Array.from({ length: 11 }, (_, index) => index + 1).join(', ')
    const many = `${sound}vary: { chunks.size: [${list}], seed: [${list}] }\n`
    expect(await readRuns(`${many}design: one-at-a-time\n`)).toHaveLength(21)
    const [line] = await mistakesOf(readRuns(many))
    expect(line).toContain('gives 121 runs of the config; the limit is 100')
  })

  test.each(['', 'vary: {}\n'])('design without varied keys is reported: %j', async (vary) => {
    const lines = await mistakesOf(readRuns(`${sound}${vary}design: all\n`))
    expect(lines).toEqual([expect.stringContaining('design chooses among the values that vary names')])
  })
})

describe('invalid vary sections', () => {
  test.each([
    ['chunks.sise: [1, 2]', 'a.yaml:4:9: unknown key in chunks: "sise"; did you mean "size"?'],
    ['chunk.size: [1, 2]', 'a.yaml:4:9: unknown method or key of the config "chunk"; did you mean "chunks"?'],
    [
      'budget.tokens: [0, 5, x]',
      ['a.yaml:4:25: budget.tokens: Too small', 'a.yaml:4:31: budget.tokens: expected number'],
    ],
    ['seed: [1, 2, 1]', 'a.yaml:4:22: "1" is listed twice; remove one'],
    ['chunks: [{ size: 5 }], chunks.size: [6]', 'a.yaml:4:32: "chunks.size" lies within "chunks", which is varied too'],
    [
      'seed: [1], needy.seed: [2]',
      [
        'a.yaml:3:11: "methods.0.rounds" is missing',
        'a.yaml:4:20: "seed" of needy is varied twice',
        'a.yaml:4:20: unknown key in methods.0: "seed"',
      ],
      'name: a\ndataset: sample\nmethods: [needy]\n',
    ],
  ])('are reported: %s', async (vary, lines, config = sound) => {
    const found = await mistakesOf(readRuns(`${config}vary: { ${vary} }\n`))
    expect(found).toEqual([lines].flat().map((line) => expect.stringContaining(line) as string))
  })

  test.each(['name', 'methods', 'models.complete.apiKey', 'chunks..size'])('%s cannot be varied', async (key) => {
    const found = await mistakesOf(readRuns(`${sound}vary: { ${key}: [1, 2] }\n`))
    expect(found).toEqual([
      expect.stringMatching(`^a.yaml:4:9: key "${key}" in vary must be .*: one of dataset, chunks, .*, or below$`),
    ])
  })
})
