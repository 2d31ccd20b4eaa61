import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { malformedRecords } from '../shared/reading.ts'
import { heldBy, ownOptions, readOwnDocuments } from './look-at-folder.ts'
import { readQuestions } from './files.ts'
import { questionsWriter, type WrittenQuestion } from './write-questions.ts'

const hostile = [
  '=HYPERLINK("http://x","y")',
  'ls | wc -l',
  "['a', 'b']",
  '[1, 2]',
  '#N/A',
  "'=1+1",
  "''=1",
  '-2,5 and "more"; ’“',
  '@SUM(A1)',
  "'quoted'",
  'two\nlines\r\nthree',
  '\u202e<b>| pipe',
  '+7 x',
  '＝１',
]
const document = { id: 'notes=1.txt', text: `Before. ${hostile.join(' ; ')} After.` }
const written = hostile.map((text, index): WrittenQuestion => ({
  id: `s${index}`,
  question: text.replace('#', '№'),
  answer: text,
  evidence: text,
  document: document.id,
  tags: 'synthetic',
  cluster: document.id,
  synthetic: 'openai gpt|x',
}))

test.each([
  ['q.jsonl', {}],
  ['q.csv', {}],
  ['q.csv', { columns: { question: 'Frage', answer: ['Antwort', 'B'], synthetic: 'Modell' } }],
])('hostile texts are read as they were written: %s %o', async (name, given) => {
  const options = ownOptions(given)
  const file = join(mkdtempSync(join(tmpdir(), 'gembench-write-questions-')), name)
  const writer = questionsWriter(file, options)
  expect(written.every(writer.isWritable)).toBe(true)
  writeFileSync(file, writer.text(written))
  expect(await heldBy(file, options)).toBe('questions')
  const mapped = { ...options, ...(options.columns && { columns: { ...options.columns, answer: 'Antwort' } }) }
  const { questions, leftOut } = await readQuestions(file, [document], mapped, malformedRecords('stop'))
  expect(leftOut).toEqual({})
  expect(questions.map(({ text }) => text)).toEqual(hostile.map((text) => text.replace('#', '№')))
  questions.forEach(({ reference, evidence = [], synthetic, tags, cluster }, index) => {
    expect(reference).toEqual({ kind: 'answer', accepted: [{ text: written[index]?.answer }] })
    const [{ text = '', start = -1 } = {}] = evidence
    expect(text).toBe(written[index]?.evidence)
    expect(document.text.startsWith(text, start)).toBe(true)
    expect([synthetic, tags, cluster]).toEqual(['openai gpt|x', ['synthetic'], document.id])
  })
})

test('a value that the reader would trim does not fit; other endings and columns from nowhere are refused', () => {
  const [one] = written
  if (!one) throw new Error('there is no question')
  const { isWritable: fits } = questionsWriter('q.csv', ownOptions({}))
  expect(fits({ ...one, synthetic: 'm' })).toBe(true)
  expect(fits({ ...one, synthetic: 'm', answer: 'a|b' })).toBe(true)
  expect(fits({ ...one, synthetic: 'm', document: ' a' })).toBe(false)
  expect(() => questionsWriter('q.yaml', ownOptions({}))).toThrow('written as .csv or .jsonl')
  expect(() => questionsWriter('q.csv', ownOptions({ columns: { tags: null } }))).toThrow(
    'dataset.columns.tags is null',
  )
})

test('a row that people wrote keeps its apostrophes; the tag alone marks a question, too', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'gembench-write-questions-')), 'q.csv')
  writeFileSync(file, "question,tags,synthetic\n'=1,,\n'=2,synthetic,\n'=3,,m\n")
  const { questions } = await readQuestions(file, [document], ownOptions({}), malformedRecords('stop'))
  expect(questions.map(({ text, tags, synthetic }) => [text, tags, synthetic])).toEqual([
    ["'=1", undefined, undefined],
    ["'=2", ['synthetic'], 'a model that is not named'],
    ['=3', ['synthetic'], 'm'],
  ])
})

test('documents are read without questions; a file with no row has none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-own-documents-'))
  writeFileSync(join(folder, 'a.txt'), 'A text.')
  const { documents } = await readOwnDocuments(folder, ownOptions({}))
  expect(documents.map(({ id }) => id)).toEqual(['a.txt'])
  const questions = join(folder, 'questions.csv')
  expect(await heldBy(questions, ownOptions({}))).toBe('nothing')
  writeFileSync(questions, 'question,answer,evidence\n')
  expect(await heldBy(questions, ownOptions({}))).toBe('nothing')
  expect((await readOwnDocuments(folder, ownOptions({}))).documents).toHaveLength(1)
  writeFileSync(questions, 'name,age\nAda,36\n')
  expect(await heldBy(questions, ownOptions({}))).toBe('something else')
  expect(await heldBy(questions, ownOptions({ columns: { question: 'name' } }))).toBe('questions')
  writeFileSync(questions, '')
  expect(await heldBy(questions, ownOptions({}))).toBe('nothing')
})
