import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { UserError } from '../../errors.ts'
import { gembench } from '../../test-support/cli.ts'
import { tinyProject } from '../../test-support/tiny.ts'
import { failureOf } from '../calls/plug-in-errors.ts'
import { loadPlugIn } from './import-plug-in.ts'

/** A method in TypeScript whose line 17 throws in retrieve. */
const brokenFile = `import { defineMethod, z } from 'gembench'


interface Shelf {
  readonly books: readonly string[]
  readonly label?: string
}

// a blank line, types and comments are lost when it is compiled

export const mine = defineMethod({
  name: 'mine', summary: 'breaks', options: z.strictObject({}),
  async index() {
    return {
      async retrieve() {
        const shelf = JSON.parse('{}') as { first: Shelf }
        return shelf.first.books.map((text: string) => ({ text, score: 1, from: [], kind: 'facts' as const }))
      },
    }
  },
})
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gembench-plug-in-'))
  for (const [name, type] of Object.entries({ module: 'module', commonjs: 'commonjs' })) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'package.json'), JSON.stringify({ type }))
  }
})

let files = 0
const writeInput = async (text: string, ending = '.ts', below = ''): Promise<string> => {
  const file = join(folder, below, `mine-${++files}${ending}`)
  await writeFile(file, text)
  return file
}

const messageOf = async (loading: Promise<unknown>): Promise<string> => {
  const error: unknown = await loading.then(
    () => 'nothing was thrown',
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(UserError)
  return (error as UserError).message.replaceAll(folder, '…')
}

const firstOf = async <T>(items: AsyncIterable<T>): Promise<T | undefined> => {
  for await (const item of items) return item
  return undefined
}

describe('the place of an error', () => {
  test.each([
    ['', '.ts'],
    ['module', '.ts'],
    ['commonjs', '.ts'],
  ])('is the line as it was written: package type "%s", %s', async (below, ending) => {
    const method = await loadPlugIn('method', await writeInput(brokenFile, ending, below))
    const index = await method.index([], {} as never, {})
    const error: unknown = await index.retrieve({} as never, {} as never, {} as never).catch((item: unknown) => item)
    expect(failureOf('retrieve', error)).toEqual({
      phase: 'retrieve',
      kind: 'method',
      message: `Cannot read properties of undefined (reading 'books') (mine-${files}.ts:17:28)`,
    })
  })

  test('is known also in JavaScript and in a file that the plug-in imports', async () => {
    await writeFile(join(folder, 'help.ts'), '\nexport function help(): never {\n  throw new Error("no help")\n}\n')
    const text = `import { help } from './help.ts'
import { z } from 'gembench'
export const mine = { name: 'mine', summary: '', options: z.object({}), index: async () => help() }`
    const method = await loadPlugIn('method', await writeInput(text, '.mjs'))
    const reason: unknown = await method.index([], {} as never, {}).catch((error: unknown) => error)
    expect(failureOf('index', reason).message).toMatch(/^no help \(help\.ts/)
  })

  test('is given only for errors of plug-ins', () => {
    expect(failureOf('index', new Error('ours')).message).toBe('ours')
    expect(failureOf('index', 'a text').message).toBe('a text')
  })
})

describe('a file that cannot be loaded', () => {
  test.each([
    ['.ts', 'export const a: number = 1\n\nconst b: = 3\n', ':3:10: Unexpected "="'],
    ['.mjs', 'export const a = 1\n\nconst b = = 3\n', ":3:11: Unexpected token '='"],
    [
      '.ts',
      '\nconst shelf = undefined as never as { books: string }\nexport const a = shelf.books\n',
      "(reading 'books') (mine-N.ts:3:24)",
    ],
    ['.ts', "import { a } from './nowhere.ts'\nexport const b = a\n", 'nowhere.ts'],
    ['.mjs', 'throw null\nexport const mine = {}\n', 'cannot be loaded: '],
  ])('%s: %s', async (ending, text, said) => {
    const message = await messageOf(loadPlugIn('method', await writeInput(text, ending)))
    expect(message.replaceAll(`mine-${files}`, 'mine-N')).toMatch(/^…\/mine-N\.\w+: cannot be loaded: /)
    expect(message.replaceAll(`mine-${files}`, 'mine-N')).toContain(said)
    expect(message).not.toContain('\n')
  })
})

describe('what a file exports', () => {
  const scorer = (fields: string): string => `import { z } from 'gembench'
export const mine = { name: 'mine', summary: '', source: '', version: 1, columns: [], options: z.object({}), ${fields} }
export default mine`

  test('one plug-in exported under two names counts once', async () => {
    const result = await loadPlugIn('scorer', await writeInput(scorer("kinds: ['answer'], score: () => ({})")))
    expect(result.name).toBe('mine')
  })

  test('must be one plug-in of the kind: neither none nor two', async () => {
    expect(await messageOf(loadPlugIn('scorer', await writeInput('export const a = 1')))).toContain('exports 0 scorers')
    const two = `${scorer("kinds: ['answer'], score: () => ({})")}\nexport const other = { ...mine }`
    expect(await messageOf(loadPlugIn('scorer', await writeInput(two)))).toContain('exports 2 scorers')
  })

  test('each error of a dataset is one line with its place', async () => {
    const text = (files: string, corpora: string): string => `import { UserError, z } from 'gembench'
export const mine = { name: 'mine', summary: '', source: '', licence: '', evidence: false, options: z.object({}),
  async files() { ${files} },
  async *corpora() { ${corpora} } }`
    const dataset = await loadPlugIn('dataset', await writeInput(text('return "a.json"', 'throw new Error("torn")')))
    expect(await messageOf(dataset.files('', {}))).toContain('files() returned "a.json", expected a list of paths')
    expect(await messageOf(firstOf(dataset.corpora('', {})))).toMatch(
      /dataset "mine": corpora\(\) failed: torn \(mine-\d+\.ts:4:28\)$/,
    )
    const ownRun = await loadPlugIn('dataset', await writeInput(text('throw new UserError("fetch it first")', '')))
    expect(await messageOf(ownRun.files('', {}))).toBe('fetch it first')
  })
})

const hybridOf = (part: unknown) => ({ use: 'hybrid', label: 'mine', of: ['bm25', part] })

test.each([
  ['that throws', './mine.ts', 'mine.ts: cannot be loaded: no shelf (mine.ts'],
  ['that throws, as a part of a hybrid', hybridOf('./mine.ts'), 'no shelf (mine.ts'],
  ['that throws, below a part of a hybrid', hybridOf({ use: 'rerank', of: './mine.ts' }), 'no shelf (mine.ts'],
  ['that is missing', './none.ts', 'no such file "./none.ts"'],
  ['that is missing, asked by a hybrid', hybridOf('./none.ts'), 'no such file'],
])('a method file %s is exit 2 before any call, unless --methods leaves its row out', async (_name, row, message) => {
  const project = await tinyProject({ methods: ['bm25', row] })
  await writeFile(join(project, 'mine.ts'), 'throw new Error("no shelf")')
  const run = (...flags: readonly string[]) => gembench(project, 'run', '-c', 'tiny.yaml', '--quiet', ...flags)
  const refusal = { code: 2, err: expect.stringContaining(message) as unknown }
  expect(await run()).toMatchObject(refusal)
  expect(await run('--methods', 'mine')).toMatchObject(refusal)
  expect(existsSync(join(project, 'results'))).toBe(false)
  expect(await run('--methods', 'bm25')).toMatchObject({ code: 0, err: '' })
})
