import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { gather } from '../../testing/dataset.ts'
import { files } from './files.ts'
import { inspectFolder } from './inspect-folder.ts'

const people = 'name,body\nAda,She wrote.\n'

test('counts documents like a run and gives a remedy for records without text', async () => {
  const folder = folderOf({
    'a.txt': 'Words.',
    'b.csv': 'id,Text\n1,x\n',
    'c.jsonl': '{"id": 1}\n{"text": "x"}\n',
    'head.csv': 'text\n',
    'people.csv': people,
    'other.json': '[{"body": "x"}]',
    'broken.json': '{"text" ',
    '~$a.docx': 'x',
    'questions.csv': 'question\nWho?\n',
    'questions-2.csv': 'Question,answer\nWho?,Ada\n',
  })
  expect(await inspectFolder(folder, folder)).toEqual({
    use: 'files',
    files: { txt: 1, csv: 2, json: 1, jsonl: 1 },
    bytes: expect.any(Number) as number,
    leftOut: {
      'files csv without a row': 1,
      'files csv of questions': 1,
      'files json without the key "text"': 1,
      'lock files of open documents (~$…)': 1,
    },
    questions: join(folder, 'questions.csv'),
    refusals: [
      'other.json has no key "text": set the option "text" to the key of the text, or rename it (found: body)',
    ],
  })
})

test('reads a table as one document in which each row repeats the column names', async () => {
  const folder = folderOf({
    'prices.csv': ';Price;Note;Note\nSeat;3,50;;"two\nlines"\n;;;\nDesk;4;a;b\n',
    'b.tsv': 'City\tDesks\nBonn\t3\n',
    'old questions.csv': 'Frage,Antwort\nWer?,Ada\n',
    'questions.csv': 'Frage\nWer?\n',
  })
  const [corpus] = await gather(files.corpora(folder, files.options.parse({ columns: { question: 'Frage' } })))
  expect(corpus?.documents).toEqual([
    { id: 'b.tsv', text: 'City: Bonn; Desks: 3' },
    { id: 'prices.csv', text: 'Seat; Price: 3,50; Note: two lines\n\nDesk; Price: 4; Note: a; Note: b' },
  ])
  expect(corpus?.leftOut).toEqual({ 'files csv of questions': 1 })
})

test('rejects a missing text column and does not read tables instead', async () => {
  const folder = folderOf({ 'people.csv': people, 'questions.csv': 'question\nWho?\n' })
  const read = (text: string) => gather(files.corpora(folder, files.options.parse({ text })))
  await expect(read('bdy')).rejects.toThrow(
    /people\.csv: no file has the column or key "bdy" of the option "text"; correct it, or omit it to read/,
  )
  writeFileSync(join(folder, 'more.jsonl'), '{"bdy": "He did not."}\n')
  expect((await read('bdy'))[0]?.documents.map(({ text }) => text)).toEqual([
    'He did not.',
    'name: Ada; body: She wrote.',
  ])
})

test('removes soft hyphens and zero-width spaces in every kind of document', async () => {
  const folder = folderOf({
    'a.txt': 'co\u00adoperate',
    'b.md': '# Co\u200bop',
    'c.html': '<title>Co&shy;op</title>co&ZeroWidthSpace;op',
    'd.csv': 'name\nco\u00adop\n',
    'e.jsonl': '{"text": "co\\u00adop"}\n',
    'questions.csv': 'question\nWho?\n',
  })
  const [corpus] = await gather(files.corpora(folder, files.options.parse({})))
  expect(corpus?.documents.map(({ text }) => text)).toEqual(['cooperate', '# Coop', 'coop', 'name: coop', 'coop'])
  expect(corpus?.documents.flatMap(({ title = [] }) => title)).toEqual(['Coop', 'Coop'])
})

test('lists the first file that needs a package, and other files with their reason', async () => {
  const folder = folderOf({ 'a.txt': 'Words.', 'b.docx': 'x', 'd.pdf': 'x', 'e.docx': 'x' })
  writeFileSync(join(folder, 'c.txt'), Buffer.from('caf\xe9', 'latin1'))
  const result = await inspectFolder(folder, folder)
  expect(result.files).toEqual({ txt: 1 })
  expect(result.refusals).toEqual([
    expect.stringMatching(/b\.docx: mammoth cannot be loaded; .* npm install --ignore-scripts mammoth@1\.13\.0/),
    expect.stringContaining('c.txt: '),
    expect.stringMatching(/d\.pdf: unpdf cannot be loaded; .* npm install --ignore-scripts unpdf@1\.4\.0/),
  ])
})
