import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readYaml } from '../test-support/fake-configs.ts'

const start = 'name: a\ndataset: sample\nmethods: [bm25]\n'

async function recordedModel(options: string, environment: Record<string, string> = {}): Promise<unknown> {
  const plan = await readYaml(`${start}models: { complete: { use: openai, model: m, ${options} } }\n`, { environment })
  expect(plan.record.models).toMatchObject({ judge: { ...plan.models.judge.record } })
  return plan.models.complete.record
}

describe('the recorded config', () => {
  test.each([
    ['a typed key', 'apiKey: sk-typed', { apiKey: '***' }],
    ['a key from a variable', 'apiKey: "${KEY}"', { apiKey: '${KEY}' }],
    ['a key of a typed text and a variable', 'apiKey: "sk-${KEY}"', { apiKey: '***' }],
    [
      'headers',
      'headers: { X-Key: abc, Authorization: "Bearer ${KEY}" }',
      { headers: { 'X-Key': '***', Authorization: 'Bearer ${KEY}' } },
    ],
    [
      'an address with a password',
      'baseUrl: https://ann:pw@host.example/v1',
      { baseUrl: 'https://***@host.example/v1' },
    ],
    ['an address from a variable', 'baseUrl: "https://${HOST}/v1"', { baseUrl: 'https://${HOST}/v1' }],
  ])('hides secrets only: %s', async (_what, options, record) => {
    expect(await recordedModel(options, { KEY: 'hush-1', HOST: 'hush-2' })).toMatchObject(record)
  })

  test('keeps the names of environment variables in every section', async () => {
    const text = `name: a
dataset: { use: qasper, path: "\${A}", options: { split: "\${S}" } }
methods: [{ use: picky, hint: "\${A}$\${A}" }]
vary: { picky.hint: ["\${A}", x] }
`
    const plan = await readYaml(text, { environment: { A: 'hush', S: 'dev' } })
    expect(plan.record).toMatchObject({
      dataset: { use: 'qasper', path: '${A}', options: { split: '${S}' } },
      methods: [{ use: 'picky', low: 0, high: 1, hint: '${A}$${A}' }],
      vary: { 'picky.hint': ['${A}', 'x'] },
    })
    expect(plan.methods[0]?.record).toEqual({ low: 0, high: 1, hint: '${A}' })
  })
})

test('the recorded config reads to the same plan', async () => {
  const text = `name: again
dataset: { use: qasper, limit: 3, options: { split: dev } }
budget: { tokens: 55 }
models: { complete: { use: openai, model: "\${M}", apiKey: "\${K}" }, answer: { use: openai, model: small } }
methods: [needy, { use: gem-rag, label: gem, mode: { kind: jump } }]
scorers: [{ use: judged, label: ten, scale: 10 }]
vary: { needy.rounds: [1, 2], gem.weights.alpha: [0, 1] }
`
  const environment = { M: 'big', K: 'hush' }
  const first = await readYaml(text, { environment })
  const again = await readYaml(stringify(first.record), { environment })
  expect({ ...again, sources: [] }).toEqual({ ...first, sources: [] })
})

test('the recorded config contains no secret from any source', async () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9_-]{8,20}$/).map((text) => `s3cr3t${text}`)
  await fc.assert(
    fc.asyncProperty(secret, secret, secret, async (fromEnvironment, typed, header) => {
      const config = {
        name: 'a',
        dataset: { use: 'sample', path: '/x/${NAME}' },
        models: {
          complete: {
            use: 'openai',
            model: '${NAME}',
            apiKey: typed,
            headers: { 'X-Token': header, other: '${NAME}' },
          },
        },
        methods: [{ use: 'picky', hint: '${NAME}' }],
        vary: { 'picky.hint': ['${NAME}', 'x${NAME}'] },
      }
      const set = [
        `models.judge={use: openai, model: m, apiKey: ${typed}}`,
        `models.embed={use: openai, model: m, headers: {a: ${header}}}`,
      ]
      const plan = await readYaml(stringify(config), { environment: { NAME: fromEnvironment }, set })
      const written = JSON.stringify([plan.record, plan.models, plan.methods], (key, value: unknown) =>
        key === 'options' ? undefined : value,
      )
      for (const hidden of [fromEnvironment, typed, header]) expect(written).not.toContain(hidden)
      expect(JSON.stringify(plan.models)).toContain(typed)
    }),
    { numRuns: 30 },
  )
})

test('error messages contain no secret', async () => {
  const secret = 's3cr3t-of-mine'
  const texts = [
    `${start}seed: "\${S}"\n`,
    `${start}models: { complete: "\${S}" }\n`,
    `${start}models: { complete: { use: openai, model: [], apiKey: ${secret}, headers: ${secret} } }\n`,
    `name: "\${S} "\ndataset: "\${S}"\nmethods: [{ use: "\${S}.ts" }, { use: "./\${S}", k: 1 }]\nscorers: ["\${S}", "\${S}"]\n`,
    `name: a\ndataset: sample\nmethods: [{ use: picky, hint: "sk-\${S}" }, { use: bm25, label: "\${S}" }, { use: gem-rag, label: "\${S}", mode: "\${S}" }]\nvary: { nobody.x: ["\${S}"], bm25.k1: ["\${S}"] }\n`,
  ]
  for (const text of texts) {
    const set = [`models.judge.apiKey=[${secret}]`]
    const reading = readYaml(text, { environment: { S: secret }, methods: ['x'], set })
    await expect(reading).rejects.toThrow(/./)
    await expect(reading).rejects.not.toThrow(secret)
  }
})
