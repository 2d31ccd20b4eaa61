import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mark } from '../../basics/files.ts'
import { graphPage } from '../../report/graph/page.ts'
import { labelsCsv } from '../../report/judge/draw-sample.ts'
import { drawing } from '../../test-support/drawing.ts'
import { hostileTexts } from '../../test-support/hostile-texts.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { gather } from '../../testing/dataset.ts'
import type { Corpus } from '../../types.ts'
import { checkDataset } from '../shared/check.ts'
import { datasetChecksum } from '../shared/checksum.ts'
import { files } from './files.ts'

type Contents = Readonly<Record<string, string | Uint8Array>>

const notes = {
  'hr.txt': 'Staff have 28 days\nof holiday a year.\n',
  'sub/ops.md': '# Ops\n\nMarta restarts the server.\n',
}
const request = { 'questions.csv': 'question,answer\nHow many days?,28\n' }
const sound = { ...notes, ...request }

interface Given {
  readonly onBadRecord?: 'skip'
  readonly [option: string]: unknown
}

const read = async (path: string, { onBadRecord, ...overrides }: Given = {}): Promise<Corpus> =>
  (await gather(files.corpora(path, files.options.parse(overrides), onBadRecord)))[0]!

/** The corpus of the notes with a file of questions. */
const readWith = (name: string, content: string, options: Given = {}): Promise<Corpus> =>
  read(folderOf({ ...notes, [name]: content }), options)

const lines = (values: readonly object[]): string => values.map((value) => JSON.stringify(value)).join('\n')

describe('documents', () => {
  test('reads a folder and its subfolders in byte order of names, and counts skipped files', async () => {
    const path = folderOf({
      ...sound,
      'page.html': '<title>Offices</title><p>Lisbon &amp; Berlin',
      'blank.md': ' \n',
      'empty.txt': '',
      'a.png': 'x',
      Makefile: 'x',
      '.git/x.md': 'x',
      'node_modules/a/README.md': 'x',
      'gembench.yaml': 'name: a',
      'people.csv': 'name,age\na,1\n',
    })
    symlinkSync(join(path, 'hr.txt'), join(path, 'link.txt'))
    symlinkSync(path, join(path, 'circle'))
    const { documents, leftOut } = await read(path)
    expect(documents).toEqual([
      { id: 'hr.txt', text: notes['hr.txt'] },
      { id: 'page.html', text: 'Lisbon & Berlin', title: 'Offices' },
      { id: 'people.csv', text: 'name: a; age: 1' },
      { id: 'sub/ops.md', text: notes['sub/ops.md'], title: 'Ops' },
    ])
    expect(leftOut).toEqual({
      'empty files': 2,
      'files .png': 1,
      'files without an extension': 1,
      'folders node_modules': 1,
      'symbolic links': 2,
    })
  })

  test('ignores hidden files and the output of gembench', async () => {
    const answer = { ids: ['a1'], question: 'Q?', answer: 'A', reference: 'A' }
    const writeInput = {
      'graph.html': (await graphPage(drawing)).text,
      'labels.csv': labelsCsv('judged', [answer]),
      'more.csv': labelsCsv('judged', [{ ...answer, context: 'C' }]).replaceAll(',', ';'),
      'results/a-1/manifest.json': '{}',
      'results/a-1/trials.jsonl': '{"text": "x"}',
      'results/a-1/table.md': '# Table',
      'sub/.env': 'x',
    }
    const ownFiles = { ...sound, 'a.png': 'x', 'talk.md': `Pages ${mark} begin with <!-- ${mark} -->.` }
    expect(await read(folderOf({ ...ownFiles, ...writeInput }))).toEqual(await read(folderOf(ownFiles)))
  })

  test('a record has its id or its file name and number; its text starts with its title', async () => {
    const path = folderOf({
      ...request,
      'a.jsonl': lines([
        { id: 7, title: 'Oslo', text: 'A city.' },
        { _id: 'x', text: 'B' },
        { text: 'C' },
        { text: ' ' },
      ]),
      'b.csv': 'id;title;text\nr1;Oslo;"Oslo lies\nin Norway"\nr2;Art;Arterial roads\n;;D\n',
    })
    expect(await read(path)).toMatchObject({
      documents: [
        { id: '7', title: 'Oslo', text: 'Oslo\n\nA city.' },
        { id: 'x', text: 'B' },
        { id: 'a.jsonl#3', text: 'C' },
        { id: 'r1', title: 'Oslo', text: 'Oslo lies\nin Norway' },
        { id: 'r2', title: 'Art', text: 'Art\n\nArterial roads' },
        { id: 'b.csv#3', text: 'D' },
      ],
      leftOut: { 'empty records': 1 },
    })
  })

  test('skips a first record without text and reads the following ones', async () => {
    const path = folderOf({
      ...request,
      'a.json': JSON.stringify([{ name: 'a' }, { text: 'B' }, { id: 'c', text: 'C' }]),
      'b.jsonl': '{"name": "a"}\n[1]\n{"text": "D"}\n{"text": ',
    })
    const { documents, leftOut, firstBadRecord } = await read(path, { onBadRecord: 'skip' })
    expect(documents).toEqual([
      { id: 'a.json#2', text: 'B' },
      { id: 'c', text: 'C' },
      { id: 'b.jsonl#3', text: 'D' },
    ])
    expect(leftOut).toEqual({ 'records that could not be read': 4 })
    expect(firstBadRecord).toContain('a.json:1: "text" is missing')
  })

  test('the encoding applies to texts and CSV only; JSON and JSONL are UTF-8', async () => {
    const latin = (text: string) => Buffer.from(text, 'latin1')
    const path = folderOf({ ...request, 'a.txt': latin('Äpfel'), 'b.csv': latin('text\nÖl\n') })
    const { documents } = await read(path, { encoding: 'windows-1252' })
    expect(documents.map(({ text }) => text)).toEqual(['Äpfel', 'Öl'])
    writeFileSync(join(path, 'c.jsonl'), latin('{"text": "Übung"}'))
    await expect(read(path, { encoding: 'windows-1252' })).rejects.toThrow('c.jsonl: cannot be read as UTF-8 text')
  })

  test('reads names and texts of any kind', async () => {
    const names = ['a b', 'ü\u0308', '"quoted"', "l'été", 'x\ny', '{{a}}', '$(x)', '%2e%2e', '漢字']
    const path = folderOf({
      ...request,
      ...Object.fromEntries(
        names.map((name, index) => [`${name}.txt`, `${Object.values(hostileTexts)[index]?.(1000) ?? ''} words`]),
      ),
    })
    expect(await checkDataset(files, path, files.options.parse({}))).toMatchObject({
      documents: names.length,
      questions: 1,
    })
  })

  test.each<[Contents, string]>([
    [
      { 'a.txt': Buffer.from('Äpfel', 'latin1') },
      'a.txt: cannot be read as text: it is not UTF-8; convert it, or name',
    ],
    [{ 'a.jsonl': '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}' }, 'a.jsonl:2: the id "a" is used by'],
    [{ 'a.jsonl': '{"text": "x"}\n{"txt": "y"}' }, 'a.jsonl:2: "text" is missing'],
    [{ 'a.csv': 'id,text\na,x\nb,y,z\n' }, 'a.csv:3: malformed CSV'],
    [{ 'a.csv': 'text,text\na,x\n' }, 'a.csv:1: two columns are named "text"'],
    [{ 'a.csv': 'text,Text\na,x\n' }, 'a.csv:1: two columns are named "text"'],
    [{ 'a.pdf': '%PDF-' }, 'a.pdf: unpdf cannot be loaded; install it next to gembench: npm install'],
  ])('%j is reported in one line, or skipped and counted if configured: %s', async (contents, message) => {
    const path = folderOf({ ...sound, ...contents })
    await expect(read(path)).rejects.toMatchObject({ name: 'UserError', message: expect.stringContaining(message) })
    await expect(read(path)).rejects.toThrow(/^[^\n]*$/)
    const corpus = await read(path, { onBadRecord: 'skip' })
    expect(corpus.leftOut).toMatchObject({ 'records that could not be read': 1 })
    expect(corpus.firstBadRecord).toContain(message)
  })

  test.each<[Contents, string]>([
    [{ ...request, 'a.png': 'x' }, 'holds no documents (left out: files .png 1); documents are .txt'],
    [
      { ...sound, 'manifest.json': '{}', 'trials.jsonl': '' },
      'is a results folder (manifest.json, trials.jsonl); name the folder of your documents, or move them out',
    ],
    [
      { ...request, 'a.png': 'x', 'b/a.md': 'x', 'b/manifest.json': '{}', 'b/trials.jsonl': '' },
      'holds no documents (left out: files .png 1, results folders 1)',
    ],
    [notes, 'no file of questions (questions.csv, questions.jsonl'],
    [{ ...sound, 'questions.yaml': '[]' }, 'contains questions.csv and questions.yaml; choose one with the'],
  ])('a folder of %j is refused in one line: %s', async (contents, message) => {
    await expect(read(folderOf(contents))).rejects.toThrow(message)
  })

  test('a folder that is not there is refused', async () => {
    await expect(read(join(folderOf({}), 'none'))).rejects.toThrow('none: no such file or folder; correct this path')
  })
})

test('the fingerprint of the documents changes with texts and names that are read, and only with them', async () => {
  const identity = async (path: string): Promise<unknown> => {
    const result = await files.files(path, files.options.parse({}))
    return [await datasetChecksum(result), files.names?.(result, path)]
  }
  const path = folderOf(sound)
  const first = await identity(path)
  expect(await identity(folderOf(sound))).toEqual(first)
  expect(await identity(folderOf({ ...sound, 'a.png': 'x', '.x.md': 'x' }))).toEqual(first)
  for (const change of [
    { ...sound, 'sub/ops.md': '# Ops\n\nOda restarts it.\n' },
    { 'hr2.txt': notes['hr.txt'], 'sub/ops.md': notes['sub/ops.md'], ...request },
    { ...notes, 'questions.csv': 'question,answer\nHow many days?,29\n' },
  ])
    expect(await identity(folderOf(change))).not.toEqual(first)
})

describe('questions', () => {
  const full = {
    id: 'a',
    question: 'How many days?',
    answer: ['28', '28 days'],
    tags: ['people'],
    cluster: 'hr',
    evidence: { document: 'hr.txt', text: '28 days of holiday' },
  }
  const choice = {
    question: 'Who?',
    options: ['Oda', 'Marta'],
    correct: 2,
    evidence: 'Marta restarts',
    document: 'sub/ops.md',
  }
  const expected = [
    {
      id: 'a',
      text: 'How many days?',
      tags: ['people'],
      cluster: 'hr',
      reference: { kind: 'answer', accepted: [{ text: '28' }, { text: '28 days' }] },
      evidence: [{ documentId: 'hr.txt', text: '28 days\nof holiday', start: 11 }],
    },
    {
      id: '2',
      text: 'Who?',
      reference: { kind: 'choice', options: ['Oda', 'Marta'], correct: 1 },
      evidence: [{ documentId: 'sub/ops.md', text: 'Marta restarts', start: 7 }],
    },
    { id: '3', text: 'Why?', reference: { kind: 'answer', accepted: [] } },
  ]
  const csv = [
    'id,Question,answer,options,correct,evidence,document,tags,cluster,remark',
    'a,How many days?,28 | 28 days,,,28 days of holiday,hr.txt,people,hr,x',
    ',Who?,,Oda|Marta,b,Marta restarts,sub/ops.md,,,',
    ',Why?,,,,,,,,',
  ].join('\r\n')
  const yaml = `- id: a
  question: How many days?
  answer: [28, 28 days]
  tags: people
  cluster: hr
  evidence: { document: hr.txt, text: 28 days of holiday }
- { question: Who?, options: [Oda, Marta], correct: Marta, evidence: [Marta restarts] }
- question: Why?
`
  test.each([
    ['questions.csv', csv],
    ['questions.csv', `\uFEFF${csv.replaceAll('|', '¦').replaceAll(',', ';').replaceAll('¦', '|')}`],
    ['questions.jsonl', lines([full, choice, { question: 'Why?' }])],
    ['questions.json', JSON.stringify([full, choice, { question: 'Why?' }], null, 2)],
    ['questions.yaml', yaml],
  ])('%s: reads all fields', async (name, content) => {
    expect((await readWith(name, content)).questions).toEqual(expected)
  })

  test.each([
    ['questions.csv', 'question,summary,answer\nWhat is known?,Much of holidays. | Little.,\nHow many?,,28\n'],
    [
      'questions.jsonl',
      lines([
        { question: 'What is known?', summary: ['Much of holidays.', 'Little.'] },
        { question: 'How many?', answer: '28' },
      ]),
    ],
  ])('%s: mixes summary questions, with several references, and other questions', async (name, content) => {
    const { questions } = await readWith(name, content)
    expect(questions.map(({ reference }) => reference)).toEqual([
      { kind: 'summary', accepted: ['Much of holidays.', 'Little.'] },
      { kind: 'answer', accepted: [{ text: '28' }] },
    ])
  })

  test.each(['answer,28', 'options,Oda|Marta'])('rejects a summary together with %s', async (field) => {
    const [name, value] = field.split(',')
    const content = `question,summary,${name},correct\nWhy?,So.,${value},${name === 'options' ? 1 : ''}\n`
    await expect(readWith('questions.csv', content)).rejects.toThrow(
      /questions\.csv:2: a question with "summary" cannot have "answer" or "options"; clear one of them$/,
    )
  })

  test('maps other column names, several columns or none to a field', async () => {
    const content = 'Frage,A,B,Lösung,answer\nWho?,Oda,Marta,1,x\n'
    const columns = { question: 'Frage', options: ['A', 'B'], correct: 'Lösung', answer: null }
    const { questions } = await readWith('questions.csv', content, { columns })
    expect(questions[0]?.reference).toEqual({ kind: 'choice', options: ['Oda', 'Marta'], correct: 0 })
  })

  test('names and counts unused columns', async () => {
    const content = 'Question,tag,doc,ground_truth,answer,Antwort\nWho?,a,b,c,x,Oda\n'
    const columns = { answer: 'Antwort', tags: null }
    const { leftOut } = await readWith('questions.csv', content, { columns })
    expect(leftOut).toEqual({ 'columns of the questions that are not read (tag, doc, ground_truth, answer)': 4 })
    const read = await readWith('questions.jsonl', lines([{ question: 'Who?' }, { question: 'Who?', tags: ['x'] }]))
    expect(read.leftOut).toBeUndefined()
  })

  test('reads evidence as whole documents, as several pieces and with the separator in it', async () => {
    const content = 'question,evidence\nA?,sub/ops.md\nB?,28 days | restarts the server\nC?,x | y\n'
    const { questions } = await read(folderOf({ ...notes, 'x.txt': 'a x | y b', 'questions.csv': content }))
    expect(questions.map(({ evidence }) => evidence)).toEqual([
      [{ documentId: 'sub/ops.md' }],
      [
        { documentId: 'hr.txt', text: '28 days', start: 11 },
        { documentId: 'sub/ops.md', text: 'restarts the server', start: 13 },
      ],
      [{ documentId: 'x.txt', text: 'x | y', start: 2 }],
    ])
  })

  test('marks a question with the answer "Unanswerable" as unanswerable', async () => {
    const { questions } = await readWith('questions.csv', 'question,answer\nWho?,unanswerable\n')
    expect(questions[0]).toMatchObject({
      evidence: [],
      reference: { accepted: [{ type: 'unanswerable' }] },
      tags: ['unanswerable'],
    })
  })

  test.each<[content: string, message: string, options?: Given, more?: Contents]>([
    ['qestion,answer\nWho?,x\n', 'questions.csv:1: unknown column "qestion"; did you mean "question"?'],
    ['frage,antwort\nWho?,x\n', 'questions.csv:1: no column "question" (found: frage, antwort); name one "question"'],
    ['question,anwser\nWho?,x\n', 'unknown column "anwser"; did you mean "answer"?'],
    [
      'Frage,b\nWho?,x\n',
      ':1: no column "Fragen" (columns.question); did you mean "Frage"? (found: Frage, b)',
      { columns: { question: 'Fragen' } },
    ],
    [
      'question,Antwort\nWho?,x\n',
      'no column "Antwrt" (columns.answer); did you mean "Antwort"?',
      { columns: { answer: 'Antwrt' } },
    ],
    ['question,answer\n,x\n', ':2: the question is empty'],
    ['question,answer\n', 'questions.csv: contains no questions; write one row'],
    ['{"id": "a", "question": "x"}\n{"id": "a", "question": "y"}', ':2: the question id "a" is used by line 1 already'],
    ['question,evidence\nWho?,s\n', 'occurs in 2 documents (hr.txt, sub/ops.md); name one with "document"'],
    [
      'question,evidence,document\nWho?,staff,again.md\n',
      ':2: the evidence "staff" occurs several times in again.md; quote more of it',
      {},
      { 'again.md': 'staff here\n\nother staff' },
    ],
    ['question,options\nWho?,a|b\n', ':2: "correct" is missing; give the number from 1'],
    ['question,options,correct\nWho?,a|b,3\n', '"correct" is "3", which is not one of the 2 options'],
    ['question,options,correct\nHow many?,2|3|4,3\n', '"correct" is 3: option 3 or the option "3"; give its letter'],
    ['question,options,correct\nWho?,a,1\n', 'a choice needs at least two options'],
    ['{"question": "x", "answer": {"a": 1}}', '"answer" must be a text'],
    [
      '- question: Who?\n  evidence: { documentId: sub/ops.md }\n',
      'questions.yaml:1: a piece of evidence has the unknown',
    ],
    ['{"question": "Who?", "evidence": [{}]}', ':1: a piece of evidence is empty; expected { document, text }'],
    ['- question: "a\n', 'malformed YAML'],
    ['question: a\n', 'questions.yaml:1:1: expected a list of questions'],
    // aliases without bound
    [
      `- &a [x]\n${Array.from({ length: 9 }, (_, i) => `- &${'bcdefghij'[i]} [${`*${'abcdefghi'[i]},`.repeat(9)}]`).join('\n')}`,
      'malformed YAML',
    ],
  ])('%j is reported with its place in one line: %s', async (content, message, options = {}, more = {}) => {
    const format = /^\{/.test(content) ? 'jsonl' : /^(?:-|question:)/.test(content) ? 'yaml' : 'csv'
    const path = folderOf({ ...notes, ...more, [`questions.${format}`]: content })
    const error: unknown = await read(path, options).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'UserError' })
    expect(String(error)).toContain(message)
    expect(String(error)).not.toContain('\n')
  })

  test('skips a malformed question if configured', async () => {
    const content = 'question,evidence\n,Nobody\nHow many?,28 days\n'
    const { questions, leftOut, firstBadRecord } = await readWith('questions.csv', content, { onBadRecord: 'skip' })
    expect(questions.map(({ id }) => id)).toEqual(['2'])
    expect(leftOut).toEqual({ 'records that could not be read': 1 })
    expect(firstBadRecord).toContain('the question is empty')
  })

  test('keeps a question whose evidence is in no document, with a note and a remedy', async () => {
    const rows = ['Who?,Nobody,', 'How many?,28 days,', 'Which?,,gone.md', 'What?,x,hr.tx', 'Why?,Marta,hr.txt']
    const { questions, leftOut, notes } = await readWith(
      'questions.csv',
      `question,evidence,document\n${rows.join('\n')}\n`,
    )
    expect(questions.map(({ id, evidence }) => [id, evidence])).toEqual([
      ['1', [{ documentId: '', text: 'Nobody', missing: true }]],
      ['2', [{ documentId: 'hr.txt', text: '28 days', start: 11 }]],
      ['3', [{ documentId: 'gone.md', missing: true }]],
      ['4', [{ documentId: 'hr.tx', text: 'x', missing: true }]],
      ['5', [{ documentId: 'hr.txt', text: 'Marta', missing: true }]],
    ])
    expect(leftOut).toBeUndefined()
    expect(notes).toContain(
      'no retrieval score for 4 of 5 questions: the evidence is not in the documents (questions.csv:2 "Nobody", questions.csv:4 no document "gone.md", questions.csv:5 no document "hr.tx" (did you mean "hr.txt"?), …); copy its words exactly',
    )
  })

  test('matches evidence despite other quotes, dashes, spaces and Unicode forms', async () => {
    const page = '# Bar\n\nZoe\u0308 said:\u00a0“The so\u00adlar o\ufb03ce can’t open 9–5.”\n'
    const evidence = `Zoë said: "The solar office can't open 9-5."`
    const row = `"${evidence.replaceAll('"', '""')}"`
    const { questions, notes } = await read(
      folderOf({ 'a.md': page, 'questions.csv': `question,evidence\nWhen?,${row}\n` }),
    )
    expect(questions[0]?.evidence).toEqual([
      { documentId: 'a.md', text: page.slice(7).trim().replace('\u00ad', ''), start: 7 },
    ])
    expect(notes ?? []).not.toContainEqual(expect.stringContaining('evidence'))
  })
})
