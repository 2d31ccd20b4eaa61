import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { gembenchWith, type CliEnded } from '../../test-support/cli.ts'

const gembench = (
  cwd: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliEnded> => gembenchWith(environment)(cwd, ...args)

function folderOf(contents: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'gembench-init-'))
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return root
}

const notes = {
  'my notes ${A}/hr.txt': 'Staff have 28 days of holiday.',
  'my notes ${A}/sub/ops.md': '# Ops\n\nMarta restarts it.',
  'my notes ${A}/a.png': 'x',
}

test('writes a config and a question file, after which validate, run and query need no flag', async () => {
  const here = folderOf(notes)
  expect(await gembench(here, ['init', 'my notes ${A}'])).toEqual({
    code: 0,
    err: '',
    out: `my notes \${A}: 2 files of documents (txt 1, md 1); left out: files .png 1
wrote gembench.yaml
wrote questions.csv: write a row for each question; only "question" must be filled, "evidence" is words copied from a document
or let the model of the config draft them: gembench questions --count 20
Next    gembench validate, then gembench run
`,
  })
  expect(await gembench(here, ['validate'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('questions.csv: contains no questions; write a row for each'),
  })
  writeFileSync(join(here, 'questions.csv'), 'question,answer\nWho restarts it?,Marta\n')
  expect((await gembench(here, ['validate'])).out).toMatch(
    /^valid: mynotesA-\w{8}: 7 methods x 1 question = 7 trials\nfiles: 2 documents, 1 question; left out: files \.png 1\n$/,
  )
  expect(await gembench(here, ['run', '--methods', 'bm25', '--quiet'])).toEqual({
    code: 0,
    out: '',
    err: 'config: gembench.yaml\n',
  })
  expect((await gembench(here, ['query', 'Who restarts it?', '-m', 'bm25'])).out).toContain('Marta')
  const before = readFileSync(join(here, 'gembench.yaml'), 'utf8')
  expect(await gembench(here, ['init', 'my notes ${A}'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('is not overwritten'),
  })
  expect(readFileSync(join(here, 'gembench.yaml'), 'utf8')).toBe(before)
})

test('uses existing questions and ignores results in the folder itself', async () => {
  const here = folderOf({
    'hr.txt': 'Staff have 28 days.',
    'questions.yaml': '- question: How many days?\n  answer: 28\n',
  })
  expect((await gembench(here, ['init'])).out).toContain('questions: questions.yaml\n')
  expect((await gembench(here, ['run', '--methods', 'bm25', '--quiet'])).code).toBe(0)
  const again = await gembench(here, ['run', '--methods', 'bm25'])
  expect(again.out).toContain('nothing was asked')
  writeFileSync(join(here, 'hr.txt'), 'Staff have 29 days.')
  expect((await gembench(here, ['run', '--methods', 'bm25'])).out).toContain('Asked 1 trial (0 failed)')
})

test('recognises a BEIR collection', async () => {
  const here = folderOf({
    'c/corpus.jsonl': '{"_id": "d1", "text": "Oslo is a city."}',
    'c/queries.jsonl': '{"_id": "q1", "text": "Which city?"}',
    'c/qrels/test.tsv': 'q1\td1\t1\n',
  })
  expect((await gembench(here, ['init', 'c'])).out).toContain('c: a collection in the layout of BEIR')
  expect((await gembench(here, ['validate'])).out).toContain('beir: 1 document, 1 question')
})

test.each([
  [['init', 'none'], {}, 'none: no such file or folder'],
  [['init'], { 'a.png': 'x' }, '.: holds no documents (left out: files .png 1); documents are .txt, .md, .html'],
  [['run'], {}, 'there is no config: give a config with -c FILE, or write gembench.yaml with "gembench init"'],
  [['run', '-c', 'a.yaml'], { '.env': 'A=sk-secret\nsk-secret\n' }, '.env:2: cannot be read; expected NAME=value'],
])('%j in %j: one line', async (args, contents, message) => {
  const { code, err } = await gembench(folderOf(contents), args)
  expect([code, err.trimEnd().split('\n').length]).toEqual([2, 1])
  expect(err).toContain(message)
  expect(err).not.toContain('secret')
})

test('reports an invalid line of .env', async () => {
  const here = folderOf({ '.env': 'nonsense\n' })
  expect((await gembench(here, ['--version'])).code).toBe(0)
  expect((await gembench(here, ['run', '--help'])).out).toContain('Usage: gembench run')
  expect((await gembench(here, ['ls', 'models'])).code).toBe(0)
  expect(await gembench(here, ['run', '-c', 'a.yaml'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('.env:1: cannot be read'),
  })
})

test('the environment overrides .env', async () => {
  const config = "name: a\ndataset: { documents: '${MY_NOTES}' }\nmethods: [bm25]\n"
  const here = folderOf({ 'gembench.yaml': config, '.env': 'MY_NOTES=sk-from-file\n' })
  const fromFile = await gembench(here, ['validate'])
  expect(fromFile.err).toContain('no such file or folder')
  writeFileSync(join(here, '.env'), `MY_NOTES=${join(here, 'none')}\n`)
  const folder = folderOf({ 'a.txt': 'x', 'questions.csv': 'question\nWhy?\n' })
  expect((await gembench(here, ['validate'], { MY_NOTES: folder })).out).toContain('files: 1 document, 1 question')
})

test('proposes full-context only if the documents fit a window', async () => {
  const configOf = async (text: string): Promise<string> => {
    const here = folderOf({ 'docs/a.md': text })
    await gembench(here, ['init', 'docs'])
    return readFileSync(join(here, 'gembench.yaml'), 'utf8')
  }
  expect(await configOf('Short.\n')).toMatch(/^ {2}- full-context$/m)
  expect(await configOf('A line of words.\n'.repeat(33_000))).toMatch(
    /^ {2}# - full-context # all documents in every prompt: about 140,000 tokens here$/m,
  )
})
