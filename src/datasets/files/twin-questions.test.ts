import { expect, test } from 'vitest'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { gather } from '../../testing/dataset.ts'
import { files } from './files.ts'

async function notesOf(questions: string): Promise<readonly string[] | undefined> {
  const folder = folderOf({ 'a.txt': 'Words.', 'b.txt': 'Words.', 'questions.csv': questions })
  return (await gather(files.corpora(folder, files.options.parse({}))))[0]?.notes
}

test.each([
  [
    'question,answer\nWho?,Ada\nWhy?,So\n Who? ,Oda\n',
    '1 question occurs more than once in questions.csv (lines 2, 4)',
  ],
  [
    'question,document\nA?,a.txt\nA?,a.txt\nB?,\nA?,a.txt\nB?,\n',
    '2 questions occur more than once in questions.csv (lines 2, 3, 5; lines 4, 6)',
  ],
  ['question,cluster\nWho?,a\nWho?,b\n', '1 question occurs more than once'],
])('%j: notes duplicate questions with their lines', async (questions, message) => {
  expect(await notesOf(questions)).toEqual([expect.stringContaining(message)])
})

test.each([
  'question\nWho?\nWhy?\n',
  'question,document\nWho?,a.txt\nWho?,b.txt\n',
  'question,options,correct\nWhich?,a|b,1\nWhich?,c|d,1\n',
  'question,cluster\nWho?,a\nWho?,a\n',
])('%j: does not note equal questions about other documents or options, or of one cluster', async (questions) => {
  expect(await notesOf(questions)).toBeUndefined()
})
