import { describe, expect, test } from 'vitest'
import type { Manifest, TrialLine } from '../../records.ts'
import { madeRun, questionsWith, type MadeRun } from '../../test-support/made-run.ts'
import { tableOf } from '../table/table.ts'
import { clash } from '../diff/run-differences.ts'
import { diffRuns } from '../diff/diff-runs.ts'
import { questionCostFigure, shortened } from './cost-figures.ts'
import type { RowCost } from './row-costs.ts'
import { evidenceRanges } from './evidence-ranges.ts'
import { questionScores, type PageRun } from './listed-questions.ts'
import { contextMark } from './page-data.ts'
import { isOpen } from './page.ts'
import { chunkTexts, partsOf, type PartRun, type PromptOf } from './part-of.ts'
import { type CostsOfRow, breakEven } from '../table/costs-of-row.ts'
import { verdictOf } from './run-section.ts'

async function* stream<T>(lines: readonly T[]): AsyncGenerator<T> {
  yield* lines
}

async function pageRun(
  name: string,
  made: MadeRun,
  changed: (trial: TrialLine) => TrialLine = (one) => one,
): Promise<PageRun> {
  const { manifest, trials, scores } = madeRun(made)
  const journals = { trials: () => stream(trials.map(changed)), scores: () => stream(scores), meter: () => stream([]) }
  return { name, folder: name, manifest, ...journals, table: await tableOf(manifest, journals), graphs: [] }
}

/** A run whose chunks have the words "the words of ID". */
const told = (
  run: PageRun,
  textOf: PartRun['textOf'] = (_row, _corpus, chunk) => `the words of ${chunk}`,
): PartRun => ({
  ...run,
  textOf,
})

const noPrompt: PromptOf = () => null

describe('the verdict', () => {
  const scored = (right: (index: number) => boolean) => questionsWith(60, (index) => Number(right(index)))
  const said = async (rows: MadeRun['rows'], manifest: Partial<Manifest> = {}): Promise<string> =>
    verdictOf((await pageRun('r', { rows, manifest })).table)

  test('names the rows that lead, how many pairs differ, and what could have been seen', async () => {
    const [good, fair, bad] = [scored((i) => i < 50), scored((i) => i < 48), scored((i) => i < 5)]
    expect(await said({ raptor: good, bm25: fair, random: bad })).toMatch(
      /^On 60 questions: raptor and bm25 lead; 2 of 3 pairs differ after the correction; a true difference of \d+\.\d points would have earned a letter with 80 % power \(median over pairs\)\.$/,
    )
    expect(await said({ raptor: good, random: bad })).toMatch(
      /^On 60 questions: raptor leads; 1 of 1 pair differs after the correction/,
    )
    expect(await said({ raptor: good, bm25: fair })).toMatch(
      /^On 60 questions: no two rows are shown to differ; a true difference of/,
    )
  })

  test('says that too few questions show nothing, and that there is nothing to compare', async () => {
    expect(await said({ a: { q: 1 }, b: { q: 0 } })).toBe('On 1 question: too few for any test to find a difference.')
    expect(await said({ a: { q: 1 } })).toBe('There are no two rows to compare.')
    expect(await said({ a: { q: 1 }, b: { p: 0 } })).toBe(
      'Rows are not compared: no question has a score of accuracy in two of the rows.',
    )
  })

  test('of a baseline counts the rows that differ from it', async () => {
    const compare = { baseline: { method: 'b', variant: '' } } as const
    expect(await said({ a: scored((i) => i < 50), b: scored((i) => i < 5) }, { compare })).toMatch(
      /^On 60 questions: a leads; 1 of 1 row differs from b after the correction;/,
    )
  })
})

test.each([
  [{ index: 1000, perQuestion: 50 }, { index: 0, perQuestion: 150 }, { from: 11 }],
  [{ index: 1001, perQuestion: 50 }, { index: 0, perQuestion: 150 }, { from: 11 }],
  [{ index: 0, perQuestion: 50 }, { index: 0, perQuestion: 150 }, 'always'],
  [{ index: 1000, perQuestion: 150 }, { index: 0, perQuestion: 150 }, 'never'],
  // a cheaper index pays while the questions that it makes dearer are few: 9 of 100 more are less than 1,000
  [{ index: 0, perQuestion: 150 }, { index: 1000, perQuestion: 50 }, { until: 9 }],
  [{ index: 0, perQuestion: 150 }, { index: 1001, perQuestion: 50 }, { until: 10 }],
  [{ index: 0, perQuestion: 150 }, { index: 100, perQuestion: 50 }, 'never'],
  [{ index: 0, perQuestion: 150 }, { index: 100, perQuestion: 150 }, 'always'],
  [{ index: 1000, perQuestion: null }, { index: 0, perQuestion: 150 }, null],
])('index and questions of %o take fewer tokens than %o: %o', (one, base, expected) => {
  const costs = ({ index, perQuestion }: typeof one): CostsOfRow => ({
    index: { tokens: index },
    question: perQuestion === null ? null : { tokens: perQuestion },
  })
  expect(breakEven(costs(one), costs(base), 'tokens')).toEqual(expected)
})

describe('where a passage holds its evidence', () => {
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
  ])('%j with %j', (passage, evidence, expected) => {
    expect(marked(passage, ...evidence)).toEqual(expected)
  })
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
])('whether the licence %j is open: %s', (licence, expected) => {
  expect(isOpen(licence)).toBe(expected)
})

describe('the questions of several runs', () => {
  test('are one where id and text are the same; scores stand by question and row, or why there is none', async () => {
    const old = await pageRun('old', { rows: { bm25: { a: 1, b: 'trial failed', c: 'declined' } } })
    const now = await pageRun('now', {
      rows: { bm25: { a: 0.25, b: 1, c: 1 }, vector: { a: 1 } },
      texts: { c: 'Other words' },
    })
    const { questions, metrics } = await questionScores([old, now])
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
    expect(metrics[0]?.scores).toEqual([
      [1, 0.25, 1],
      ['failed', 1, 'not asked'],
      ['declined', 'not asked', 'not asked'],
      ['not asked', 1, 'not asked'],
    ])
  })
})

test('of changed documents, questions of equal text and reference are one whatever their ids', async () => {
  const old = await pageRun('old', { rows: { bm25: { q1: 1, q2: 0, gone: 1 } } })
  const made = { rows: { bm25: { q1: 0, q2: 1, q3: 0 } }, texts: { q1: 'Text of q2', q2: 'New', q3: 'Text of q1' } }
  const dataset = { ...old.manifest.dataset, checksum: 'b'.repeat(64) }
  const references: Readonly<Record<string, string>> = { q1: 'q2', q2: 'new', q3: 'q1' }
  const now = await pageRun('now', { ...made, manifest: { dataset } }, (trial) => ({
    ...trial,
    question: {
      ...trial.question,
      reference: { kind: 'answer', accepted: [{ text: `right of ${references[trial.question.id] ?? ''}` }] },
    },
  }))
  const { questions, metrics } = await questionScores([old, now])
  expect(questions).toEqual([
    ['q1', 'q3'],
    ['q2', 'q1'],
    ['gone', undefined],
    [undefined, 'q2'],
  ])
  expect(metrics[0]?.scores.slice(0, 2)).toEqual([
    [1, 0],
    [0, 0],
  ])
  const diff = await diffRuns(old, now)
  expect(diff.rows[0]?.questions.map(({ id, afterId, change }) => [id, afterId, change])).toEqual([
    ['q1', 'q3', 'regressed'],
    ['q2', 'q1', 'stillFailing'],
  ])
  expect(clash([old, now], 'page')).toBeUndefined()
})

describe('rows that lie on one another', () => {
  const rowAt = (name: string, tokens: number, mean: number): RowCost => ({
    name,
    mean,
    reference: false,
    front: false,
    breakEven: null,
    index: { tokens: 0 },
    question: { tokens },
    cell: { low: null, high: null } as RowCost['cell'],
  })
  const drawn = (rows: readonly RowCost[]): string =>
    questionCostFigure({ unit: 'tokens', against: null, rows }, { title: 'F1', scale: 100, digits: 1 })

  test('each have a name, and one that is away from its dot a line to it', () => {
    const names = Array.from({ length: 14 }, (_, index) => `components ${index}, questions 5`)
    const svg = drawn(names.map((name) => rowAt(name, 500, 0.5)))
    for (const name of names) expect(svg).toContain(`>${name}</text>`)
    const places = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>components/g)].map(
      ([, x, y]) => `${x ?? ''} ${y ?? ''}`,
    )
    expect(new Set(places).size).toBe(names.length)
    // eight places are near a dot
    expect(svg.match(/stroke-width="0.7"/g)?.length).toBeGreaterThanOrEqual(names.length - 8)
  })

  test('costs that are nearly the same do not leave the figure empty', () => {
    const svg = drawn([rowAt('a', 502, 0.5), rowAt('b', 511, 0.4)])
    const [first = 0, second = 0] = [...svg.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => Number(x))
    expect(second - first).toBeGreaterThan(100)
  })
})

describe('the parts of a page', () => {
  const passage = {
    text: 'The mill burned.',
    score: 2,
    from: ['c1'],
    kind: 'chunk',
    tokens: 4,
    documents: ['d'],
  } as const
  const made = { rows: { bm25: { a: 1, b: 0 }, vector: { a: 1, b: 'trial failed' } } } as const
  const withContext = (trial: TrialLine): TrialLine => ({
    ...trial,
    question: { ...trial.question, evidence: [{ documentId: 'd', text: 'mill burned' }] },
    context: [{ ...passage, spans: [], evidence: [0], why: { rank: 1, words: ['mill'] } }],
    stopped: 'tokens',
  })
  const ids = [['a'], ['b']]

  test('hold a text once, the evidence, the reasons, the costs and the prompt around its context', async () => {
    const run = told(await pageRun('r', made, withContext))
    const promptOf: PromptOf = (_manifest, { text }, context) => [{ role: 'user', content: `${context}|${text}` }]
    const parts = await partsOf([run], ids, 1, { texts: true, promptOf })
    expect(parts.map(({ texts }) => texts)).toEqual([['The mill burned.'], ['The mill burned.']])
    const [both] = await partsOf([run], ids, 2, { texts: true, promptOf })
    expect(both?.texts).toEqual(['The mill burned.'])
    const question = both?.questions[1]
    expect(question?.evidence).toEqual(['mill burned'])
    expect(question?.prompts?.filled).toEqual([{ role: 'user', content: `${contextMark}|Text of b` }])
    expect(
      question?.rows.map((trials) => trials.map(({ answer, failure }) => answer?.text ?? failure?.message)),
    ).toEqual([['said'], ['the answer call was refused']])
    const trial = question?.rows[0]?.[0]
    expect(trial?.context).toEqual([
      { text: 0, head: 'd  score 2.000  4 tokens', evidence: [0], why: ['rank: 1', 'words: mill'] },
    ])
    expect(trial?.ended).toBe('1 passage, 4 tokens; cut: the next passage is beyond the limit of tokens (budget 1000)')
    expect(trial?.cost).toMatch(/^search: 0 calls, 0 prompt/)
  })

  test('hold what the budget cut, each once: its words where a context tells them, and which of it holds evidence', async () => {
    const cut = (trial: TrialLine): TrialLine => ({
      ...withContext(trial),
      stopped: 'end',
      asked: 50,
      beyond: [
        { from: ['c2'], score: 1, kind: 'chunk' },
        { from: ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'], score: 0.5, kind: 'summary', evidence: [0] },
        { from: ['c3'], score: 0.1, kind: 'chunk' },
      ],
    })
    const run = told(await pageRun('r', made, cut), (_row, _corpus, chunk) =>
      chunk === 'c2' ? 'Then came war.' : undefined,
    )
    const [part] = await partsOf([run], ids, 2, { texts: true, promptOf: noPrompt })
    expect(part?.texts).toEqual(['The mill burned.', 'Then came war.'])
    expect(part?.ranked).toEqual([
      { head: 'c2', text: 1 },
      { head: 'summary of 6 chunks: c1, c2, c3, c4, c5, …', text: null },
      { head: 'c3', text: null },
    ])
    for (const question of part?.questions ?? [])
      for (const [trial] of question.rows) {
        expect([trial?.beyond, trial?.beyondEvidence]).toEqual([[0, 1, 2], [[1, [0]]]])
        expect(trial?.ended).toBe(
          '1 passage, 4 tokens; cut: later passages are beyond the limit of passages (budget 5)',
        )
      }
  })

  test.each([
    [{ stopped: 'end' }, 'nothing was cut'],
    [{ stopped: 'end', asked: 1 }, 'the method was asked for no more'],
    [{ stopped: 'end', asked: 50 }, 'nothing was cut'],
    [{ stopped: 'passages', asked: 50 }, 'cut: later passages are beyond the limit of passages (budget 5)'],
  ] as const)('say what ended the context of %o', async (ended, said) => {
    const run = told(await pageRun('r', made, (trial) => ({ ...withContext(trial), ...ended })))
    const [part] = await partsOf([run], ids, 2, { texts: true, promptOf: noPrompt })
    expect(part?.questions[0]?.rows[0]?.[0]?.ended).toBe(`1 passage, 4 tokens; ${said}`)
  })

  test('hold no word of a dataset or a model without texts', async () => {
    const run = told(await pageRun('r', made, withContext))
    const promptOf: PromptOf = (_manifest, { text }) => [{ role: 'user', content: text }]
    const parts = JSON.stringify(await partsOf([run], ids, 2, { texts: false, promptOf }))
    for (const word of ['mill', 'Text of', 'right of', 'said', 'refused']) expect(parts).not.toContain(word)
    expect(parts).toContain('"accuracy":1')
  })

  test('a row that a scorer or a prompt of another version does not fit has none', async () => {
    const [part] = await partsOf([told(await pageRun('r', made))], ids, 2, { texts: true, promptOf: noPrompt })
    expect(part?.questions[0]?.prompts).toBeNull()
  })
})

test('contexts tell the text of a chunk where a row within the budget gives it alone, and all of them give it alike', async () => {
  const { manifest, trials } = madeRun({ rows: { bm25: { a: 1 }, oracle: { a: 1 } } })
  const [first, second] = trials
  const [bm25, oracle] = manifest.methods
  if (!first || !second || !bm25 || !oracle) throw new Error('nothing was made')
  const passage = { score: 1, tokens: 1, documents: [], spans: [] }
  const { read, textOf } = chunkTexts({ methods: [bm25, { ...oracle, context: 'unlimited' }] })
  const chunk = (id: string, text: string) => ({ ...passage, text, from: [id], kind: 'chunk' as const })
  read({
    ...first,
    context: [
      chunk('whole', 'all of it'),
      { ...chunk('mixed', 'words'), from: ['mixed', 'other'] },
      { ...chunk('summed', 'in short'), kind: 'summary' },
      { ...chunk('own', 'own words'), derived: true },
      chunk('twice', 'one half'),
      chunk('twice', 'another half'),
      chunk('twice', 'another half'),
    ],
  })
  read({ ...second, context: [chunk('whole', 'a quotation'), chunk('quoted', 'a quotation')] })
  const ids = ['whole', 'mixed', 'other', 'summed', 'own', 'twice', 'quoted']
  expect(ids.map((id) => textOf(bm25, 'c', id) ?? null)).toEqual(['all of it', null, null, null, null, null, null])
  expect(textOf(bm25, 'another corpus', 'whole')).toBeUndefined()
  expect(textOf({ ...bm25, run: 'a run with longer chunks' }, 'c', 'whole')).toBeUndefined()
})

test('a long name keeps its beginning and its end', () => {
  expect(shortened('bm25 (chunks.size=100, k1=0.6)', 34)).toBe('bm25 (chunks.size=100, k1=0.6)')
  expect(shortened('bm25 (chunks.size=100, k1=0.6)', 20)).toBe('bm25 (chun…, k1=0.6)')
  expect(Array.from(shortened('x'.repeat(40), 20))).toHaveLength(20)
})
