import { describe, expect, test } from 'vitest'
import { inReferenceData } from '../test-support/dataset-copies/reference-data.ts'
import { fileOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { qasper } from './qasper.ts'

const defaults = qasper.options.parse({})

const zeros = {
  unanswerable: false,
  extractive_spans: [],
  free_form_answer: '',
  yes_no: null,
  evidence: [],
  highlighted_evidence: [],
}
const answers = {
  both: {
    ...zeros,
    extractive_spans: ['x', 'y '],
    free_form_answer: 'z',
    yes_no: true,
    evidence: ['First.', 'FLOAT SELECTED: Table 1'],
  },
  free: { ...zeros, free_form_answer: 'z', yes_no: false, evidence: [' Second\n\nhalf. ', 'First.'] },
  no: { ...zeros, yes_no: false },
  unanswerable: { ...zeros, unanswerable: true, extractive_spans: ['x'], evidence: ['First.'] },
  nothing: zeros,
}
const said = (...names: (keyof typeof answers)[]) =>
  names.map((name) => ({ answer: answers[name], annotation_id: name, worker_id: 'w' }))

const paper = (request: readonly object[]) => ({
  title: 'A title',
  abstract: 'An abstract.',
  full_text: [
    { section_name: 'Method', paragraphs: ['First.', '', ' ', ' Second\n\nhalf. '] },
    { section_name: ' ::: ', paragraphs: ['Third.'] },
    { section_name: null, paragraphs: [] },
    { section_name: 'Method ::: Detail', paragraphs: ['Fourth\nline.'] },
  ],
  figures_and_tables: [{ file: '1.png', caption: 'Table 1' }],
  qas: request,
})

const official = {
  '1': paper([
    { question: 'How? ', question_id: 'q1', answers: said('both', 'free') },
    { question: 'Is it?', question_id: 'q2', answers: said('no') },
    { question: 'Why?', question_id: 'q3', answers: said('unanswerable') },
  ]),
  '2': paper([{ question: 'Who?', question_id: 'q4', answers: said('free') }]),
}

/** Rows as one object of columns, as the copies of the dataset hold them. */
const columns = (rows: readonly object[]): object =>
  Object.fromEntries(
    Object.keys(rows[0] ?? {}).map((key) => [key, rows.map((row) => (row as Record<string, unknown>)[key])]),
  )

const columnar = Object.entries(official).map(([id, { full_text, figures_and_tables, qas, ...rest }]) => ({
  id,
  ...rest,
  full_text: columns(full_text),
  figures_and_tables: columns(figures_and_tables),
  qas: columns(qas.map((item) => ({ ...item, answers: columns((item as { answers: object[] }).answers) }))),
}))

const read = (content: unknown, options: object = {}) =>
  gather(qasper.corpora(fileOf(JSON.stringify(content)), qasper.options.parse(options)))

test('a paper is one document of whole paragraphs', async () => {
  const [first] = await read(official)
  expect(first?.id).toBe('1')
  expect(first?.documents).toEqual([
    {
      id: '1',
      title: 'A title',
      text: 'A title\n\nAn abstract.\n\nMethod\n\nFirst.\n\nSecond\nhalf.\n\nThird.\n\nMethod ::: Detail\n\nFourth\nline.',
    },
  ])
})

test('each annotator gives one answer with evidence; a question has the evidence of all annotators once', async () => {
  const [first] = await read(official)
  const full = first?.documents[0]?.text ?? ''
  const at = (text: string) => ({
    documentId: '1',
    text,
    ...(full.includes(text) && { start: full.indexOf(text) }),
  })
  expect(first?.questions).toEqual([
    {
      id: 'q1',
      text: 'How?',
      reference: {
        kind: 'answer',
        accepted: [
          { text: 'x, y ', type: 'extractive', evidence: [at('First.'), at('FLOAT SELECTED: Table 1')] },
          { text: 'z', type: 'abstractive', evidence: [at('Second\nhalf.'), at('First.')] },
        ],
      },
      evidence: [at('First.'), at('FLOAT SELECTED: Table 1'), at('Second\nhalf.')],
      cluster: '1',
    },
    {
      id: 'q2',
      text: 'Is it?',
      reference: { kind: 'answer', accepted: [{ text: 'No', type: 'boolean', evidence: [] }] },
      evidence: [],
      cluster: '1',
    },
    {
      id: 'q3',
      text: 'Why?',
      reference: { kind: 'answer', accepted: [{ text: 'Unanswerable', type: 'unanswerable', evidence: [] }] },
      evidence: [],
      cluster: '1',
    },
  ])
})

test('locates evidence in its paragraph, not in an earlier one with the same words', async () => {
  const [paper] = Object.values(official)
  const full_text = [{ section_name: 'Method', paragraphs: ['As we said, First.', 'First.'] }]
  const [corpus] = await read({ 1: { ...paper, full_text } })
  const text = corpus?.documents[0]?.text ?? ''
  expect(text.indexOf('First.')).toBeLessThan(text.lastIndexOf('First.'))
  expect(corpus?.questions[0]?.evidence?.[0]).toEqual({
    documentId: '1',
    text: 'First.',
    start: text.lastIndexOf('First.'),
  })
})

test.each([
  ['columns, one paper a line', columnar.map((item) => JSON.stringify(item)).join('\n')],
  ['columns in an array', JSON.stringify(columnar)],
  ['columns, pretty, one after another', columnar.map((item) => JSON.stringify(item, null, 4)).join('\n')],
  [
    'official papers with an id, one a line',
    Object.entries(official)
      .map(([id, item]) => JSON.stringify({ id, ...item }))
      .join('\n'),
  ],
  ['official, pretty', JSON.stringify(official, null, 2)],
])('%s: gives the same corpora', async (_, content) => {
  expect(await gather(qasper.corpora(fileOf(content), defaults))).toEqual(await read(official))
})

test('reads only the first papers', async () => {
  expect((await read(official, { papers: 1 })).map(({ id }) => id)).toEqual(['1'])
  expect((await read({ ...official, '3': { title: 'broken' } }, { papers: 2 })).map(({ id }) => id)).toEqual(['1', '2'])
})

test.each<[unknown, string]>([
  [[{ answer: answers.nothing }], ':1: 7, qas 1, answer 1, answer: neither unanswerable nor'],
  [[], ':1: 7, qas 1, answers: has no answers'],
])('answers %j are refused with their place: %s', async (answers, message) => {
  const content = { '7': paper([{ question: 'Q', question_id: 'q', answers }]) }
  await expect(read(content)).rejects.toThrow(message)
})

test('uneven columns and another dataset are refused with their place', async () => {
  const uneven = { ...columnar[0], full_text: { section_name: ['a'], paragraphs: [] } }
  await expect(read(uneven)).rejects.toThrow('full_text 1 lacks "paragraphs"')
  const other = { article_id: '1', questions: [] }
  await expect(read(other)).rejects.toThrow(':1: article_id: expected object, received string')
})

describe.each<[string, number[], number, number[]]>([
  [fileOf(JSON.stringify(official), 'official.json'), [1, 2, 1, 1], 1, [5, 1]],
  ...inReferenceData(['qasper/qasper-train-v0.3.sample5.json', [19, 13, 7, 5], 11, [52, 11]]),
])('%s', (file, types, twice, quotations) => {
  const accepted = async () =>
    (await gather(qasper.corpora(file, defaults))).flatMap(({ documents: [document], questions }) =>
      questions.map(({ reference }) => ({
        paragraphs: new Set(document?.text.split('\n\n')),
        answers: reference.kind === 'answer' ? reference.accepted : [],
      })),
    )

  test('has answers of four types, by one or two annotators', async () => {
    const all = await accepted()
    expect(all.filter(({ answers }) => answers.length === 2)).toHaveLength(twice)
    const result = all.flatMap(({ answers }) => answers.map(({ type }) => type))
    expect(
      ['extractive', 'abstractive', 'unanswerable', 'boolean'].map(
        (type) => result.filter((item) => item === type).length,
      ),
    ).toEqual(types)
  })

  test('has its evidence as whole paragraphs of the text, but for captions', async () => {
    const quotes = (await accepted()).flatMap(({ paragraphs, answers }) =>
      answers
        .flatMap(({ evidence = [] }) => evidence)
        .map(({ text = '' }) => ({ float: text.startsWith('FLOAT SELECTED: '), found: paragraphs.has(text) })),
    )
    const [floats, texts] = [true, false].map((float) => quotes.filter((item) => item.float === float))
    expect([texts?.length, floats?.length]).toEqual(quotations)
    expect(texts?.filter(({ found: result }) => !result)).toEqual([])
    expect(floats?.filter(({ found: result }) => result)).toEqual([])
  })
})
