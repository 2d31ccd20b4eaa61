import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileOf, folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { malformedRecords } from '../shared/published-dataset.ts'
import { hasRecords, ownOptions, readOwnDocuments } from './inspect-folder.ts'
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
const writeInput = hostile.map((text, index): WrittenQuestion => ({
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
])('reads hostile texts as written: %s %o', async (name, overrides) => {
  const options = ownOptions(overrides)
  const file = join(folderOf({}), name)
  const writer = questionsWriter(file, options)
  expect(writeInput.every(writer.isWritable)).toBe(true)
  writeFileSync(file, writer.text(writeInput))
  expect(await hasRecords(file, options)).toBe(true)
  const mapping = { ...options, ...(options.columns && { columns: { ...options.columns, answer: 'Antwort' } }) }
  const { questions, unread } = await readQuestions(file, [document], mapping, malformedRecords('stop'))
  expect(unread).toEqual([])
  expect(questions.map(({ text }) => text)).toEqual(hostile.map((text) => text.replace('#', '№')))
  questions.forEach(({ reference, evidence = [], synthetic, tags, cluster }, index) => {
    expect(reference).toEqual({ kind: 'answer', accepted: [{ text: writeInput[index]?.answer }] })
    const [{ text = '', start = -1 } = {}] = evidence
    expect(text).toBe(writeInput[index]?.evidence)
    expect(document.text.startsWith(text, start)).toBe(true)
    expect([synthetic, tags, cluster]).toEqual(['openai gpt|x', ['synthetic'], document.id])
  })
})

test('rejects values with outer spaces, other file types and unknown columns', () => {
  const [item] = writeInput
  if (!item) throw new Error('there is no question')
  const { isWritable: isRounded } = questionsWriter('q.csv', ownOptions({}))
  expect(isRounded({ ...item, synthetic: 'm' })).toBe(true)
  expect(isRounded({ ...item, synthetic: 'm', answer: 'a|b' })).toBe(true)
  expect(isRounded({ ...item, synthetic: 'm', document: ' a' })).toBe(false)
  expect(() => questionsWriter('q.yaml', ownOptions({}))).toThrow('written as .csv or .jsonl')
  expect(() => questionsWriter('q.csv', ownOptions({ columns: { tags: null } }))).toThrow(
    'dataset.columns.tags is null',
  )
})

test('keeps apostrophes in a row written by people, and recognises a question by its tag alone', async () => {
  const file = fileOf("question,tags,synthetic\n'=1,,\n'=2,synthetic,\n'=3,,m\n", 'q.csv')
  const { questions } = await readQuestions(file, [document], ownOptions({}), malformedRecords('stop'))
  expect(questions.map(({ text, tags, synthetic }) => [text, tags, synthetic])).toEqual([
    ["'=1", undefined, undefined],
    ["'=2", ['synthetic'], 'a model that is not named'],
    ['=3', ['synthetic'], 'm'],
  ])
})

test('reads documents without questions; a file without a row has no questions', async () => {
  const folder = folderOf({ 'a.txt': 'A text.' })
  const { documents } = await readOwnDocuments(folder, ownOptions({}))
  expect(documents.map(({ id }) => id)).toEqual(['a.txt'])
  const questions = join(folder, 'questions.csv')
  expect(await hasRecords(questions, ownOptions({}))).toBe(false)
  writeFileSync(questions, 'question,answer,evidence\n')
  expect(await hasRecords(questions, ownOptions({}))).toBe(false)
  expect((await readOwnDocuments(folder, ownOptions({}))).documents).toHaveLength(1)
  writeFileSync(questions, 'name,age\nAda,36\n')
  expect(await hasRecords(questions, ownOptions({}))).toBe(true)
  writeFileSync(questions, '')
  expect(await hasRecords(questions, ownOptions({}))).toBe(false)
})
