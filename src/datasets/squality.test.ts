import { expect, test } from 'vitest'
import { folderOf, jsonl } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { squality } from './squality.ts'

const story = (id: string, more: object = {}) => ({
  metadata: { passage_id: id, uid: 'u', license: 'none' },
  document: `Story ${id}.\n`,
  questions: ['What is the plot of the story? ', 'Who is Ivy?'].map((question_text, at) => ({
    question_text,
    question_number: at + 1,
    responses: [' A bell.', 'The bell.'].map((response_text) => ({ worker_id: '1', uid: 'r', response_text })),
  })),
  ...more,
})

const read = (path: string, options: object = {}) => gather(squality.corpora(path, squality.options.parse(options)))

test('a story is a corpus; its question has all summaries as references', async () => {
  const path = folderOf({ 'test.jsonl': jsonl([story('7')]) })
  expect(await read(path)).toEqual([
    {
      id: '7',
      documents: [{ id: '7', text: 'Story 7.\n' }],
      questions: [
        {
          id: '7-1',
          text: 'What is the plot of the story?',
          reference: { kind: 'summary', accepted: ['A bell.', 'The bell.'] },
          cluster: '7',
        },
      ],
      holds: { stories: 1, questions: 2, 'reference summaries': 4 },
      leftOut: { 'questions after the first of their story': 1 },
    },
  ])
  const [all] = await read(path, { question: 'all' })
  expect(all?.questions.map(({ id, text }) => [id, text])).toEqual([
    ['7-1', 'What is the plot of the story?'],
    ['7-2', 'Who is Ivy?'],
  ])
  expect(all?.leftOut).toBeUndefined()
})
