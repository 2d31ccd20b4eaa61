import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { tinyProject } from '../../test-support/tiny.ts'
import { gembench, expectRefusal, type CliEnded } from '../../test-support/cli.ts'

const graph = (project: string, ...args: readonly string[]): Promise<CliEnded> =>
  gembench(project, 'graph', '-o', 'out', ...args)

const text = ['--text', 'data/documents/the-mill.md']
const tiny = () => tinyProject({ methods: ['bm25', 'gem-rag'] })

/** The data of a graph page, as JSON. */
function dataIn(page: string): string {
  const [, data = ''] = />([A-Za-z0-9+/=]{200,})</.exec(page) ?? []
  return inflateRawSync(Buffer.from(data, 'base64')).toString()
}

describe('gembench graph', () => {
  test('writes a page, prints its contents and size, and overwrites its own page', async () => {
    const project = await tiny()
    const config = ['-c', 'tiny.yaml', '--ask', 'Who was <Edric>?', '--ask', 'Why?']
    expect((await graph(project, ...config)).out).toMatch(
      /^gem-rag on sample: \d+ nodes, \d+ edges, 5 questions looked up\n {2}\d+ connected components?, .*\nwrote .*out {2}\d+ kB\n$/,
    )
    const page = await readFile(join(project, 'out'), 'utf8')
    // questions stand in the deflated data alone, where nothing reads them as a page
    expect(page).not.toContain('Edric>')
    expect(dataIn(page)).toContain('Who was <Edric>?')
    await graph(project, ...config)
    expect(await readFile(join(project, 'out'), 'utf8')).toBe(page)
  })

  test('draws a text with options of its method', async () => {
    const project = await tiny()
    await graph(project, ...text, '--set', 'chunks.size=20', '--set', 'methods.0.components=3')
    const page = await readFile(join(project, 'out'), 'utf8')
    expect(page).toContain('The themes come from the first 3 eigenvectors, in their order.')
  })

  test('overwrites a file of another program with --force only', async () => {
    const project = await tiny()
    await writeFile(join(project, 'out'), 'my notes')
    await expectRefusal(graph(project, ...text), 'was not made by this command')
    expect(await readFile(join(project, 'out'), 'utf8')).toBe('my notes')
    await graph(project, ...text, '--force')
    expect(await readFile(join(project, 'out'), 'utf8')).toMatch(/^<!doctype html>/)
  })

  test.each([
    [[], 'no config: give'],
    [['-c', 'tiny.yaml', '--text', 'a.txt'], "'--text <path>' cannot be used with option '-c, --config <file...>'"],
    [['--text', 'a.txt', '-o', 'no/such/folder'], 'cannot be written here'],
    [['--text', 'a.txt', '--set', 'dataset.limit=1'], '--set dataset.limit: does not apply to a text; set methods.0'],
    [['--text', 'a.txt', '--corpus', 'b'], "'--text <path>' cannot be used with option '--corpus <id>'"],
    [
      ['--text', 'a.txt', '--limit', '1', '--methods', 'raptor'],
      "'--text <path>' cannot be used with option '--limit <questions>'",
    ],
    [['--text', 'a.txt', '--ask', ''], '--ask: the question is empty; write --ask "the question"'],
    [['-c', 'tiny.yaml', '--ask', 'Why?', '--ask', '  '], '--ask: the question is empty; write --ask "the question"'],
  ])('refuses %j: %s', async (args, message) => {
    await expectRefusal(graph(await tiny(), ...args), message)
  })
})
