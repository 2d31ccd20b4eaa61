import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gembench, gembenchWith, expectRefusal } from '../../test-support/cli.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'

const notes = {
  'my notes ${A}/hr.txt': 'Staff have 28 days of holiday.',
  'my notes ${A}/sub/ops.md': '# Ops\n\nMarta restarts it.',
  'my notes ${A}/a.png': 'x',
}

test('writes a config and a question file, after which validate, run and query need no flag', async () => {
  const here = folderOf(notes)
  expect(await gembench(here, 'init', 'my notes ${A}')).toEqual({
    code: 0,
    err: '',
    out: `my notes \${A}: 2 files of documents (txt 1, md 1); left out: files .png 1
wrote gembench.yaml
wrote questions.csv: write a question per row; answer and evidence (copied from a document) are optional
To let the language model of the config draft questions: npx gembench questions
Next: fill questions.csv, then npx gembench run
`,
  })
  await expectRefusal(gembench(here, 'validate'), 'questions.csv: contains no questions; write one row for each')
  writeFileSync(join(here, 'questions.csv'), 'question,answer\nWho restarts it?,Marta\n')
  expect((await gembench(here, 'validate')).out).toMatch(
    /^valid: mynotesA-\w{8}: 7 methods x 1 question = 7 trials\nfiles: 2 documents, 1 question; left out: files \.png 1\n$/,
  )
  expect(await gembench(here, 'run', '--methods', 'bm25', '--quiet')).toEqual({
    code: 0,
    out: '',
    err: 'config: gembench.yaml\n',
  })
  expect((await gembench(here, 'query', 'Who restarts it?', '-m', 'bm25')).out).toContain('Marta')
})

test('updates its config until somebody edits it, and never overwrites questions', async () => {
  const here = folderOf({ 'docs/a.txt': 'Staff have 28 days of holiday.' })
  const config = (): string => readFileSync(join(here, 'gembench.yaml'), 'utf8')
  await gembench(here, 'init', 'docs')
  expect(config()).toContain('chunks: { size: 100 } # tokens')
  const questions = 'question,answer\nWho restarts it?,Marta\n'
  writeFileSync(join(here, 'questions.csv'), questions)
  writeFileSync(join(here, 'docs/b.md'), '# Ops\n\nMarta restarts it.')
  expect((await gembench(here, 'init', 'docs')).out).toContain('\nupdated gembench.yaml\nquestions: questions.csv\n')
  expect(config()).toContain('chunks: { by: headings, size: 250 } # tokens')
  const edited = config().replace('size: 250', 'size: 200')
  writeFileSync(join(here, 'gembench.yaml'), edited)
  expect((await gembench(here, 'init', 'docs')).out).toContain('\nkept gembench.yaml, since it was edited')
  expect([config(), readFileSync(join(here, 'questions.csv'), 'utf8')]).toEqual([edited, questions])
})

test('sets the analyser of another language and warns of models for English', async () => {
  const german = 'Alle Mitarbeiterinnen und Mitarbeiter haben Anspruch auf achtundzwanzig Tage Urlaub im Jahr. '
  const here = folderOf({ 'docs/a.txt': german.repeat(20), 'docs/b.docx': 'x', 'docs/c.pdf': 'x' })
  const { out } = await gembench(here, 'init', 'docs')
  expect(out).toContain('note: The documents are in German; the embedder minilm is trained on English')
  expect(out).toMatch(
    /^not read: .*b\.docx: mammoth cannot be loaded; .*\nnot read: .*c\.pdf: unpdf cannot be loaded; /m,
  )
  expect(readFileSync(join(here, 'gembench.yaml'), 'utf8')).toContain('  - { use: bm25, analyser: plain }\n')
  writeFileSync(join(here, 'questions.csv'), 'question,answer\nWie viele Tage?,28\n')
  for (const name of ['b.docx', 'c.pdf']) rmSync(join(here, 'docs', name))
  expect(await gembench(here, 'validate')).toMatchObject({ code: 0 })
})

test.each(['method', 'scorer', 'dataset', 'provider'])('writes a %s that passes check, with its test', async (kind) => {
  const here = folderOf({})
  const { code, out } = await gembench(here, 'init', '--new', kind, 'my-own')
  expect([code, out]).toEqual([0, expect.stringContaining('wrote my-own.ts\nwrote my-own.test.ts\n')])
  const path = kind === 'dataset' ? ['--path', 'my-own.json'] : []
  expect(await gembench(here, 'check', 'my-own.ts', ...path)).toEqual({
    code: 0,
    err: '',
    out: `my-own.ts: ${kind} "my-own": all checks passed\n`,
  })
  const again = gembench(here, 'init', '--new', kind, 'my-own')
  await expectRefusal(again, 'error my-own.ts: exists and is not overwritten; give another name\n')
})

test('a method of a file is a row with the name of the file', async () => {
  const here = folderOf({ 'a.txt': 'Marta restarts it.', 'questions.csv': 'question,answer\nWho restarts it?,Marta\n' })
  await gembench(here, 'init', '--new', 'method', 'words')
  renameSync(join(here, 'words.ts'), join(here, 'mine.ts'))
  writeFileSync(
    join(here, 'x.yaml'),
    'name: x\ndataset: { documents: . }\nmethods: [./mine.ts]\nmodels: { embed: fake }\n',
  )
  expect((await gembench(here, 'run', '-c', 'x.yaml', '--json')).out).toContain('"method": "mine"')
})

test('a config uses a provider of a file, and asks again after an edit of the file', async () => {
  const here = folderOf({ 'a.txt': 'Marta restarts it.', 'questions.csv': 'question,answer\nWho restarts it?,Marta\n' })
  await gembench(here, 'init', '--new', 'provider', 'echo')
  const config = (file: string): string =>
    `name: x\ndataset: { documents: . }\nmethods: [bm25]\nmodels: { complete: { use: ${file}, prefix: 'Marta: ' }, embed: fake }\n`
  writeFileSync(join(here, 'x.yaml'), config('./echo.ts'))
  const run = async (): Promise<string> => {
    const { code, out, err } = await gembench(here, 'run', '-c', 'x.yaml', '--json')
    expect([code, err]).toEqual([0, ''])
    const { folder } = JSON.parse(out) as { readonly folder: string }
    return readFileSync(join(here, folder, 'trials.jsonl'), 'utf8')
  }
  expect(await run()).toContain('"answer":{"text":"Marta: ')
  writeFileSync(join(here, 'echo.ts'), readFileSync(join(here, 'echo.ts'), 'utf8').replace('${prefix}', 'Reply: '))
  expect(await run()).toContain('"answer":{"text":"Reply: ')
  writeFileSync(join(here, 'x.yaml'), config('./a.txt.ts'))
  await expectRefusal(gembench(here, 'validate', '-c', 'x.yaml'), 'x.yaml:4:')
})

test('uses existing questions and ignores results in the folder itself', async () => {
  const here = folderOf({
    'hr.txt': 'Staff have 28 days.',
    'questions.yaml': '- question: How many days?\n  answer: 28\n',
  })
  expect((await gembench(here, 'init')).out).toContain('questions: questions.yaml\n')
  expect((await gembench(here, 'run', '--methods', 'bm25', '--quiet')).code).toBe(0)
  const again = await gembench(here, 'run', '--methods', 'bm25')
  expect(again.out).toContain('Nothing to do: the only trial is complete')
  writeFileSync(join(here, 'hr.txt'), 'Staff have 29 days.')
  expect((await gembench(here, 'run', '--methods', 'bm25', '--full')).out).toContain('Trials: 1 new (0 failed)')
})

test('recognises a BEIR collection', async () => {
  const here = folderOf({
    'c/corpus.jsonl': '{"_id": "d1", "text": "Oslo is a city."}',
    'c/queries.jsonl': '{"_id": "q1", "text": "Which city?"}',
    'c/qrels/test.tsv': 'q1\td1\t1\n',
  })
  expect((await gembench(here, 'init', 'c')).out).toContain('c: a collection in the layout of BEIR')
  expect((await gembench(here, 'validate')).out).toContain('beir: 1 document, 1 question')
})

test.each([
  [['init', 'none'], {}, 'none: no such file or folder; name the folder of your documents: gembench init FOLDER'],
  [['init', '--new', 'method', 'My'], {}, '--new method: "My" is not a valid name; use small letters'],
  [['init', '--new', 'method'], {}, '--new method: the name is missing'],
  [['init'], { 'a.png': 'x' }, '.: holds no documents (left out: files .png 1); documents are .txt, .md, .html'],
  [['run'], {}, 'no config: give a config with -c FILE, or write gembench.yaml with "gembench init"'],
  [['run', '-c', 'a.yaml'], { '.env': 'A=sk-secret\nsk-secret\n' }, '.env:2: cannot be read; expected NAME=value'],
])('%j in a folder with %j is refused in one line', async (args, contents, message) => {
  const { code, err } = await gembench(folderOf(contents), ...args)
  expect([code, err.trimEnd().split('\n').length]).toEqual([2, 1])
  expect(err).toContain(message)
  expect(err).not.toContain('secret')
})

test('the environment overrides .env', async () => {
  const config = "name: a\ndataset: { documents: '${MY_NOTES}' }\nmethods: [bm25]\n"
  const here = folderOf({ 'gembench.yaml': config, '.env': 'MY_NOTES=sk-from-file\n' })
  const fromFile = await gembench(here, 'validate')
  expect(fromFile.err).toContain('no such file or folder')
  writeFileSync(join(here, '.env'), `MY_NOTES=${join(here, 'none')}\n`)
  const folder = folderOf({ 'a.txt': 'x', 'questions.csv': 'question\nWhy?\n' })
  expect((await gembenchWith({ MY_NOTES: folder })(here, 'validate')).out).toContain('files: 1 document, 1 question')
})

test('proposes full-context only if the documents fit a window', async () => {
  const configOf = async (text: string): Promise<string> => {
    const here = folderOf({ 'docs/a.md': text })
    await gembench(here, 'init', 'docs')
    return readFileSync(join(here, 'gembench.yaml'), 'utf8')
  }
  expect(await configOf('Short.\n')).toMatch(/^ {2}- full-context$/m)
  expect(await configOf('A line of words.\n'.repeat(33_000))).toMatch(
    /^ {2}# - full-context # all documents in every prompt: about 140,000 tokens here$/m,
  )
})
