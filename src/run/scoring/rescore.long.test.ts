import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { UserError } from '../../errors.ts'
import type { Manifest } from '../../records.ts'
import { fakeServer, type FakeServer } from '../../test-support/servers/server.ts'
import { tinyPlan, tinyProject, tinySettings, writeConfig } from '../../test-support/tiny.ts'
import { openResults } from '../results/series.ts'
import { run } from '../run.ts'
import { rescore, type Trust } from './rescore.ts'
let server: FakeServer
beforeEach(async () => {
  server = await fakeServer()
  vi.stubEnv('A_SECRET', 'sk-Of-The-Reader-1')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

type Changed = Partial<Record<keyof Manifest, unknown>>

/** A finished run whose manifest someone else has changed. */
async function changedRun(change: (manifest: Manifest) => Changed, scorers: readonly string[] = ['faithfulness']) {
  const project = await tinyProject({ methods: ['bm25'], scorers })
  const { folder } = await run(await tinyPlan(project), tinySettings(project))
  const file = join(folder, 'manifest.json')
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest
  await writeFile(file, JSON.stringify({ ...manifest, ...change(manifest) }))
  const score = async (trust?: Trust) =>
    rescore(await openResults(folder, ''), tinySettings(project, { cache: false }), trust)
  return { project, folder, score, marker: join(project, 'was-run') }
}

const judgedAt = (options: Readonly<Record<string, unknown>>) => (manifest: Manifest) => ({
  config: {
    ...(manifest.config as object),
    models: { judge: { use: 'openai', model: 'm', ...options }, embed: 'fake' },
  },
})

describe('an untrusted results folder', () => {
  test('a file that it names is not read', async () => {
    const { project, score, marker } = await changedRun(
      ({ scorers }) => ({ scorers: scorers.map((scorer) => ({ ...scorer, use: './evil.ts' })) }),
      ['squad'],
    )
    await writeFile(
      join(project, 'evil.ts'),
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')`,
    )
    vi.spyOn(process, 'cwd').mockReturnValue(project)
    await expect(score()).rejects.toBeInstanceOf(UserError)
    await expect(score()).rejects.toThrow(
      /manifest\.json names the file "\.\/evil\.ts": a results folder's references need trust; give .*--config FILE, or --trust/,
    )
    expect(existsSync(marker)).toBe(false)
    await expect(score({ isTrusted: true })).rejects.toThrow()
    expect(existsSync(marker)).toBe(true)
    vi.restoreAllMocks()
  })

  test('an address that it names, and a variable for it, are not used', async () => {
    const { score } = await changedRun(judgedAt({ baseUrl: server.url, apiKey: '${A_SECRET}', retries: 0 }))
    const failure = score()
    await expect(failure).rejects.toThrow(`names the model "openai" at "${server.url}", the variable A_SECRET: `)
    expect(server.hits).toEqual([])
    await score({ isTrusted: true })
    expect(server.hits.length).toBeGreaterThan(0)
    expect(server.hits[0]?.headers['authorization']).toBe('Bearer sk-Of-The-Reader-1')
  })

  test.each([
    ['the official address', judgedAt({}), 'the model "openai" at "m"'],
    ['weights', judgedAt({ use: 'gguf', path: '/etc/passwd' }), 'the model "gguf" at "/etc/passwd"'],
    [
      'a variable of an option',
      ({ scorers }: Manifest) => ({
        scorers: scorers.map((one) => ({ ...one, use: 'squad', options: { language: '${A_SECRET}' } })),
      }),
      'the variable A_SECRET',
    ],
  ])('may not use %s', async (_what, change, said) => {
    const { score } = await changedRun(change)
    await expect(score()).rejects.toThrow(said)
  })
})

describe('scoring again with --config', () => {
  test('uses the judge and scorers of the config and records them in the manifest', async () => {
    const { project, folder, score } = await changedRun(
      judgedAt({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: '${A_SECRET}' }),
    )
    const judge = { use: 'openai', model: 'mine', baseUrl: server.url, retries: 0 }
    await writeConfig(project, {
      methods: ['bm25'],
      scorers: ['faithfulness', 'squad'],
      models: { embed: 'fake', judge },
    })
    const plan = await tinyPlan(project)
    await score({ plan })
    expect(server.hits.length).toBeGreaterThan(0)
    const { manifest } = await openResults(folder, '')
    expect(manifest.models.judge).toMatchObject({ provider: 'openai', model: 'mine', baseUrl: server.url })
    expect(manifest.scorers.map(({ scorer }) => scorer)).toEqual(['faithfulness', 'squad'])
    expect(manifest.config).toMatchObject({ models: { judge: { model: 'mine' }, embed: 'fake' } })
    expect(manifest.models.embed).toMatchObject({ provider: 'fake' })
  })

  test('requires the embedder of the run', async () => {
    const { project, score } = await changedRun(() => ({}))
    await writeConfig(project, { methods: ['bm25'], models: { embed: 'minilm' } })
    await expect(score({ plan: await tinyPlan(project) })).rejects.toThrow(
      'models.embed of the config is not the embedder of the run',
    )
  })
})
