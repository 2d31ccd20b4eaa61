import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gather } from '../../testing/dataset.ts'
import { files } from './files.ts'
import { lookAtFolder } from './look-at-folder.ts'

function folderOf(contents: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-look-'))
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content)
  return folder
}

const people = 'name,body\nAda,She wrote.\n'
const textless =
  'people.csv has no column "text": name the column that holds the text by the option "text", or rename it to "text" (found: name, body)'

test('documents are counted as they are read, and of records without text it is said what to do', async () => {
  const folder = folderOf({
    ...{ 'a.txt': 'Words.', 'b.csv': 'id,Text\n1,x\n', 'c.jsonl': '{"id": 1}\n{"text": "x"}\n', 'head.csv': 'text\n' },
    ...{ 'people.csv': people, 'other.json': '[{"body": "x"}]', 'broken.json': '{"text" ', '~$a.docx': 'x' },
    'questions.csv': 'question\nWho?\n',
  })
  expect(await lookAtFolder(folder, folder)).toEqual({
    use: 'files',
    files: { txt: 1, csv: 1, json: 1, jsonl: 1 },
    bytes: expect.any(Number) as number,
    leftOut: {
      'files csv without a row': 1,
      'files csv without the key or column "text"': 1,
      'files json without the key or column "text"': 1,
      'lock files of open documents (~$…)': 1,
    },
    questions: join(folder, 'questions.csv'),
    textless:
      'other.json has no key "text": name the key that holds the text by the option "text", or rename it to "text" (found: body)',
  })
})

test('a folder of records without text holds no documents, before and in a run', async () => {
  const folder = folderOf({ 'people.csv': people, 'questions.csv': 'question\nWho?\n' })
  const said = `${folder}: holds no documents (left out: files csv without the key or column "text" 1); ${textless}`
  await expect(lookAtFolder(folder, folder)).rejects.toThrow(said)
  await expect(gather(files.corpora(folder, files.options.parse({})))).rejects.toThrow(said)
})

test('the file with which Word locks a document is left out of a run, and counted', async () => {
  const folder = folderOf({ 'a.txt': 'Words.', '~$x.docx': 'x', 'questions.csv': 'question\nWho?\n' })
  const [corpus] = await gather(files.corpora(folder, files.options.parse({})))
  expect(corpus).toMatchObject({ documents: [{ id: 'a.txt' }], leftOut: { 'lock files of open documents (~$…)': 1 } })
})

test('where there is no folder, it is said which argument is meant', async () => {
  const folder = folderOf({})
  await expect(lookAtFolder(join(folder, 'nosuch'), folder)).rejects.toThrow(
    'nosuch: no such file or folder; name the folder of your documents: gembench init FOLDER',
  )
})

test('files that a run would refuse are counted apart, with the reason of the first', async () => {
  const folder = folderOf({ 'a.txt': 'Words.', 'b.docx': 'x' })
  writeFileSync(join(folder, 'c.txt'), Buffer.from('caf\xe9', 'latin1'))
  const found = await lookAtFolder(folder, folder)
  expect(found).toMatchObject({ files: { txt: 1 }, refused: { count: 2 } })
  expect(found.refused?.first).toMatch(/b\.docx: mammoth cannot be loaded; install it/)
})

test('the text of documents may have another name', async () => {
  const folder = folderOf({
    ...{
      'people.csv': people,
      'more.jsonl': '{"body": "He did not."}\n',
      'questions.csv': 'question,Expected answer\nWho?,Ada\n',
    },
  })
  const [corpus] = await gather(files.corpora(folder, files.options.parse({ text: 'body' })))
  expect(corpus?.documents.map(({ text }) => text)).toEqual(['He did not.', 'She wrote.'])
  expect(corpus?.notes).toEqual([
    'no question has an answer; if the column "Expected answer" holds it, set columns: { answer: "Expected answer" }',
  ])
})
