import { describe, expect, test } from 'vitest'
import { fileOf } from '../../test-support/dataset-copies/write-files.ts'
import type { Question } from '../../types.ts'
import { malformedRecords } from '../shared/published-dataset.ts'
import { readQuestions } from './files.ts'
import { ownOptions } from './inspect-folder.ts'

const documents = [{ id: '007', text: 'The pipe of 5" holds 1.10 bar | 16 psi.' }]

async function read(name: string, content: string, options: object = {}) {
  return readQuestions(fileOf(content, name), documents, ownOptions(options), malformedRecords('stop'))
}

const answersOf = ({ reference }: Question): readonly unknown[] =>
  reference.kind === 'answer' ? reference.accepted.map(({ text }) => text) : [reference]

/** The accepted answers of the one question of a file of CSV. */
const readCell = async (cell: string, options: object = {}) => {
  const { questions, notes } = await read('q.csv', `question,answer\nWhat?,"${cell.replaceAll('"', '""')}"\n`, options)
  return { answers: questions.flatMap(answersOf), notes }
}

const scalars = ['007', '0042', '1.10', '1.0', '1e3', '0x1F', '.5', '+3', '1_000', 'true', 'No', 'Null', 'NULL', '.inf']
const digits = '1234567890123456789'

test.each<[string, string, readonly string[]]>([
  ...scalars.map((text): [string, string, string[]] => ['q.yaml', `- {question: Q, answer: ${text}}`, [text]]),
  ['q.yaml', '- {question: Q, answer: [2024-01-01, 12:30, on, "null"]}', ['2024-01-01', '12:30', 'on', 'null']],
  ['q.yaml', '- question: Q\n  answer:\n- {question: R, answer: ~}', []],
  [
    'q.jsonl',
    `{"question": "Q", "answer": [${digits}, 1.10, -0.0, 1E3, true]}`,
    [digits, '1.10', '-0.0', '1E3', 'true'],
  ],
  ['q.jsonl', '{"question": "Q 1.10", "answer": ["\\"1.10", null, ""]}', ['"1.10']],
  ['q.csv', 'question,answer\nQ,Null\nQ2,NA\nQ3,None\nQ4,007\nQ5,"3,5"\n', ['Null', 'NA', 'None', '007', '3,5']],
])('%s %s: keeps answers as written', async (name, content, expected) => {
  expect((await read(name, content)).questions.flatMap(answersOf)).toEqual(expected)
})

test('keeps ids, questions, options, documents and evidence as written', async () => {
  const yaml = `- {id: 007, question: 2024, options: [1.10, 2.0, yes], correct: 2.0, document: 007, evidence: 1.10, cluster: 0042}
- {id: ${digits}, question: 1.10, tags: [1.0], evidence: {document: 007, text: 1.10}}`
  const json = yaml
    .replaceAll(/([\w-]+):/g, '"$1":')
    .replaceAll(/: 007|: 0042|yes/g, (all) => (all.startsWith(':') ? `: "${all.slice(2)}"` : `"${all}"`))
  const jsonl = json.replaceAll(/^- /gm, '').replaceAll('"question": 2024', '"question": "2024"')
  for (const [name, content] of [
    ['q.yaml', yaml],
    ['q.jsonl', jsonl],
  ] as const) {
    const evidence = [{ documentId: '007', text: '1.10', start: 21 }]
    expect((await read(name, content)).questions).toEqual([
      {
        id: '007',
        text: '2024',
        cluster: '0042',
        evidence,
        reference: { kind: 'choice', options: ['1.10', '2.0', 'yes'], correct: 1 },
      },
      { id: digits, text: '1.10', tags: ['1.0'], evidence, reference: { kind: 'answer', accepted: [] } },
    ])
  }
})

test.each<[string, string, string, object?]>([
  ['q.yaml', '- question: Q\n  answer: null', 'q.yaml:2:11: null: write "null" in quotes for the word, or leave'],
  [
    'q.yaml',
    '- question: Q\n  answer: Issue #12',
    'q.yaml:2:16: YAML reads "#12" as a comment; put the value in quotes',
  ],
  ['q.csv', 'id,question\n1.23457E+18,Q', 'q.csv:2: "id" is 1.23457E+18, a number that a spreadsheet cut short'],
  ['q.csv', 'id,question\n"1,23457E+18",Q', 'q.csv:2: "id" is 1,23457E+18, a number'],
  ['q.jsonl', '{"id": 1.2345678901234568e+18, "question": "Q"}', 'q.jsonl:1: "id" is 1.2345678901234568e+18, a number'],
  ['q.csv', 'question,answer\nQ,#NAME?', 'q.csv:2: "answer" is #NAME?, an error of a spreadsheet'],
  [
    'q.csv',
    'question,A,B,C,correct\nQ,a,,c,2',
    'q.csv:2: option 2 is empty',
    { columns: { options: ['A', 'B', 'C'] } },
  ],
  ['q.jsonl', '{"question": "Q", "options": ["", "a", "b"], "correct": 1}', 'q.jsonl:1: option 1 is empty'],
])('rejects %s %j with a remedy', async (name, content, message, options = {}) => {
  await expect(read(name, content, options)).rejects.toThrow(message)
})

test('reads fewer options than columns if the last cells are empty', async () => {
  const columns = { options: ['A', 'B', 'C'] }
  const { questions } = await read('q.csv', 'question,A,B,C,correct\nQ,a,b,,2\n', { columns })
  expect(questions[0]?.reference).toEqual({ kind: 'choice', options: ['a', 'b'], correct: 1 })
})

test('an id, a cluster and the text of the right option may contain "|"', async () => {
  const content = 'id,question,options,correct,cluster\na|1,Q,P(A|B)|P(B|A),P(B|A),x | y\n'
  expect((await read('q.csv', content)).questions).toMatchObject([
    { id: 'a|1', cluster: 'x | y', reference: { options: ['P(A|B)', 'P(B|A)'], correct: 1 } },
  ])
})

describe('a cell of CSV', () => {
  test.each([
    ['P(A|B)', ['P(A|B)']],
    ['P(A | B)', ['P(A | B)']],
    ['P(A|B) | P(B|A)', ['P(A|B)', 'P(B|A)']],
    ['|x| | x', ['|x|', 'x']],
    ['28 | 28 days', ['28', '28 days']],
    ['[0, 1) | (0, 1]', ['[0, 1)', '(0, 1]']],
    ['["ls | wc", "a|b"]', ['ls | wc', 'a|b']],
    [`['a', "it's", 'b\\'c', '\\xe9\\n']`, ['a', "it's", "b'c", 'é\n'.trim()]],
    ['[sic]', ['[sic]']],
    ['("Foo") bar', ['("Foo") bar']],
    [':( sad', [':( sad']],
  ])('%s: splits the answers', async (cell, expected) => {
    expect((await readCell(cell)).answers).toEqual(expected)
  })

  test.each(['A|B', '28|28 days', 'x|x > 0', '|x|', 'a || b', '(a | b'])(
    'rejects %s, which may be one answer or several',
    async (cell) => {
      await expect(readCell(cell)).rejects.toThrow(
        /q\.csv:2: "answer" is ".*", one value or several; write "a \| b" with/,
      )
    },
  )

  test.each(["['a' 'b']", "['a', nan]", '[1, 2]', '[]', '[nan]', "{'text': ['a']}", "('a', 'b')", "array(['a'])"])(
    'rejects %s, which may be a list or a text',
    async (cell) => {
      await expect(readCell(cell)).rejects.toThrow(/q\.csv:2: "answer" is ".*", a list or a text; write \["one"/)
    },
  )

  test('reads a list of evidence, and evidence that contains "|"', async () => {
    const content = `question,evidence\nQ,"['1.10 bar', '16 psi']"\nR,1.10 bar | 16 psi\n`
    expect((await read('q.csv', content)).questions.map(({ evidence }) => evidence?.map(({ text }) => text))).toEqual([
      ['1.10 bar', '16 psi'],
      ['1.10 bar | 16 psi'],
    ])
  })
})

test.each([
  ['q.csv', 'question,answer,must contain,Must_Not-Contain\nHow long?,28 days,28 days | refund,30 days\nWhy?,x,,\n'],
  [
    'q.jsonl',
    '{"question": "How long?", "mustContain": ["28 days", "refund"], "mustNotContain": "30 days"}\n{"question": "Why?"}',
  ],
])('%s: reads columns of assertions as lists of texts', async (name, content) => {
  const { questions, unread } = await read(name, content)
  expect(questions.map(({ mustContain, mustNotContain }) => [mustContain, mustNotContain])).toEqual([
    [['28 days', 'refund'], ['30 days']],
    [undefined, undefined],
  ])
  expect(unread).toEqual([])
})
