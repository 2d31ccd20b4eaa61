import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

const { version, devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly devDependencies: Readonly<Record<string, string>>
}

/** The environment without the settings of this clone, which npm passes on, and of the test runner. */
const settings = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('npm_config_ignore_scripts') && name !== 'VITEST'),
)
const npm = async (args: readonly string[], cwd: string): Promise<string> =>
  (await run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd, env: settings })).stdout

const missing = await npm(['view', 'zod', 'version', '--fetch-retries=0'], root).then(
  () => undefined,
  (error: unknown) => String(error).split('\n').at(-1),
)

describe.skipIf(missing !== undefined)(
  `the package, installed from the registry${missing ? ` (${missing})` : ''}`,
  () => {
    /** An empty folder of someone else, with the package and a compiler, and without the types of Node. */
    let folder: string
    /** What a Node program of that folder prints. */
    const printedBy = async (...args: string[]): Promise<string> =>
      (await run(process.execPath, args, { cwd: folder, env: settings, maxBuffer: 2 ** 26 })).stdout
    const gembench = async (...args: string[]): Promise<string> =>
      (await run('npx', ['--no-install', 'gembench', ...args], { cwd: folder, maxBuffer: 2 ** 26 })).stdout
    const json = async (...args: string[]): Promise<unknown> => JSON.parse(await printedBy(...args)) as unknown

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'gembench-consumer-'))
      await npm(['pack', '--pack-destination', folder], root)
      await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
      const compiler = `typescript@${devDependencies['typescript']}`
      await npm(['install', `./gembench-${version}.tgz`, compiler], folder)
    })

    // some 450 MB
    afterAll(() => rm(folder, { recursive: true, force: true }))

    test('the command runs', async () => {
      expect(await gembench('--version')).toBe(`${version}\n`)
      await writeFile(
        join(folder, 'gembench.yaml'),
        'name: consumer\ndataset: sample\nmethods: [bm25]\nmodels: { complete: extractive, embed: fake }\n',
      )
      expect(await gembench('run', '--limit', '5', '--quiet')).toBe('')
      const [results = ''] = await readdir(join(folder, 'results'))
      expect(await gembench('table', join('results', results))).toMatch(/^\| bm25 /m)
    })

    test('the library runs', async () => {
      await writeFile(join(folder, 'program.js'), program)
      expect(await json('program.js')).toEqual({ rows: ['bm25', 'mine'], trials: [3, 3], failed: [] })
    })

    test('a new method, scorer, dataset and provider pass their checks and tests, and run in one config', async () => {
      for (const kind of ['method', 'scorer', 'dataset', 'provider']) {
        await gembench('init', '--new', kind, `my-${kind}`)
        const path = kind === 'dataset' ? ['--path', 'my-dataset.json'] : []
        expect(await gembench('check', `my-${kind}.ts`, ...path)).toContain('all checks passed')
        expect(await printedBy('--import', 'tsx', '--test', `my-${kind}.test.ts`)).toContain('keeps its contract')
      }
      const config = {
        dataset: { use: './my-dataset.ts', path: 'my-dataset.json' },
        models: { complete: { use: './my-provider.ts', prefix: 'Ada: ' }, embed: 'fake' },
        methods: ['bm25', './my-method.ts'],
        scorers: ['./my-scorer.ts'],
      }
      await writeFile(join(folder, 'plug-ins.yaml'), JSON.stringify({ name: 'plug-ins', ...config }))
      const table = JSON.parse(await gembench('run', '-c', 'plug-ins.yaml', '--json')) as object
      expect(table).toMatchObject({
        trials: { failed: 0 },
        cells: [
          { method: 'bm25', metric: 'contained', mean: 1 },
          { method: 'my-method', metric: 'contained', mean: 1 },
        ],
      })
    })

    test('documents of a new user are compared before and after an edit, with a gate', async () => {
      const home = join(folder, 'engineer')
      await mkdir(join(home, 'notes'), { recursive: true })
      const write = (name: string, text: string) => writeFile(join(home, name), text)
      const here = async (...args: string[]): Promise<string> => {
        const cli = join(folder, 'node_modules', 'gembench', 'dist', 'cli.js')
        return (await run(process.execPath, [cli, ...args], { cwd: home, env: settings })).stdout
      }
      await write('notes/leave.md', '# Leave\n\nStaff have 28 days of holiday.\n')
      await write('notes/fire.html', '<h1>Fire</h1><p>Meet on the lawn behind hall 3.</p>')
      await write('notes/phones.csv', 'name,phone\nKofi Osei,2310\n')
      expect(await here('init', 'notes')).toContain('3 files of documents')
      await write(
        'questions.csv',
        'question,answer,evidence,must contain\nHow many days of holiday?,28 days,28 days of holiday,28\nWhere do we meet?,the lawn,the lawn behind hall 3,\n',
      )
      const results = async (...flags: string[]): Promise<string> => {
        const printed = await here('run', '--json', '--set', 'models.embed=fake', ...flags)
        return (JSON.parse(printed) as { readonly folder: string }).folder
      }
      const before = await results('--min', 'bm25#recall@5=1', '--min', 'bm25#passed=0', '--junit', 'gate.xml')
      expect(await readFile(join(home, 'gate.xml'), 'utf8')).toMatch(/bm25: recall@5 at least[^]*bm25: passed at least/)
      await write('notes/library.txt', 'The library opens on Mondays.')
      expect(await here('init', 'notes')).toMatch(/4 files of documents[^]*updated gembench.yaml/)
      const after = await results('--results', 'after')
      expect(await here('diff', before, after)).toContain('1 document added (library.txt)')
      expect(await here('report', after)).toMatch(/^wrote report.html/)
    })

    test('a program that uses the types compiles, and one with a wrong config does not', async () => {
      await writeFile(join(folder, 'right.ts'), program)
      await writeFile(
        join(folder, 'wrong.ts'),
        "import { run } from 'gembench'\nawait run({ dataset: 'sample', methodz: ['bm25'] })\n",
      )
      const compile = (file: string) =>
        printedBy(
          join('node_modules', 'typescript', 'bin', 'tsc'),
          ...['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--module', 'nodenext', file],
        )
      expect(await compile('right.ts')).toBe('')
      await expect(compile('wrong.ts')).rejects.toMatchObject({
        stdout: expect.stringMatching(/^wrong\.ts.*methodz/) as string,
      })
    })

    test('without onnxruntime-node, minilm is refused in one line with the command that brings it; nothing else is', async () => {
      await rm(join(folder, 'node_modules', 'onnxruntime-node'), { recursive: true, force: true })
      const asked = ['run', '--limit', '1', '--set', 'methods=[vector]', '--quiet']
      await expect(gembench(...asked, '--set', 'models.embed=minilm')).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /minilm: onnxruntime-node cannot be loaded; .*: npm install --ignore-scripts onnxruntime-node@1\.30\.0 [^\n]*\n$/,
        ) as string,
      })
      expect(await gembench(...asked)).toBe('')
    })
  },
)

/** A run with a method of one's own and its checks; TypeScript and JavaScript alike. */
const program = `
import { defineMethod, run, z } from 'gembench'
import { bm25Index, words } from 'gembench/toolkit'
import { methodFindings } from 'gembench/testing'

const mine = defineMethod({
  name: 'mine',
  version: '1',
  summary: 'The best passages by BM25.',
  options: z.strictObject({}),
  async index(chunks) {
    const index = bm25Index(chunks.map(({ text }) => words(text)))
    return {
      retrieve: async ({ text }, { passages }) =>
        index.search(words(text), passages).flatMap(({ index: row, score }) => {
          const chunk = chunks[row]
          return chunk ? [{ text: chunk.text, score, from: [chunk.id], kind: 'chunk' }] : []
        }),
    }
  },
})

const { rows } = await run(
  { name: 'library', dataset: { use: 'sample', limit: 3 }, methods: ['bm25', mine], models: { complete: 'extractive', embed: 'fake' } },
  { cache: false },
)
const failed = await methodFindings(mine)
console.log(JSON.stringify({ rows: rows.map(({ name }) => name), trials: rows.map(({ trials }) => trials), failed }))
`
