import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { gembench, expectRefusal, resultsOf } from '../../test-support/cli.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { tinyProject } from '../../test-support/tiny.ts'

let project: string
let results: string
beforeAll(async () => {
  project = await tinyProject({ scorers: ['accuracy', 'qasper-f1', 'retrieval'] })
  results = await resultsOf(project)
})

const table = (...flags: string[]) => gembench(project, 'table', results, ...flags)

describe('files of a run', () => {
  test('trec: writes qrels and a run file per ranking row', async () => {
    const folder = folderOf({})
    const { code, out } = await table('--format', 'trec', '-o', folder)
    expect({ code, out }).toEqual({
      code: 0,
      out: `wrote qrels.txt, random.run, bm25.run, vector.run to ${folder}\n`,
    })
    expect(await readFile(join(folder, 'qrels.txt'), 'utf8')).toBe(
      'builder 0 000001:000000 1\noven 0 000000:000000 1\noven 0 000001:000000 1\noven 0 000001:000001 1\n',
    )
    const lines = (await readFile(join(folder, 'bm25.run'), 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => line.split(' ').toSpliced(4, 1).join(' '))).toEqual([
      'builder Q0 000001:000000 1 bm25',
      'oven Q0 000001:000001 1 bm25',
    ])
  })

  test('trec: writes its files twice, and overwrites no other file', async () => {
    const folder = folderOf({})
    const write = () => table('--format', 'trec', '-o', folder)
    expect((await write()).code).toBe(0)
    expect((await write()).code).toBe(0)
    const [file = '', ...rest] = (await readdir(folder)).sort().reverse()
    await writeFile(join(folder, file), 'mine')
    for (const item of rest) await rm(join(folder, item))
    await expectRefusal(
      write(),
      `error ${join(folder, file)}: exists and is not overwritten; remove it, or name another`,
    )
    expect(await readFile(join(folder, file), 'utf8')).toBe('mine')
    expect(await readdir(folder)).toEqual([file])
  })

  test.each([
    [['--format', 'trec', '-o', 'tiny.yaml'], 'tiny.yaml: is not a folder; name another folder with --output'],
    [['--format', 'trec'], '--format trec: name a folder for its files with --output FOLDER'],
    [['--format', 'csv', '-o', 'x'], '--output: only trec writes a folder; for other formats use > FILE'],
    [['--format', 'trec', '-o', 'x', '--columns', 'accuracy'], 'takes no --columns'],
    [['--format', 'json', '--columns', 'accuracy'], '--columns: json holds everything'],
    [['--format', 'csv', '--columns', 'accuracy'], '--columns: csv holds everything'],
    [['--columns', 'acuracy'], '--columns: unknown column "acuracy"; did you mean "accuracy"?'],
  ])('%j is refused in one line with exit code 2', (flags, message) => expectRefusal(table(...flags), message))
})

test('--columns selects by title, metric or scorer.metric', async () => {
  const { out } = await table('--columns', 'headroom,qasper-f1.answerF1,trials')
  expect(
    /^\| .*$/m
      .exec(out)?.[0]
      .split(/ *\| */)
      .slice(1, -1),
  ).toEqual(['', 'method', 'Answer F1', 'headroom', 'trials'])
  expect((await table('--format', 'markdown')).out).toBe((await table('--format', 'md')).out)
})

test('prints a short table with three notes, and everything with --full or in LaTeX', async () => {
  const notesIn = (text: string, mark: string): readonly string[] =>
    text.split('\n').filter((line) => line.startsWith(mark))
  const [short, full] = [(await table()).out, (await table('--full')).out]
  const [few, all] = [notesIn(short, '- '), notesIn(full, '- ')]
  expect(all.length).toBeGreaterThan(6)
  expect(few).toHaveLength(4)
  expect(few.at(-1)).toBe(`- ${all.length - 3} more notes: --full, table.md`)
  expect(all.filter((note) => few.includes(note))).toEqual(few.slice(0, 3))
  expect(short).toContain('Offline stand-in (extractive, fake): compares retrieval only')
  const [head = ''] = notesIn(short, '|')
  expect(head.split('|').filter((title) => title.trim() !== '').length).toBeLessThanOrEqual(6)
  expect(short).not.toContain('## Cost')
  expect(full).toContain('## Cost')
  // conditions before them, letters and the decision behind, and the caption of the costs
  expect(notesIn((await table('--format', 'latex')).out, '% ').length).toBeGreaterThanOrEqual(all.length + 4)
})

test('marks the table of an unfinished run in every format', async () => {
  await cp(join(project, results), join(project, 'unfinished'), { recursive: true })
  const file = join(project, 'unfinished', 'trials.jsonl')
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const isTrial = (line: string): boolean => line.includes('"line":"trial"')
  const kept = [...lines.filter((line) => !isTrial(line)), ...lines.filter(isTrial).slice(0, 11)]
  await writeFile(file, `${kept.join('\n')}\n`)
  const tableAs = (format: string) => gembench(project, 'table', 'unfinished', '--format', format)
  const message = 'Unfinished: 11 of 18 trials; run the config again to finish.'
  for (const format of ['md', 'latex']) expect((await tableAs(format)).out).toContain(message)
  for (const format of ['csv', 'usage-csv', 'json']) expect((await tableAs(format)).err).toContain(message)
})
