import { expect, test } from 'vitest'
import { tinyProject } from '../../test-support/tiny.ts'
import { fakeServer } from '../../test-support/servers/server.ts'
import { gembench, gembenchWith, type CliEnded } from '../../test-support/cli.ts'

const validate = (cwd: string, ...args: readonly string[]): Promise<CliEnded> =>
  gembench(cwd, 'validate', '-c', 'tiny.yaml', ...args)

const config = (maxTokens: number) => ({
  chunks: { by: 'none' },
  methods: ['bm25', 'vector', { use: 'vector', label: 'again' }],
  models: { complete: 'extractive', embed: { use: 'minilm', maxTokens } },
})

const server = { use: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:9/v1' }

test('prints a note about a key in the config, without the key', async () => {
  const project = await tinyProject({
    methods: ['bm25'],
    models: { complete: { ...server, apiKey: 'kick' }, embed: 'fake' },
  })
  const { code, out, err } = await validate(project)
  expect(code).toBe(0)
  expect(err).toMatch(/^note: .* a key \(models\.complete\.apiKey\)\. Move it to \.env, .* '\$\{OPENAI_API_KEY\}'\n$/)
  expect(out + err).not.toContain('kick')
  const judge = ['--set', 'models.judge={use: openai, model: other, apiKey: kick}']
  expect((await validate(project, ...judge)).err).toContain('(models.complete.apiKey, models.judge.apiKey)')
  const withVariable = await gembenchWith({ MY_KEY: 'kick' })(
    ...([project, 'validate', '-c', 'tiny.yaml', '--set', 'models.complete.apiKey=${MY_KEY}'] as const),
  )
  expect([withVariable.code, withVariable.err]).toEqual([0, ''])
})

test('requires the price that matches what the model does', async () => {
  const models = (complete: object, embed: object) => ({
    methods: ['bm25'],
    scorers: undefined,
    models: { complete: { ...server, price: complete }, embed: { ...server, price: embed } },
  })
  const project = await tinyProject(models({ prompt: 1, completion: 2 }, { embedding: 0.5 }))
  expect(await validate(project, '--json')).toMatchObject({ code: 0, err: '' })
  const { code, err } = await validate(await tinyProject(models({ prompt: 1, embedding: 2 }, { prompt: 1 })))
  expect(code).toBe(2)
  expect(err).toMatch(
    /"models\.complete\.price\.completion" is missing\n.*"models\.embed\.price\.embedding" is missing\n$/,
  )
})

test('prints a note about a budget below the size of a chunk', async () => {
  const tight = await tinyProject({ ...config(256), chunks: { size: 50 }, budget: { passages: 1, tokens: 2 } })
  expect((await validate(tight)).err).toMatch(
    /^note: the budget of 2 tokens holds no whole chunk of \d+; raise budget.tokens or lower chunks.size\n$/,
  )
  expect((await validate(await tinyProject(config(256)))).err).toBe('')
})

test('--models calls every model once per task, announces the number and uses no cache', async () => {
  const server = await fakeServer({
    behave: ({ body }) =>
      'seed' in body ? { status: 400, error: { message: 'Unknown name "seed": Cannot find field.' } } : undefined,
  })
  const models = { complete: { use: 'openai', model: 'm', baseUrl: server.url }, embed: 'fake' }
  const project = await tinyProject({ methods: ['bm25', 'gem-rag'], models })
  const output = await validate(project, '--models')
  expect(output.err).toBe('models.complete: 4 calls\nmodels.embed: 1 call\n')
  expect(output.code).toBe(3)
  expect(output.out).toContain('\nmodels.complete  openai "m" at http://127.0.0.1:')
  expect(output.out).toContain('  - summarise: 400 Unknown name "seed": Cannot find field; set seed: null\n')
  expect(output.out).toMatch(/\nmodels\.embed {2}fake "[^"]+"\n {2}\+ embedding: a vector has \d+ numbers\n/)
  const hits = server.hits.length
  expect(hits).toBe(4)
  const again = await validate(project, '--models', '--json', '--set', 'models.complete.seed=null')
  await server.close()
  // a reply that cannot be read is asked for once more, as in a run
  expect(server.hits.length).toBe(hits + 5)
  const { models: results } = JSON.parse(again.out) as {
    models: readonly { roles: string[]; findings: readonly { what: string; works: string }[] }[]
  }
  expect(results.map(({ roles }) => roles)).toEqual([['complete'], ['embed']])
  expect(results[0]?.findings).toContainEqual({ what: 'summarise', works: 'yes', said: 'text' })
})
