import { expect, test } from 'vitest'
import { fileOf, jsonl } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { quality } from './quality.ts'

const question = (set: string, number: number, label = 1, difficult = 0) => ({
  question: ` Who is asked in ${set}?\n`,
  question_unique_id: `${set}_${number}`,
  options: [' a', 'b ', 'c', 'a'],
  writer_label: 1,
  gold_label: label,
  difficult,
})

const line = (article: string, writer: string, questions: readonly object[], text = `Article ${article}.`) => ({
  article_id: article,
  set_unique_id: `${article}_${writer}`,
  title: ` Title ${article} `,
  year: 1950,
  article: `\n${text}\n`,
  questions,
})

const lines = [
  line('1', 'A', [question('1_A', 1, 4, 1), question('1_A', 2)]),
  line('2', 'A', [question('2_A', 1)]),
  line('1', 'B', [question('1_B', 1, 2, 1)]),
]

const read = (values: readonly object[], options: object = {}) =>
  gather(quality.corpora(fileOf(jsonl(values)), quality.options.parse(options)))

test('lines of one article share a corpus, in the order of their first lines', async () => {
  const [first, second] = await read(lines)
  expect(first).toEqual({
    id: '1',
    documents: [{ id: '1', text: 'Article 1.', title: 'Title 1' }],
    questions: [
      {
        id: '1_A_1',
        text: 'Who is asked in 1_A?',
        reference: { kind: 'choice', options: ['a', 'b', 'c', 'a'], correct: 3 },
        tags: ['set:1_A', 'hard'],
        cluster: '1',
      },
      expect.objectContaining({ id: '1_A_2', tags: ['set:1_A'] }),
      expect.objectContaining({ id: '1_B_1', tags: ['set:1_B', 'hard'] }),
    ],
  })
  expect(second?.id).toBe('2')
})

test('a line with another text of the article has its own corpus', async () => {
  const corpora = await read([...lines, line('2', 'B', [question('2_B', 1)], 'Another text.')])
  expect(corpora.map(({ id }) => id)).toEqual(['1', '2', '2_B'])
})

test.each([
  ['0..0', ['1_A_1', '1_A_2']],
  ['1..2', ['2_A_1', '1_B_1']],
  ['0..2', ['1_A_1', '1_A_2', '1_B_1', '2_A_1']],
])('lines %s count lines, not articles', async (selection, ids) => {
  expect((await read(lines, { lines: selection })).flatMap(({ questions }) => questions.map(({ id }) => id))).toEqual(
    ids,
  )
})

test.each([
  ['1..3', 'lines 1..3 are outside the file, which has 3 lines, counted from 0'],
  ['2..1', 'lines 2..1: write the smaller number first'],
])('rejects lines %s', async (selection, message) => {
  await expect(read(lines, { lines: selection })).rejects.toThrow(message)
})

const brokenFile = (change: object) => [
  lines[1]!,
  line('3', 'A', [question('3_A', 1), { ...question('3_A', 2), ...change }]),
]
test.each<[string, object[], string]>([
  [
    'no label',
    brokenFile({ gold_label: undefined }),
    ':2: question 2 lacks "gold_label"; expected QuALITY v1.0.1, train or dev',
  ],
  ['an article in HTML', [line('1', 'A', [], ' <html><p>x</p></html>')], ':1: article: is HTML; take the file'],
  ['the flat form', [{ article_id: '1', question1: 'Who?', question1option1: 'a' }], ':1: lacks "set_unique_id"'],
])('names the place of malformed input: %s', async (_, values, message) => {
  await expect(read(values)).rejects.toThrow(`file.jsonl${message}`)
})
