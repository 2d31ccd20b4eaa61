import { describe, expect, test } from 'vitest'
import type { TrialLine } from '../../records.ts'
import { journalsOf, madeRun, type MadeRun } from '../../test-support/fake-run.ts'
import { tableOf } from '../table/table.ts'
import { evidenceRanges } from '../show/evidence-ranges.ts'
import { isOpen } from './make-report.ts'
import { questionDetails } from './question-details.ts'
import { readQuestionScores, type PageRun } from './questions.ts'
import { breakEven } from '../gather/costs-of-row.ts'

async function pageRun(
  name: string,
  made: MadeRun,
  changed: (trial: TrialLine) => TrialLine = (one) => one,
): Promise<PageRun> {
  const { manifest, trials, scores } = madeRun(made)
  const journals = journalsOf({ trials: trials.map(changed), scores })
  return { name, folder: name, manifest, ...journals, table: await tableOf(manifest, journals), graphs: [] }
}

test.each([
  [{ index: 1000, perQuestion: 50 }, { index: 0, perQuestion: 150 }, 'from 11'],
  [{ index: 1001, perQuestion: 50 }, { index: 0, perQuestion: 150 }, 'from 11'],
  [{ index: 0, perQuestion: 50 }, { index: 0, perQuestion: 150 }, 'always'],
  [{ index: 1000, perQuestion: 150 }, { index: 0, perQuestion: 150 }, 'never'],
  // a cheaper index pays while the questions that it makes dearer are few: 9 of 100 more are less than 1,000
  [{ index: 0, perQuestion: 150 }, { index: 1000, perQuestion: 50 }, 'until 9'],
  [{ index: 0, perQuestion: 150 }, { index: 1001, perQuestion: 50 }, 'until 10'],
  [{ index: 0, perQuestion: 150 }, { index: 100, perQuestion: 50 }, 'never'],
  [{ index: 0, perQuestion: 150 }, { index: 100, perQuestion: 150 }, 'always'],
  [{ index: 1000, perQuestion: null }, { index: 0, perQuestion: 150 }, '–'],
])('a row of costs %o takes fewer tokens than one of %o from the question in %o', (one, base, expected) => {
  const costs = ({ index, perQuestion }: typeof one) => ({
    index: { tokens: index },
    question: perQuestion === null ? null : { tokens: perQuestion },
  })
  expect(breakEven(costs(one), costs(base), 'tokens')).toEqual(expected)
})

const marked = (passage: string, ...evidence: string[]): string[] =>
  evidenceRanges(passage, evidence).map(([from, to]) => passage.slice(from, to))

test.each([
  ['The mill was built by Tamsin Vale.', ['built by  Tamsin\nVale'], ['built by Tamsin Vale']],
  ['built by Tamsin', ['The mill was built by Tamsin Vale.'], ['built by Tamsin']],
  ['was built by Tamsin Vale. Then came war.', ['The mill was built by Tamsin Vale.'], ['was built by Tamsin Vale.']],
  ['Then came war. The mill was built', ['The mill was built by Tamsin'], ['The mill was built']],
  ['one two three four', ['one two', 'two three'], ['one two three']],
  ['nothing of it', ['The mill'], []],
  ['whole document', [''], []],
])('in the passage %j, the ranges of the evidence %j are %j', (passage, evidence, expected) => {
  expect(marked(passage, ...evidence)).toEqual(expected)
})

test.each([
  ['MIT', true],
  ['CC BY 4.0 (dataset card)', true],
  ['CDLA-Permissive 1.0 (in the archive); Apache 2.0 (dataset card)', true],
  ["Apache 2.0; the manuals' text is Samsung's", false],
  ['CC BY-NC 4.0', false],
  ['none stated', false],
  ['own data', false],
  ['', false],
])('classifies the licence %j as open: %s', (licence, expected) => {
  expect(isOpen(licence)).toBe(expected)
})

test('the questions of several runs are merged if id and text agree, and have a score or a reason for each row', async () => {
  const old = await pageRun('old', { rows: { bm25: { a: 1, b: 'trial failed', c: 'declined' } } })
  const now = await pageRun('now', {
    rows: { bm25: { a: 0.25, b: 1, c: 1 }, vector: { a: 1 } },
    texts: { c: 'Other words' },
  })
  const { questions, metrics, scoresOf } = await readQuestionScores([old, now])
  expect(questions).toEqual([
    ['a', 'a'],
    ['b', 'b'],
    ['c', undefined],
    [undefined, 'c'],
  ])
  expect(metrics.map(({ name, right }) => [name, right])).toEqual([
    ['accuracy', 0.5],
    ['words', null],
  ])
  expect(questions.map((ids) => scoresOf(ids)[0])).toEqual([
    [1, 0.25, 1],
    ['failed', 1, 'not asked'],
    ['declined', 'not asked', 'not asked'],
    ['not asked', 1, 'not asked'],
  ])
})

describe('the details of questions', () => {
  const passage = {
    text: 'The mill burned, and nothing was left of its wheel.',
    score: 2,
    from: ['c1'],
    kind: 'chunk',
    tokens: 4,
    documents: ['d'],
  } as const
  const cut = { from: ['c2'], score: 1, kind: 'chunk' } as const
  const made = { rows: { bm25: { a: 1, b: 0 }, vector: { a: 1, b: 'trial failed' } } } as const
  const withContext = (trial: TrialLine): TrialLine => ({
    ...trial,
    question: { ...trial.question, evidence: [{ documentId: 'd', text: 'mill burned' }] },
    context: [{ ...passage, spans: [], evidence: [0], why: { rank: 1, words: ['mill'] } }],
    stopped: 'tokens',
  })
  const detailsOf = async (run: PageRun, texts = true) => {
    const { metrics } = await readQuestionScores([run])
    const rows = run.manifest.methods.map(({ method }) => ({ name: method, isReference: false, isClosedBook: false }))
    return questionDetails([run], rows, metrics, [['a'], ['b']], texts)
  }

  test('have the answers, evidence, trace and end of the context', async () => {
    const [, { text, html } = { text: '', html: '' }] = await detailsOf(await pageRun('r', made, withContext))
    expect(text).toBe('Text of b')
    for (const words of [
      '<p class="answer">said</p>',
      'the answer call was refused',
      'The <mark>mill burned</mark>, and',
      '<li>words: mill</li>',
      '1 passage, 4 tokens; cut off by the budget of tokens',
    ])
      expect(html).toContain(words)
  })

  test.each([
    [{ stopped: 'end' }, 'complete'],
    [{ stopped: 'passages', asked: 50 }, 'cut off by the budget of passages'],
    [{ stopped: 'end', beyond: [cut] }, 'cut off by the budget of passages: ranks 2 to 2'],
    [{ stopped: 'tokens', beyond: [{ ...cut, evidence: [0] }] }, 'tokens: ranks 2 to 2; evidence at rank 2'],
  ] as const)('state what ended the context %o: %s', async (ended, end) => {
    const [details] = await detailsOf(await pageRun('r', made, (trial) => ({ ...withContext(trial), ...ended })))
    expect(details?.html).toContain(`${end}<`)
  })

  test('have no text of a dataset or a model if texts are omitted', async () => {
    const details = JSON.stringify(await detailsOf(await pageRun('r', made, withContext), false))
    for (const word of ['mill', 'Text of', 'right of', 'said', 'refused']) expect(details).not.toContain(word)
    expect(details).toContain('accuracy')
  })
})
