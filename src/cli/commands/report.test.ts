import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { graphPage } from '../../report/graph/page.ts'
import { gembench, expectRefusal } from '../../test-support/cli.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { noHealth } from '../../test-support/drawing.ts'
import { tinyProject } from '../../test-support/tiny.ts'
import { questionsWith, writeRun } from '../../test-support/fake-run.ts'

const folder = folderOf({})
beforeAll(async () => {
  const good = questionsWith(40, (index) => Number(index < 30))
  const bad = questionsWith(40, (index) => Number(index < 5))
  await writeRun(join(folder, 'results/base'), {
    rows: { raptor: good, bm25: bad },
    texts: { q0: 'Who </script> built it?' },
  })
  await writeRun(join(folder, 'results/new'), {
    rows: { raptor: bad, bm25: bad },
    texts: { q0: 'Who </script> built it?' },
  })
})

const page = (name = 'report.html'): Promise<string> => readFile(join(folder, name), 'utf8')

/** The page with its packed questions unpacked. */
const unpacked = (text: string): string =>
  text.replace(
    /(id="part-\d+">)([^<]*)/g,
    (_all, open: string, packed: string) => `${open}${inflateRawSync(Buffer.from(packed, 'base64')).toString()}`,
  )

describe('gembench report', () => {
  test('writes one page that begins with the recommendation, byte-identical the next time', async () => {
    const { code, out, err } = await gembench(folder, 'report', 'base')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^wrote report\.html {2}\d+ kB\n$/)
    const first = await page()
    expect(first).toContain(
      '<p class="verdict">Take raptor: at most 5 points below any other method (accuracy, 40 questions, 95 % confidence). Cost of raptor: no language model calls for the index, 0 tokens per 1,000 questions.</p>',
    )
    expect(first).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/)
    expect(first).toContain('whose licence is not open (none is stated)')
    expect(first.match(/<script|<\/script/g)).toHaveLength(6)
    expect(first).toContain('Who \\u003c/script> built it?')
    expect((await gembench(folder, 'report', 'base')).code).toBe(0)
    expect(await page()).toBe(first)
  })

  test('shows regressions and fixes from the first run to the others', async () => {
    const { code } = await gembench(folder, 'report', 'base', 'new', '-o', 'two.html')
    expect(code).toBe(0)
    const text = await page('two.html')
    expect(text).toContain('<h2>From base to new</h2>')
    expect(text).toContain(
      '<th scope="row" class="stays">raptor</th><td class="number">75.0</td><td class="number">12.5</td><td class="number">25</td>',
    )
    expect(text).toContain('raptor: worse; change -62.5 points')
    expect(text).toContain('"name":"raptor: base → new"')
  })

  test('shows runs without a common row, with the message of diff', async () => {
    await writeRun(join(folder, 'results/unlike'), { rows: { vector: questionsWith(3, () => 1) } })
    expect((await gembench(folder, 'report', 'base', 'unlike', '-o', 'unlike.html')).code).toBe(0)
    expect(await page('unlike.html')).toContain('<p>Not compared, as by gembench diff: no row is in both runs;')
  })

  test('links a graph page in the results folder from its row', async () => {
    const graph = { nodes: [], edges: [] }
    const drawing = { method: 'bm25', corpus: 'a: <b>', graph, health: noHealth, lookups: [], failed: 0 }
    await writeRun(join(folder, 'results/drawn'), { rows: { bm25: { q: 1 }, '25': { q: 1 } } })
    const write = (name: string, text: string) => writeFile(join(folder, 'results/drawn', name), text)
    await write('of bm25.html', (await graphPage(drawing)).text)
    await write('of-another-run.html', (await graphPage({ ...drawing, method: 'vector' })).text)
    await write('mine.html', '<title>a: bm25</title>')
    expect((await gembench(folder, 'report', 'drawn')).code).toBe(0)
    const near = '<a href="results/drawn/of%20bm25.html">graph</a>'
    expect((await page()).match(/<a href="[^#].*?<\/a>/g)).toEqual([near])
    expect(await page()).toContain(`<th scope="row" class="stays">bm25 ${near}</th>`)
    await gembench(folder, 'report', 'drawn', '-o', 'results/drawn/report.html')
    expect(await page('results/drawn/report.html')).toContain('<a href="of%20bm25.html">graph</a>')
  })

  test('--no-texts leaves out texts of dataset and models', async () => {
    await gembench(folder, 'report', 'base', '--no-texts', '-o', 'bare.html')
    const text = unpacked(await page('bare.html'))
    expect(text).toContain('<section class=\\"card\\">')
    expect(text).toContain('This page omits texts of the dataset and of models.')
    for (const word of ['Who', 'right of q', 'Text of q', '"said"', 'whose licence']) expect(text).not.toContain(word)
  })

  test('run --report writes the page into the results folder', async () => {
    const project = await tinyProject({ methods: ['bm25'] })
    const { code, out } = await gembench(project, 'run', '-c', 'tiny.yaml', '--report')
    expect(code).toBe(0)
    const name = /^Report: (results\/.*\/report\.html)$/m.exec(out)?.[1] ?? ''
    const text = await readFile(join(project, name), 'utf8')
    expect(text).toContain('<p class="verdict">Fewer than two rows to compare.</p>')
  })

  test('run --report refuses a report.html of another program before the first question', async () => {
    const project = await tinyProject({ methods: ['bm25'] })
    expect((await gembench(project, 'run', '-c', 'tiny.yaml', '--limit', '1')).code).toBe(0)
    const [name = ''] = await readdir(join(project, 'results'))
    const inResults = (file: string) => join(project, 'results', name, file)
    await writeFile(inResults('report.html'), 'my notes')
    const trials = await readFile(inResults('trials.jsonl'), 'utf8')
    await expectRefusal(
      gembench(project, 'run', '-c', 'tiny.yaml', '--report'),
      'was not made by this command and is not overwritten; move it, or leave out --report',
    )
    expect(await readFile(inResults('report.html'), 'utf8')).toBe('my notes')
    expect(await readFile(inResults('trials.jsonl'), 'utf8')).toBe(trials)
  })

  test('overwrites a file of another program with --force only', async () => {
    await writeFile(join(folder, 'notes.html'), 'my notes')
    const { code, err } = await gembench(folder, 'report', 'base', '-o', 'notes.html')
    expect([code, await page('notes.html')]).toEqual([2, 'my notes'])
    expect(err).toContain('notes.html: was not made by this command and is not overwritten')
    expect((await gembench(folder, 'report', 'base', '-o', 'notes.html', '--force')).code).toBe(0)
    expect(await page('notes.html')).toContain('<!-- made by gembench report -->')
  })

  test.each([
    [['nowhere'], 'nowhere: is not a results folder'],
    [['base', '-o', 'no/such/folder.html'], 'cannot be written here'],
    [[], "missing required argument 'runs'"],
  ])('%j is refused in one line', async (args, message) => {
    await expectRefusal(gembench(folder, 'report', ...args), message)
    expect(await readdir(folder)).not.toContain('no')
  })
})
