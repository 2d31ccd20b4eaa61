import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placeOfPath } from '../basics/files.ts'
import { registries } from '../run/index.ts'
import { mistakesOf } from '../test-support/fake-configs.ts'
import { readConfig } from './index.ts'
import type { Plan } from './plan.ts'

const folder = mkdtempSync(join(tmpdir(), 'gembench-own-data-'))

function read(dataset: string, ...set: readonly string[]): Promise<Plan> {
  writeFileSync(join(folder, 'a.yaml'), `name: a\ndataset: ${dataset}\nmethods: [bm25]\n`)
  return readConfig(['a.yaml'], { set, cwd: folder, environment: { NOTES: './notes' } }, registries)
}

test('dataset: { documents, questions } is short for the dataset "files" with its options', async () => {
  const short = await read('{ documents: "${NOTES}", questions: q.csv, limit: 3, columns: { answer: A } }')
  expect(short.dataset).toEqual({
    use: 'files',
    path: join(folder, 'notes'),
    limit: 3,
    record: expect.anything(),
    options: { questions: join(folder, 'q.csv'), columns: { answer: 'A' }, text: 'text' },
  })
  const long = await read(
    '{ use: files, path: "${NOTES}", limit: 3, options: { questions: q.csv, columns: { answer: A } } }',
  )
  expect(short.dataset).toEqual(long.dataset)
  expect(short.record).toMatchObject({
    dataset: { use: 'files', path: '${NOTES}', options: { questions: 'q.csv' } },
  })
})

test('messages show where a path is written in the config', async () => {
  await read('{ documents: "${NOTES}", questions: ./q.csv }')
  expect(placeOfPath(join(folder, 'notes'))).toEqual({ at: 'a.yaml:2:23', text: '${NOTES}' })
  expect(placeOfPath(join(folder, 'q.csv'))).toEqual({ at: 'a.yaml:2:46', text: './q.csv' })
  expect(placeOfPath(join(folder, 'other.csv'))).toBeUndefined()
})

test('--set changes a key of dataset: { documents, questions }', async () => {
  const plan = await read('{ documents: ./notes }', 'dataset.questions=other.csv', 'dataset.documents=./docs')
  expect(plan.dataset).toMatchObject({ path: join(folder, 'docs'), options: { questions: join(folder, 'other.csv') } })
})

test.each([
  [
    '{ docs: ./notes, questions: q.csv }',
    /^a\.yaml:2:27: "dataset\.documents" is missing: the folder of your documents$/m,
  ],
  ['{ document: ./notes }', /"dataset\.documents" is missing: the folder of your documents; rename "document"/],
  ['{ documents: 3 }', /^a\.yaml:2:23: dataset\.path: expected string, received number/],
  ['{ documents: ./notes, path: ./notes }', /dataset\.documents and dataset\.path name the same: remove one/],
  [
    '{ documents: ./notes, question: q.csv }',
    /a\.yaml:2:\d+: unknown key in dataset\.options: "question"; did you mean "questions"\?/,
  ],
  [
    '{ documents: ./notes, columns: { anwser: A } }',
    /unknown key in dataset\.options\.columns: "anwser"; did you mean "answer"\?/,
  ],
  [
    '{ use: sample, documents: ./notes }',
    /unknown key in dataset: "documents" .*; an option of the dataset stands under options: \{ documents: … \}/,
  ],
])('%s is reported with file, line and column', async (dataset, said) => {
  expect((await mistakesOf(read(dataset))).join('\n')).toMatch(said)
})
