import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gembench, expectRefusal } from '../test-support/cli.ts'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { tinyProject } from '../test-support/tiny.ts'

/**
 * A folder with `gembench.yaml`, which a command takes where none is named, and a plug-in that says when it is loaded.
 */
async function folderWithConfig(config: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const folder = await tinyProject()
  const tiny = JSON.parse(readFileSync(join(folder, 'tiny.yaml'), 'utf8')) as object
  writeFileSync(join(folder, 'gembench.yaml'), JSON.stringify({ ...tiny, methods: ['bm25'], ...config }))
  writeFileSync(
    join(folder, 'mine.ts'),
    `import { writeFileSync } from 'node:fs'
import { defineMethod, z } from 'gembench'
writeFileSync(${JSON.stringify(join(folder, 'loaded'))}, '')
export const mine = defineMethod({
  name: 'mine', summary: 'Nothing.', options: z.strictObject({}),
  index: async () => ({ retrieve: async () => [] }),
})
`,
  )
  return folder
}

test('names the found config, and requires no trust for one without code or keys', async () => {
  const folder = await folderWithConfig()
  expect(await gembench(folder, 'validate')).toMatchObject({ code: 0, err: 'config: gembench.yaml\n' })
  expect(await gembench(folder, 'validate', '-c', 'gembench.yaml')).toMatchObject({ code: 0, err: '' })
})

test('loads no plug-in of a found config without a terminal, unless --trust is given once', async () => {
  const folder = await folderWithConfig({ methods: ['bm25', './mine.ts'] })
  const refusal = await gembench(folder, 'validate')
  expect(refusal).toMatchObject({
    code: 2,
    err: 'config: gembench.yaml\nerror gembench.yaml in this folder runs the plug-in ./mine.ts. If you trust it, add --trust\n',
  })
  expect(existsSync(join(folder, 'loaded'))).toBe(false)
  expect(await gembench(folder, 'validate', '--trust')).toMatchObject({ code: 0 })
  expect(existsSync(join(folder, 'loaded'))).toBe(true)
  expect(await gembench(folder, 'validate')).toMatchObject({ code: 0, err: 'config: gembench.yaml\n' })
  writeFileSync(
    join(folder, 'gembench.yaml'),
    readFileSync(join(folder, 'gembench.yaml'), 'utf8').replace('"bm25"', '{"use":"command","run":["sh","x.sh"]}'),
  )
  await expectRefusal(gembench(folder, 'validate'), 'runs the program sh x.sh')
})

test('requires trust again after a plug-in or program has changed', async () => {
  // a word that is longer than any name of a file is none
  const run = ['sh', 'x.sh', 'x'.repeat(5000)]
  const folder = await folderWithConfig({ methods: ['bm25', './mine.ts', { use: 'command', run }] })
  writeFileSync(join(folder, 'x.sh'), 'exit 1')
  for (const file of ['mine.ts', 'x.sh']) {
    expect((await gembench(folder, 'plan', '--trust')).err).not.toContain('in this folder')
    expect((await gembench(folder, 'plan')).err).not.toContain('in this folder')
    writeFileSync(join(folder, file), `${readFileSync(join(folder, file), 'utf8')}\n`)
    expect((await gembench(folder, 'plan')).err).toContain(
      'in this folder runs the plug-in ./mine.ts and runs the program sh x.sh xxx',
    )
  }
})

test('lists servers that get a key', async () => {
  const complete = { use: 'openai', model: 'm', baseUrl: 'http://elsewhere.test', apiKey: '${KEY}' }
  const folder = await folderWithConfig({ models: { complete, embed: 'fake' } })
  writeFileSync(join(folder, '.env'), 'KEY=a-secret-word\n')
  await expectRefusal(gembench(folder, 'validate'), 'sends a key to the server http://elsewhere.test')
})

test('lists a cache beside a found config unless a run made it', async () => {
  const folder = await folderWithConfig()
  mkdirSync(join(folder, '.cache'))
  const here = ['validate', '--cache-folder', '.cache']
  await expectRefusal(gembench(folder, ...here), 'uses the cache .cache in this folder')
  const own = await folderWithConfig()
  expect(await gembench(own, ...here)).toMatchObject({ code: 0 })
  mkdirSync(join(own, '.cache'))
  expect(await gembench(own, ...here)).toMatchObject({ code: 0 })
})

test('trusts a config that init has written', async () => {
  const folder = folderOf({ 'note.md': 'The mill was built in 1841.\n' })
  expect(await gembench(folder, 'init', '.')).toMatchObject({ code: 0 })
  writeFileSync(join(folder, 'questions.csv'), 'question,answer\nWhen was the mill built?,1841\n')
  mkdirSync(join(folder, '.cache'))
  expect(await gembench(folder, 'validate', '--cache-folder', '.cache')).toMatchObject({ code: 0 })
  expect(await gembench(folder, 'init', '--new', 'method', 'mine')).toMatchObject({ code: 0 })
  const config = readFileSync(join(folder, 'gembench.yaml'), 'utf8')
  writeFileSync(join(folder, 'gembench.yaml'), config.replace('- bm25\n', '- bm25\n  - ./mine.ts\n'))
  expect(await gembench(folder, 'validate')).toMatchObject({ code: 0 })
})

test('does not trust a config because init was run beside it', async () => {
  const folder = await folderWithConfig({ methods: ['./mine.ts'] })
  writeFileSync(join(folder, 'note.md'), 'The mill was built in 1841.\n')
  expect((await gembench(folder, 'init', '.')).out).toContain('kept gembench.yaml')
  expect((await gembench(folder, 'validate')).err).toContain('runs the plug-in ./mine.ts')
})

test('.env sets only variables that the config names', async () => {
  const folder = await folderWithConfig({ dataset: { use: 'sample', path: '${WHERE}' } })
  writeFileSync(join(folder, '.env'), 'WHERE=data\nNODE_TLS_REJECT_UNAUTHORIZED=0\nGEMBENCH_CACHE=elsewhere\n')
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  const { code } = await gembench(folder, 'run')
  expect([code, process.env['NODE_TLS_REJECT_UNAUTHORIZED']]).toEqual([0, before])
  expect(existsSync(join(folder, 'elsewhere'))).toBe(false)
})

test('git runs no monitor and no filter of the results folder', async () => {
  const folder = await folderWithConfig()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  git('init', '-q')
  writeFileSync(join(folder, '.gitattributes'), '*.txt filter=odd\n')
  writeFileSync(join(folder, 'note.txt'), 'one')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b.test', 'commit', '-qm', 'a')
  git('config', 'core.fsmonitor', `touch ${join(folder, 'monitored')}; false`)
  const gitOf = async () => {
    const { code, out } = await gembench(folder, 'run', '--json')
    expect(code).toBe(0)
    const { folder: results } = JSON.parse(out) as { folder: string }
    return (JSON.parse(readFileSync(join(folder, results, 'manifest.json'), 'utf8')) as { git: object }).git
  }
  writeFileSync(join(folder, '.env'), 'GIT_CONFIG_COUNT=1\nGIT_CONFIG_KEY_0=core.fsmonitor\nGIT_CONFIG_VALUE_0=false\n')
  expect(await gitOf()).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string, dirty: false })
  git('config', 'filter.odd.clean', `touch ${join(folder, 'filtered')}; cat`)
  writeFileSync(join(folder, 'note.txt'), 'two')
  expect(await gitOf()).toMatchObject({ dirty: null })
  expect(['monitored', 'filtered'].filter((name) => existsSync(join(folder, name)))).toEqual([])
})
