import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gembench } from '../../test-support/cli.ts'
import { fileOf, jsonl } from '../../test-support/dataset-copies/write-files.ts'
import { readResults } from '../../test-support/read-results.ts'
import { tinyProject } from '../../test-support/tiny.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import { queries } from '../../testing/method-inputs.ts'
import { testMethod } from '../../testing/index.ts'
import type { Chunk } from '../../types.ts'
import { recorded } from './recorded.ts'

const all = queries.map(({ id }) => ({ id, contexts: [{ id: 'one' }, 'Edric Sloe rang the bell.'] }))
testMethod(recorded, { options: { path: fileOf(all), answers: 'run' } })

const texts = ['Gaby: A True Story\nA film of 1987.', 'Gaby, Queen\nShe ruled.', 'Paris\nA town; it has a "river".']
const chunks = texts.map((text, at): Chunk => {
  return { id: `d${at}:0`, documentId: `d${at}`, position: 0, start: 0, end: text.length, text, tokens: 9 }
})
const indexed = (options: object) => recorded.index(chunks, fakeModels(), recorded.options.parse(options))
const question = { id: 'q1', text: 'Which film?' }
/** The documents found for a question; of a passage that stands in none its text. */
async function found(options: object, asked = question): Promise<readonly string[]> {
  const index = await indexed(options)
  const passages = await index.retrieve(asked, { passages: 9, tokens: 999 }, fakeModels())
  return passages.map(({ from, text }) => from.map((id) => id.slice(0, 2)).join('+') || text)
}

describe('formats', () => {
  test.each([
    ['our lines', 'lines.jsonl', '{"id":"q1","contexts":[{"id":"d2"},{"text":"A film of 1987."}],"answer":"Gaby"}\n'],
    [
      'RAGAS',
      'ragas.json',
      '[{"user_input":"Which film?","retrieved_contexts":["Paris\\nA town; it has a \\"river\\".","A film of 1987."],"response":"Gaby"}]',
    ],
    [
      'BenchmarkQED',
      'qed.json',
      '[{"question_id":"q1","text":"Which film?","context":[{"chunk_id":"7","text":"A town; it has"},{"chunk_id":"8","text":"A film of 1987."}],"answer":"Gaby"}]',
    ],
    ['CSV', 'rows.csv', 'question,answer,contexts\nWhich film?,Gaby,"[""Paris\\nA town"", ""A film of 1987.""]"\n'],
  ])('%s: contexts in their order, and the answer', async (_, name, content) => {
    const path = fileOf(content, name)
    expect(await found({ path })).toEqual(['d2', 'd0'])
    const index = await indexed({ path })
    expect(await index.answer?.(question, [], fakeModels())).toBe('Gaby')
    expect(await found({ path, answers: 'run' })).toEqual(['d2', 'd0'])
    expect((await indexed({ path, answers: 'run' })).answer).toBeUndefined()
  })

  test('reads TREC scores as 32-bit floats, with ties in the order of trec_eval', async () => {
    const path = fileOf(
      'q1 0 d0 1 7.1 x\nq1 0 d2 1 7.1 x\nq1 0 e 1 7.1 x\nq1 0 d1 2 -3 x\nq1 0 d1 3 -4 x\n',
      'ties.run',
    )
    const index = await indexed({ path, answers: 'run' })
    const passages = await index.retrieve(question, { passages: 9, tokens: 999 }, fakeModels())
    expect(passages.map(({ from, text, score }) => [from[0] ?? text, score])).toEqual([
      ['e', Math.fround(7.1)],
      ['d2:0', Math.fround(7.1)],
      ['d0:0', Math.fround(7.1)],
      ['d1:0', -3],
    ])
    // an id that the corpus lacks may be judged
    expect(passages[0]?.spans).toEqual([{ documentId: 'e', start: 0, end: 0 }])
  })

  test('resolves full and truncated titles, and never searches an unknown title as text', async () => {
    const path = fileOf([
      { question: 'Which film?', answer: '', evidence: ['Paris', 'Gaby', 'Paris'], ground_truth: ['Paris'] },
    ])
    expect(await found({ path, answers: 'run' })).toEqual(['d2', 'Gaby'])
    expect(await found({ path, answers: 'run', titles: 'cut' })).toEqual(['d2', 'd0', 'd1'])
    const index = await indexed({ path, answers: 'run' })
    const [first] = await index.retrieve(question, { passages: 9, tokens: 999 }, fakeModels())
    expect(first?.why).toEqual({
      fallback: 'titles or ids that are not those of the corpus',
      notFound: 1,
    })
  })
})

test('locates a passage by letters and digits if its spelling differs', async () => {
  const path = fileOf([{ id: 'q1', contexts: ['a film of 1987', 'A town – it has a “river”!', 'film, of 19'] }])
  // neither the first, with another case, nor the last, which ends within a word
  expect(await found({ path, answers: 'run' })).toEqual(['a film of 1987', 'd2', 'film, of 19'])
})

test('looks up a question by id, then text, then letters; fails without a record', async () => {
  const path = fileOf([
    { id: 'q1', question: 'Another?', contexts: [{ id: 'd0' }] },
    { question: 'Who ruled ?', contexts: [{ id: 'd1' }] },
  ])
  const options = { path, answers: 'run' }
  expect(await found(options)).toEqual(['d0'])
  expect(await found(options, { id: 'x', text: 'who ruled?' })).toEqual(['d1'])
  await expect(found(options, { id: 'x', text: 'What?' })).rejects.toThrow(`${path}: has no record of this question`)
})

test.each([
  ['[{"answer":"x"}]', ':1: names no question: give its "id" or its "question"; found answer'],
  ['[{"id":"a","answer":"x"},\n{"id":"a","answer":"y"}]', ':2: the id "a" is there already, at '],
  ['[{"id":"a","answer":true}]', ':1: "answer" is '],
  ['[{"id":1.23457e+18,"answer":"x"}]', ':1: "id" is 1.23457e+18, a number that a spreadsheet cut short'],
  ['[{"id":"a","contexts":"x"}]', ':1: "contexts" is '],
  ['[{"id":"a","contexts":[""]}]', ':1: passage 1 of "contexts" is '],
  ['[{"id":"a","contexts":["x"]}]', ': holds no answers; set answers: run'],
  ['q1 Q0 d1 1 3 x\nq1 d1', ':2: is no line of a TREC run'],
  ['{"id":', ':1:7: malformed JSON'],
  ['', ': contains no JSON object'],
])('%j is refused in one line', async (content, said) => {
  const path = fileOf(content)
  const error: unknown = await recorded.requires?.(recorded.options.parse({ path })).catch((one: unknown) => one)
  expect((error as Error).message).toContain(`${path}${said}`)
  expect((error as Error).message).not.toContain('\n')
})

test('keeps every digit of numeric ids and answers, and reads Python lists in CSV columns', async () => {
  const asked = { id: '1234567890123456789', text: '?' }
  const read = async (path: string) => {
    const index = await indexed({ path })
    return [await found({ path }, asked), await index.answer?.(asked, [], fakeModels())]
  }
  const id = '1234567890123456789'
  const lines = `{"id":1234567890123456788,"answer":"x"}\n{"id":${id},"answer":1.10,"contexts":[{"id":"d2"}]}\n`
  expect(await read(fileOf(lines))).toEqual([['d2'], '1.10'])
  const rows = `id,answer,contexts\n${id},1.10,"['A film of 1987.', 'Queen\\nShe']"\n`
  expect(await read(fileOf(rows, 'python.csv'))).toEqual([['d0', 'd1'], '1.10'])
})

/** Runs rows on a tiny project with a file beside its config; its output, and the lines of trials and scores. */
async function ran(name: string, text: string, config: Readonly<Record<string, unknown>>) {
  const project = await tinyProject({ scorers: ['squad'], ...config })
  writeFileSync(join(project, name), text)
  const { out, code } = await gembench(project, 'run', '-c', 'tiny.yaml')
  const [folder = ''] = /results\/[\w-]+/.exec(out) ?? []
  return { out, code, ...(await readResults(join(project, folder))) }
}

test('marks a row of answers without contexts, scores no ranking, and makes no calls', async () => {
  const answers = 'id,answer\nbuilder,Tamsin Vale\noven,To a museum in Lisk\nprice,\nother,Nobody\n'
  const methods = ['bm25', { use: 'recorded', label: 'theirs', path: 'theirs.csv' }]
  const { out, code, trials, scores } = await ran('theirs.csv', answers, { methods, scorers: ['squad', 'retrieval'] })
  expect(code).toBe(3)
  expect(out).toMatch(/theirs ‡/)
  const own = trials.filter(({ method }) => method === 'theirs')
  expect(own.map(({ question, answer, failure }) => [question.id, answer?.text ?? failure?.message])).toEqual([
    ['builder', 'Tamsin Vale'],
    ['oven', 'To a museum in Lisk'],
    ['price', expect.stringMatching(/theirs\.csv:4: has an empty answer$/)],
  ])
  expect(own.every(({ usage }) => usage.answer.calls === 0)).toBe(true)
  const ofRanking = scores.filter(({ method, scorer }) => method === 'theirs' && scorer === 'retrieval')
  const reason = 'the method does not rank its context'
  expect(ofRanking.map(({ skipped }) => skipped)).toEqual([reason, reason])
})

test('strips reasoning from recorded answers, and fails an answer of reasoning only', async () => {
  const [answer, choice, cut] = ['<think>hm</think>Tamsin Vale', '◁think▷1 or 3?◁/think▷2', '<think>hm']
  const answers = `id,answer\nbuilder,${answer}\noven,${choice}\nprice,${cut}\n`
  const { trials } = await ran('r.csv', answers, { methods: [{ use: 'recorded', path: 'r.csv' }] })
  expect(trials.map(({ answer, failure }) => answer?.text ?? failure?.message)).toEqual([
    ...['Tamsin Vale', '2'],
    'the reply has reasoning and no answer after it',
  ])
})

test('exempts recorded contexts from the budget with their answers only', async () => {
  const contexts = ['Edric Sloe baked there for twenty years.', 'It ground oats for three parishes', 'The Bakery']
  const lines = jsonl(['builder', 'oven', 'price'].map((id) => ({ id, answer: 'x', contexts })))
  const recordedRow = { use: 'recorded', path: 'r.jsonl' }
  const { trials } = await ran('r.jsonl', lines, {
    budget: { passages: 1, tokens: 60 },
    methods: [
      { ...recordedRow, label: 'whole' },
      { ...recordedRow, label: 'cut', answers: 'run' },
    ],
  })
  const sizes = trials.map(({ method, context }) => `${method} ${context.length}`)
  expect(sizes.sort()).toEqual(['cut 1', 'cut 1', 'cut 1', 'whole 3', 'whole 3', 'whole 3'])
})
