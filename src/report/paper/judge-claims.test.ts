import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import { journalsOf, madeRun, usageCell } from '../../test-support/fake-run.ts'
import { questionNumbers } from '../gather/observations.ts'
import { scoredTableOf } from '../table/table.ts'
import { judgeClaims, type JudgedClaim } from './judge-claims.ts'
import { claimLines, claimTables } from './messages.ts'
import type { RunResult } from './our-cells.ts'
import { paperTable, partOfRuns } from './paper-table.ts'
import type { PaperTable } from './schema.ts'

/** Scores of a question by row. */
interface Scored {
  readonly cluster?: string
  readonly values: Readonly<Record<string, number | 'score failed'>>
  readonly subsets?: readonly string[]
}

const claimFields = { claim: 'as claimed', place: 'Section 1', columns: ['accuracy'] }

const accuracy = { run: 'a', scorer: 'accuracy', metric: 'accuracy', unit: 'percent', tolerance: 2 }
const tokens = { run: 'a', phases: ['answer'], tokens: 'promptTokens', unit: 'thousands', tolerance: '25%' }

const paperOf = (...claims: readonly object[]): PaperTable =>
  paperTable.parse({
    paper: 'A paper',
    table: 'Table 1',
    runs: { a: { configs: ['a.yaml'] }, b: { configs: ['b.yaml'] } },
    rows: {
      Good: { method: 'good' },
      Fair: { method: 'fair' },
      Poor: { method: 'poor' },
      Gone: { method: 'gone' },
      Later: {},
    },
    columns: { accuracy, hard: { ...accuracy, subset: 'hard' }, other: { ...accuracy, run: 'b' }, tokens },
    cells: [{ row: 'Good', column: 'accuracy', value: 60 }],
    claims: claims.map((claim) => ({ ...claimFields, ...claim })),
  })

const near = (value: number): unknown => expect.closeTo(value, 12)

/** A run of these scores; runs of one `questions` are on the same data. */
async function runOf(
  scores: readonly Scored[],
  questions = questionNumbers(),
): Promise<Extract<RunResult, { table: unknown }>> {
  const names = new Set(['good', 'fair', 'poor', ...scores.flatMap(({ values }) => Object.keys(values))])
  const rows = Array.from(names, (name) => [
    name,
    Object.fromEntries(scores.flatMap(({ values }, id) => (name in values ? [[id, values[name]!]] : []))),
  ])
  const clusters = scores.flatMap(({ cluster }, id) => (cluster === undefined ? [] : [[id, cluster]]))
  const made = madeRun({ rows: Object.fromEntries(rows), clusters: Object.fromEntries(clusters) })
  const lines = made.scores.map((line) => ({ ...line, subsets: scores[Number(line.question)]?.subsets ?? [] }))
  const journals = journalsOf({ scores: lines })
  const { table, scores: gathered } = await scoredTableOf(made.manifest, journals, { questions })
  return { table, runScores: { manifest: made.manifest, scores: gathered } }
}

const claimsOf = (paper: PaperTable, runs: Readonly<Record<string, RunResult>>): readonly JudgedClaim[] =>
  judgeClaims(paper, new Map(Object.entries(runs)))

async function judgeWith(claim: object, scores: readonly Scored[], incomparable?: string): Promise<JudgedClaim> {
  const ran: RunResult = { ...(await runOf(scores)), ...(incomparable !== undefined && { incomparable }) }
  return claimsOf(paperOf(claim), { a: ran })[0]!
}

/** So many questions with the same scores. */
const times = (count: number, values: Scored['values'], more: Omit<Scored, 'values'> = {}): readonly Scored[] =>
  Array.from({ length: count }, () => ({ values, ...more }))

describe('a claim of a paper', () => {
  test('is supported where every pair differs as claimed (McNemar, Holm over pairs)', async () => {
    const scores = [
      ...times(8, { good: 1, fair: 0, poor: 0 }),
      ...times(7, { good: 1, fair: 1, poor: 0 }),
      ...times(5, { good: 0, fair: 0, poor: 0 }),
    ]
    const result = await judgeWith({ order: ['Good', 'Fair', 'Poor'] }, scores)
    expect(result).toMatchObject({ outcome: 'supported', place: 'Section 1' })
    expect(result.reason).toBeUndefined()
    // 8 to 0 and 7 to 0: twice .5^8 and .5^7, the smaller of them doubled by Holm
    expect(result.pairs).toMatchObject([
      { statement: 'Good above Fair', test: 'McNemar', p: near(2 ** -7), pAdjusted: near(2 ** -6), questions: 20 },
      { statement: 'Fair above Poor', test: 'McNemar', p: near(2 ** -6), pAdjusted: near(2 ** -6), questions: 20 },
    ])
    expect(result.pairs.map(({ difference }) => difference)).toEqual([near(0.4), near(0.35)])
  })

  test('is contradicted where one pair differs the other way, and not supported where one is not significant', async () => {
    const scores = [...times(8, { good: 1, fair: 0, poor: 1 }), ...times(3, { good: 1, fair: 1, poor: 0 })]
    expect(await judgeWith({ order: ['Good', 'Fair', 'Poor'] }, scores)).toMatchObject({ outcome: 'not supported' })
    expect(await judgeWith({ order: ['Fair', 'Good'] }, scores)).toMatchObject({
      outcome: 'contradicted',
      pairs: [{ statement: 'Fair above Good', p: near(2 ** -7) }],
    })
    // one pair as claimed does not outweigh another that differs the other way
    const mixedScores = times(9, { good: 1, fair: 0, poor: 1 })
    expect(await judgeWith({ order: ['Good', 'Fair', 'Poor'] }, mixedScores)).toMatchObject({ outcome: 'contradicted' })
    // 6 to 0 is significant alone (.03125), not as one of two pairs
    const six = [...times(6, { good: 1, fair: 0, poor: 0 })]
    expect(await judgeWith({ order: ['Good', 'Fair'] }, six)).toMatchObject({ outcome: 'supported' })
    expect(await judgeWith({ top: ['Good'], of: ['Fair', 'Poor'] }, six)).toMatchObject({
      outcome: 'not supported',
      pairs: [{ pAdjusted: near(0.0625) }, { pAdjusted: near(0.0625) }],
    })
  })

  test('is tested by sign flips on graded scores, and on the questions of its subset', async () => {
    const gradedScores = [
      ...times(6, { good: 0.5, fair: 0.25 }, { subsets: ['hard'] }),
      ...times(6, { good: 0, fair: 1 }),
    ]
    expect(await judgeWith({ order: ['Good', 'Fair'], columns: ['hard'] }, gradedScores)).toMatchObject({
      outcome: 'supported',
      pairs: [{ test: 'sign flips', difference: 0.25, questions: 6 }],
    })
    expect(await judgeWith({ order: ['Good', 'Fair'] }, gradedScores)).toMatchObject({ outcome: 'not supported' })
  })

  const apart = [...times(8, { good: 1 }), ...times(8, { fair: 0 })]
  const tornScores = [...times(8, { good: 1, fair: 0 }), ...times(2, { good: 1, fair: 'score failed' })]
  test.each<[string, readonly Scored[], string | undefined, string, number]>([
    ['Fair', times(8, { good: 1, fair: 0 }), 'an offline variant', 'an offline variant', 1],
    ['Gone', times(8, { good: 1 }), undefined, 'the run "a" has no row "gone"', 0],
    ['Poor', times(8, { good: 1 }), undefined, 'poor has no value of accuracy.accuracy', 0],
    ['Fair', tornScores, undefined, '2 scores of fair failed: accuracy.accuracy', 1],
    ['Fair', apart, undefined, 'two rows of a claim have no question in common', 0],
  ])('of Good above %s is not comparable, and states the reason: %#', async (other, scores, cause, reason, pairs) => {
    const result = await judgeWith({ order: ['Good', other] }, scores, cause)
    expect(result).toMatchObject({ outcome: 'not comparable', reason })
    expect(result.pairs).toHaveLength(pairs)
  })

  test('is not run where a run or method is missing, and left out where it was not requested', async () => {
    const paper = paperOf({ order: ['Good', 'Fair'] })
    expect(claimsOf(paper, { a: { missing: ['no key'] } })).toMatchObject([
      { outcome: 'not run', reason: 'the run "a" lacks something that it needs', pairs: [] },
    ])
    const later = paperOf({ order: ['Good', 'Later'] })
    expect(claimsOf(later, { a: await runOf([]) })).toMatchObject([
      { outcome: 'not run', reason: expect.stringContaining('gembench has no method for "Later" yet') },
    ])
    expect(partOfRuns(paper, ['b']).claims).toEqual([])
  })

  test('is judged by our numbers alone where a column has no run', async () => {
    const ran = await runOf(times(8, { good: 1, fair: 0 }))
    const claim = { order: ['Good', 'Fair'], columns: ['accuracy', 'other'] }
    const [result] = claimsOf(paperOf(claim), { a: ran, b: { missing: ['no key'] } })
    expect(result).toMatchObject({ outcome: 'not comparable', ourOutcome: 'supported' })
    expect(claimLines(result!)[1]).toContain('our numbers alone: supported; Good above Fair')
    expect(result?.reason).toContain('the run "b" lacks something')
  })

  test('pairs two runs on the same data by question', async () => {
    const questions = questionNumbers()
    // the lead of good over poor is larger in the first run
    const [wide, narrow] = [
      await runOf([...times(8, { good: 1, poor: 0 }), ...times(1, { good: 0, poor: 0 })], questions),
      await runOf(times(9, { good: 1, poor: 1 }), questions),
    ]
    const lead = { columns: ['accuracy', 'other'], widest: 'Good', of: ['Poor'] }
    expect(claimsOf(paperOf(lead), { a: wide, b: narrow })).toMatchObject([
      { outcome: 'supported', pairs: [{ statement: 'lead of Good over that in other', difference: near(8 / 9) }] },
    ])
  })

  test('tests equivalence or non-inferiority against its margin', async () => {
    const gradedScores = (shift: number) =>
      Array.from({ length: 40 }, (_, i) =>
        times(1, { good: 0.5 + shift + (i % 3) / 100, fair: 0.5 + (i % 5) / 100 }),
      ).flat()
    const verdictOf = async (claim: object, shift: number) => (await judgeWith(claim, gradedScores(shift))).outcome
    // the margin is the tolerance of the column: 2 points
    expect(await verdictOf({ same: 'Good', as: ['Fair'] }, 0.01)).toBe('supported')
    expect(await verdictOf({ same: 'Good', as: ['Fair'] }, 0.1)).toBe('contradicted')
    expect(await verdictOf({ notWorse: 'Good', than: ['Fair'] }, 0.1)).toBe('supported')
    expect(await verdictOf({ notWorse: 'Good', than: ['Fair'] }, -0.1)).toBe('contradicted')
    expect(await verdictOf({ notWorse: 'Good', than: ['Fair'] }, -0.01)).toBe('not supported')
    expect(await verdictOf({ notWorse: 'Good', than: ['Fair'], margin: '50%' }, -0.1)).toBe('supported')
    // equal values say nothing of others
    expect((await judgeWith({ same: 'Good', as: ['Fair'] }, times(9, { good: 1, fair: 1 }))).outcome).toBe(
      'not supported',
    )
  })

  test('supports a ratio whose interval lies within the range', async () => {
    const scores = Array.from({ length: 400 }, (_, i) => times(1, { good: i % 2, fair: i % 4 === 0 ? 1 : 0 })).flat()
    const verdictOf = async (from: number, to: number) =>
      (await judgeWith({ times: 'Good', than: 'Fair', from, to }, scores)).outcome
    expect(await verdictOf(1.5, 3)).toBe('supported')
    expect(await verdictOf(1.9, 2.1)).toBe('not supported')
    expect(await verdictOf(4, 5)).toBe('contradicted')
  })

  test('compares tokens without a test', async () => {
    const { table, ...run } = await runOf(times(8, { good: 1, fair: 0 }))
    const usageOf = (method: string, promptTokens: number) => usageCell(method, 'answer', { promptTokens })
    const ran = {
      ...run,
      table: { ...table, usage: [usageOf('good', 100), usageOf('fair', 110), usageOf('poor', 300)] },
    }
    const of = (claim: object) => claimsOf(paperOf({ columns: ['tokens'], ...claim }), { a: ran })[0]
    expect(of({ order: ['Good', 'Fair'] })).toMatchObject({
      outcome: 'supported',
      pairs: [{ statement: 'Good below Fair', difference: -10, test: 'none' }],
    })
    expect(of({ order: ['Poor', 'Fair'] })).toMatchObject({ outcome: 'contradicted' })
    expect(of({ same: 'Good', as: ['Fair'], margin: '10%' })).toMatchObject({ outcome: 'supported' })
    expect(of({ same: 'Poor', as: ['Fair'], margin: '10%' })).toMatchObject({ outcome: 'contradicted' })
    expect(of({ times: 'Poor', than: 'Good', from: 3, to: 3 })).toMatchObject({ outcome: 'supported' })
  })

  test('is not comparable over a row whose run differs, and says how', async () => {
    const { rows, ...paper } = paperOf({ order: ['Good', 'Fair'] }, { order: ['Good', 'Poor'] })
    const differing = { ...paper, rows: { ...rows, Fair: { ...rows['Fair']!, differs: 'it searches another corpus' } } }
    const ran = await runOf(times(8, { good: 1, fair: 0, poor: 0 }))
    expect(claimsOf(differing, { a: ran })).toMatchObject([
      { outcome: 'not comparable', ourOutcome: 'supported', reason: 'it searches another corpus' },
      { outcome: 'supported' },
    ])
  })

  test('prints no p value where too few clusters can reach the level', async () => {
    const four = Array.from({ length: 4 }, (_, index) => times(2, { good: 1, fair: 0 }, { cluster: `text ${index}` }))
    const result = await judgeWith({ order: ['Good', 'Fair'] }, four.flat())
    expect(result).toMatchObject({ outcome: 'not supported', pairs: [{ clusters: 4, smallestP: 0.125 }] })
    expect(claimTables([result])[0]?.table.rows[0]?.[4]?.text).toBe('cannot reach 0.05 with 4 clusters')
    const five = await judgeWith({ order: ['Good', 'Fair', 'Poor'] }, times(6, { good: 1, fair: 0, poor: 0 }))
    expect(claimTables([five])[0]?.table.rows[1]?.[4]?.text).toBe('cannot reach 0.05 with 6 questions')
  })
})

const gain = { columns: ['accuracy'], gain: ['Agent', 'Dense'], above: [['Agent on graph', 'Graph']] }

/** A table with the claim that the agent helps dense retrieval more than a graph. */
const gainPaper = (better: 'higher' | 'lower' = 'higher', printed: readonly number[] = [40, 60, 70, 75]): PaperTable =>
  paperTable.parse({
    ...paperOf(),
    claims: [{ ...claimFields, ...gain }],
    rows: {
      Dense: { method: 'dense' },
      Agent: { method: 'agent' },
      Graph: { method: 'graph' },
      'Agent on graph': { method: 'walker' },
    },
    columns: { accuracy: { ...accuracy, better } },
    cells: ['Dense', 'Agent', 'Graph', 'Agent on graph'].map((row, index) => ({
      row,
      column: 'accuracy',
      value: printed[index] ?? null,
    })),
  })

/** The outcome of a claim by the printed numbers alone. */
const printedOutcome = (paper: PaperTable, claim = paper.claims[0]!) =>
  claimsOf({ ...paper, claims: [claim] }, { a: { missing: [] } })[0]?.printed

const judgeGain = async (values: readonly Scored['values'][], paper = gainPaper()): Promise<JudgedClaim> =>
  claimsOf(paper, { a: await runOf(values.map((entry) => ({ values: entry }))) })[0]!

/** Scores of questions of varying difficulty, with these gains of the agent, and noise. */
function planted(count: number, { onDense, onGraph }: { readonly onDense: number; readonly onGraph: number }) {
  const random = mulberry32(7)
  const noise = () => (random() - 0.5) / 5
  return Array.from({ length: count }, () => {
    const [dense, graph] = [0.2 + random() / 2, 0.3 + random() / 2]
    return { dense, graph, agent: dense + onDense + noise(), walker: graph + onGraph + noise() }
  })
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

describe('a claim on an interaction', () => {
  test('finds a planted interaction, with the mean, interval and error of a direct computation', async () => {
    const questions = planted(120, { onDense: 0.2, onGraph: 0.1 })
    const gains = questions.map(({ dense, agent, graph, walker }) => agent - dense - (walker - graph))
    const mean = meanOf(gains)
    const variance = gains.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (gains.length - 1)
    const error = Math.sqrt(variance / gains.length)
    // the .975 quantile of Student's t with 119 degrees of freedom
    const reach = 1.980099876 * error
    const { outcome, pairs } = await judgeGain(questions)
    expect(outcome).toBe('supported')
    expect(pairs).toMatchObject([
      {
        statement: 'gain of Agent over Dense larger than of Agent on graph over Graph',
        test: 'sign flips',
        questions: 120,
        difference: expect.closeTo(mean, 8),
        error: expect.closeTo(error, 8),
        low: expect.closeTo(mean - reach, 8),
        high: expect.closeTo(mean + reach, 8),
      },
    ])
  })

  test('is contradicted by a larger gain on the graph; the direction of the metric is respected', async () => {
    expect(await judgeGain(planted(60, { onDense: 0, onGraph: 0.2 }))).toMatchObject({ outcome: 'contradicted' })
    const questions = planted(60, { onDense: 0.2, onGraph: 0 })
    expect(await judgeGain(questions, gainPaper('lower'))).toMatchObject({ outcome: 'contradicted' })
  })

  test('compares only questions that all four rows have', async () => {
    const questions = planted(40, { onDense: 0.3, onGraph: 0 })
    const torn = questions.map(({ graph, ...values }, index) => (index < 10 ? values : { ...values, graph }))
    expect((await judgeGain(torn)).pairs).toMatchObject([{ questions: 30 }])
  })

  test.each([
    [[40, 60, 70, 75], 'supported'],
    [[40, 45, 70, 75], 'equal numbers'],
    [[40, 42, 70, 75], 'contradicted'],
    [[40, 60], 'no number'],
  ])('has for the printed numbers %j the outcome %s', (printed, outcome) => {
    const paper = gainPaper('higher', printed)
    expect(printedOutcome(paper, paper.claims[0])).toBe(outcome)
  })
})

test.each([
  [['Agent on graph', 'Graph'], undefined, 'supported'],
  [['Agent on graph', 'Graph'], '10%', 'its bars overlap'],
  [['Agent', 'Dense'], '10%', 'supported'],
  [['Dense', 'Agent'], '10%', 'contradicted'],
])('the printed numbers of %j with bars of %s: %s', (order, bars, outcome) => {
  const paper = gainPaper()
  expect(printedOutcome(paper, { ...claimFields, columns: ['accuracy'], order, bars })).toBe(outcome)
})

test('does not support a claim with a second-hand number', () => {
  const { cells, ...paper } = gainPaper()
  const digest = { ...paper, cells: cells.map((cell) => ({ ...cell, secondHand: 'notes of a reader' })) }
  expect(printedOutcome(digest, paper.claims[0])).toBe('no number')
})
