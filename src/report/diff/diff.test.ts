import { describe, expect, test } from 'vitest'
import type { Manifest } from '../../records.ts'
import { journalsOf, madeRun, questionsWith, type MadeOutcome, type MadeRun } from '../../test-support/fake-run.ts'
import { diffRuns, type RunDiff } from './diff-runs.ts'
import type { DiffSide } from '../gather/outcomes.ts'
import { diffNotes, gateOf, outcomeLines, testLines } from './messages.ts'
import { matchQuestions } from './question-changes.ts'
import { changedQuestions, withTexts } from './question-texts.ts'

function side(name: string, fixture: MadeRun, row?: string): DiffSide {
  const { manifest, trials, scores } = madeRun(fixture)
  return { name, manifest, ...journalsOf({ trials, scores }), ...(row !== undefined && { row }) }
}

/** One row `bm25` in both runs. */
type Outcomes = Readonly<Record<string, MadeOutcome | readonly MadeOutcome[]>>
const diffOf = (
  before: Outcomes,
  after: Outcomes,
  more: Omit<MadeRun, 'rows'> = {},
  moreAfter = more,
): Promise<RunDiff> =>
  diffRuns(side('old', { rows: { bm25: before }, ...more }), side('new', { rows: { bm25: after }, ...moreAfter }))
/** Several rows in both runs. */
const diffRows = (before: MadeRun['rows'], after: MadeRun['rows'], margin?: number): Promise<RunDiff> =>
  diffRuns(side('old', { rows: before }), side('new', { rows: after }), undefined, margin)

const { manifest } = madeRun({ rows: {} })
const withManifest = (changes: Partial<Manifest>): Omit<MadeRun, 'rows'> => ({ manifest: changes })

describe('changes of the questions of a row', () => {
  test('have a name each, and failures have no score', async () => {
    const cases: readonly (readonly [id: string, before: MadeOutcome, after: MadeOutcome, change: string])[] = [
      ['fell', 1, 0.4, 'regressed'],
      ['rose', 0.2, 0.3, 'fixed'],
      ['bad', 0, 0, 'stillFailing'],
      ['same', 0.5, 0.5, 'unchanged'],
      ['lost', 1, 'score failed', 'failedNow'],
      ['won', 'trial failed', 1, 'failedBefore'],
      ['both', 'trial failed', 'score failed', 'stillFailing'],
      ['no', 1, 'declined', 'notScored'],
      ['never', 'declined', 'declined', 'notScored'],
    ]
    const { rows } = await diffOf(
      Object.fromEntries(cases.map(([id, before]) => [id, before])),
      Object.fromEntries(cases.map(([id, , after]) => [id, after])),
    )
    expect(rows[0]?.questions.map(({ id, change }) => [id, change])).toEqual(
      cases.map(([id, , , change]) => [id, change]),
    )
    expect(rows[0]?.counts).toEqual({
      regressed: 1,
      fixed: 1,
      stillFailing: 2,
      unchanged: 1,
      failedNow: 1,
      failedBefore: 1,
      notScored: 2,
    })
    expect(rows[0]?.questions.find(({ id }) => id === 'lost')).toMatchObject({ before: 1, after: null })
    expect(rows[0]?.test).toMatchObject({ questions: 4, win: 1, loss: 1, tie: 2 })
    expect(rows[0]?.test?.means).toEqual({ before: 1.7 / 4, after: 1.2 / 4 })
  })

  test('compare means over judge runs and repeats', async () => {
    const { rows } = await diffOf({ a: [[0, 1], [1]], b: [[1], 'trial failed'] }, { a: [[1, 0], [1]], b: [[1], [0.5]] })
    expect(rows[0]?.questions).toEqual([
      { id: 'a', change: 'unchanged', before: 0.75, after: 0.75 },
      { id: 'b', change: 'regressed', before: 1, after: 0.75 },
    ])
  })

  test('ignore rounding in counts and tests', async () => {
    const { rows } = await diffOf({ a: 0.3, b: 0.5 }, { a: 0.1 + 0.2, b: 0.5 + 2e-9 })
    expect(rows[0]?.counts).toMatchObject({ unchanged: 1, fixed: 1 })
    expect(rows[0]?.test).toMatchObject({ tie: 1, win: 1 })
  })

  test('count the least score of a range, not 0, as failing', async () => {
    const scorers = manifest.scorers.map((scorer) => ({ ...scorer, ranges: { accuracy: [-1, 1] as const } }))
    const { rows } = await diffOf({ a: -1, b: 0 }, { a: -1, b: 0 }, withManifest({ scorers }))
    expect(rows[0]?.counts).toMatchObject({ stillFailing: 1, unchanged: 1 })
  })
})

test.each([
  ['other ids of changed files', 'a:x b:y', 'b:x c:y', true, 'a-b b-c'],
  ['equal texts, by id first', 'a:x b:x', 'b:x c:x', true, 'b-b a-c'],
  ['equal texts, in order', 'a:x b:x c:x', 'd:x e:x', true, 'a-d b-e c-'],
  ['other ids of the same files', 'a:x b:y', 'a:y', false, 'a- b- -a'],
])('matches questions with %s', (_label, before, after, byText, expected) => {
  /** A run whose questions have these ids and texts. */
  const runOf = (questions: string) => ({
    questions: new Map(
      questions.split(' ').map((question) => [question[0] ?? '', { digest: question.slice(2), hasMissing: false }]),
    ),
  })
  const matches = matchQuestions([runOf(before), runOf(after)], byText)
  expect(matches.map(([id = '', afterId = '']) => `${id}-${afterId}`).sort()).toEqual(expected.split(' ').sort())
})

const noMargin = 'without a margin only a significant loss fails; --margin .03 requires that larger losses are excluded'

describe('the verdict on a row', () => {
  const all = questionsWith(40, () => 1)
  const tenWrong = questionsWith(40, (index) => Number(index >= 10))

  test("is worse where ten of forty regress, by McNemar's test", async () => {
    const diff = await diffOf(all, tenWrong)
    // two-sided binomial: 2 / 2^10
    expect(diff.rows[0]?.test).toMatchObject({ test: 'McNemar', difference: -0.25, loss: 10, questions: 40 })
    expect(diff.rows[0]?.test?.p).toBeCloseTo(2 / 1024, 12)
    expect(diff.rows[0]?.verdict).toBe('worse')
    const line =
      "bm25: worse; change -25.0 points (95 % interval -40.2 to -11.1) on 40 questions, p 0.00195 (McNemar's exact test)"
    expect(gateOf(diff)).toEqual({ outcome: 'worse', reason: line })
    expect(testLines(diff)).toEqual([`${line}.`])
    const back = await diffOf(tenWrong, all)
    expect(back.rows[0]?.verdict).toBe('better')
    expect(gateOf(back).outcome).toBe('passed')
  })

  test('corrects p over the rows', async () => {
    const six = (value: number): Outcomes => questionsWith(7, (index) => (index < 6 ? value : 1))
    const [ones, zeros] = [six(1), six(0)]
    const oneRow = await diffRows({ a: ones }, { a: zeros })
    expect(oneRow.rows[0]).toMatchObject({
      verdict: 'worse',
      test: { p: expect.closeTo(0.03125, 9), pAdjusted: expect.closeTo(0.03125, 9) },
    })
    // of the 64 signs of six questions two bring all changes of a to one side, and two others those of b
    const five = (first: number): Outcomes =>
      questionsWith(7, (index) => (index < 5 ? first : index < 6 ? 1 - first : 1))
    const two = await diffRows({ a: ones, b: five(1) }, { a: zeros, b: five(0) })
    expect(two.rows[0]).toMatchObject({
      verdict: 'no difference shown',
      test: { p: expect.closeTo(0.03125, 9), pAdjusted: expect.closeTo(0.0625, 9) },
    })
  })

  test.each<[string, Partial<Manifest>, string]>([
    [
      'options',
      { dataset: { ...manifest.dataset, options: { split: 'dev' } } },
      'the dataset toy is read with other options: options.split none → dev',
    ],
    ['dataset', { dataset: { ...manifest.dataset, name: 'other' } }, 'the datasets differ: toy and other'],
    [
      'scorer',
      { scorers: manifest.scorers.map((scorer) => ({ ...scorer, version: 2, id: 'acc2' })) },
      'the scorer accuracy differs: version 1 → 2',
    ],
  ])('is none for other %s, and the gate gives the reason', async (_label, changes, reason) => {
    const after = madeRun({ rows: { bm25: tenWrong }, manifest: changes })
    const scorerId = after.manifest.scorers[0]?.id ?? ''
    const laterRun = side('new', { rows: { bm25: tenWrong }, manifest: changes })
    async function* scores() {
      for (const line of after.scores) yield { ...line, scorerId }
    }
    const diff = await diffRuns(side('old', { rows: { bm25: all } }), { ...laterRun, scores })
    expect(diff.incomparable).toEqual([reason])
    expect(diff.rows[0]).toMatchObject({
      verdict: 'none',
      test: null,
      reason,
      counts: { regressed: 10, unchanged: 30 },
    })
    expect(gateOf(diff)).toEqual({ outcome: 'no verdict', reason })
  })

  test('rests on a test despite a changed budget, seed or method option, which a note names', async () => {
    const methods = [{ method: 'bm25', variant: '', id: 'id of bm25', use: 'bm25', options: { k1: 2 } }]
    const changes = withManifest({ budget: { passages: 5, tokens: 600 }, seed: 7, methods })
    const diff = await diffOf(all, tenWrong, {}, changes)
    expect(diff.rows[0]?.verdict).toBe('worse')
    expect(diffNotes(diff)).toEqual([
      'The runs differ in: budget.tokens 1000 → 600, seed 42 → 7.',
      'bm25: differs in: options.k1 none → 2.',
    ])
  })

  test('fails the gate of an unfinished run, and passes where questions failed before only', async () => {
    expect(gateOf(await diffOf(all, all, {}, withManifest({ finished: null })))).toEqual({
      outcome: 'incomplete',
      reason: 'new is incomplete; run its config again to resume it',
    })
    expect(gateOf(await diffOf({ ...all, q3: 'trial failed' }, all)).outcome).toBe('passed')
  })

  test('fails the gate for rows whose answers the scorer now skips', async () => {
    const declined = questionsWith(40, () => 'declined' as const)
    const diff = await diffOf(all, declined)
    expect(gateOf(diff).outcome).toBe('missing')
    expect(gateOf(diff).reason).toMatch(/^bm25: 40 questions without a score in the second run: q0, q1, /)
    expect(gateOf(diff, true)).toEqual({
      outcome: 'no verdict',
      reason: 'bm25: no verdict: no question has a score before and after',
    })
  })
})

describe('questions of the first run that are missing in the second', () => {
  const right = questionsWith(20, () => 1)
  const without = (...missingIds: readonly string[]): Outcomes =>
    Object.fromEntries(Object.entries(right).filter(([id]) => !missingIds.includes(id)))

  test('are named by a note, and so are those of the second run alone', async () => {
    const note = 'bm25: 1 question not in the second run, or with another text or reference: q3.'
    expect(diffNotes(await diffOf(right, without('q3')))).toEqual([note])
    expect(diffNotes(await diffOf(without('q3'), right))).toEqual(['bm25: 1 question only in the second run.'])
  })

  test('give way to a row that is worse, and to failed questions', async () => {
    const wrong = questionsWith(19, (index) => Number(index > 9))
    expect(gateOf(await diffOf(right, wrong)).outcome).toBe('worse')
    expect(gateOf(await diffOf(right, { ...without('q3'), q4: 'trial failed' })).outcome).toBe('incomplete')
  })

  test('exclude questions without a score in the first run', async () => {
    const diff = await diffOf({ ...right, q3: 'declined' }, { ...right, q3: 'declined' })
    expect(diff.rows[0]?.missing).toEqual([])
  })
})

describe('a gate with a margin', () => {
  /** Of so many questions, `lost` right before alone and `won` after alone; the rest is right in both. */
  const gate = async (
    count: number,
    losses: number,
    wins: number,
    margin: number,
    more: Omit<MadeRun, 'rows'> = {},
  ) => {
    const rowOf = (isRight: (index: number) => boolean): MadeRun['rows'] => ({
      bm25: questionsWith(count, (index) => Number(isRight(index))),
    })
    const [before, after] = [rowOf((index) => index < count - wins), rowOf((index) => index >= losses)]
    return gateOf(
      await diffRuns(side('old', { rows: before, ...more }), side('new', { rows: after, ...more }), undefined, margin),
    )
  }

  test('does not pass a loss of ten points on 68 questions that is not significant', async () => {
    const result = await gate(68, 12, 5, 0.03)
    expect(result.outcome).toBe('undecided')
    // by hand: sd .4929, error .0598, t of 67 degrees 1.668; (1.645 + .8416)² · .4929² / .03² is 1,669 at least
    expect(result.reason).toMatch(
      /^bm25: .*; change -10\.3 points .*; a loss of up to 20\.3 points is plausible \(p 0\.88\d* for a loss of 3\.0 or more\); about 1,67\d questions would show/,
    )
  })

  test('passes a significant loss within the margin', async () => {
    expect((await gate(2000, 20, 20, 0.03)).outcome).toBe('passed')
    expect((await gate(2000, 30, 5, 0.03)).outcome).toBe('passed')
    expect((await gate(2000, 100, 5, 0.03)).outcome).toBe('worse')
    expect((await gate(40, 0, 10, 0.03)).outcome).toBe('passed')
  })

  test('passes unchanged runs, also with few clusters, by the margin of the config', async () => {
    const clusters = questionsWith(40, (index) => `story ${index % 3}`)
    expect((await gate(40, 0, 0, 0.03, { clusters })).outcome).toBe('passed')
    const compare = { margin: 0.2 } as const
    const outcomes = [questionsWith(68, () => 1), questionsWith(68, (index) => Number(index > 2))] as const
    expect(gateOf(await diffOf(...outcomes)).reason).toContain(noMargin)
    const within = await diffOf(...outcomes, withManifest({ compare }))
    expect([within.margin, gateOf(within).outcome]).toEqual([0.2, 'passed'])
    expect(gateOf(within).reason).not.toContain(noMargin)
  })

  test('fails for one undecided row, and names it', async () => {
    const rows = (wrong: number): MadeRun['rows'] => ({
      a: questionsWith(68, () => 1),
      b: questionsWith(68, (index) => Number(index >= wrong)),
    })
    const result = gateOf(await diffRows(rows(0), rows(3), 0.03))
    expect(result.outcome).toBe('undecided')
    expect(result.reason).toMatch(/^b: no difference shown; change -4\.4 points/)
  })
})

describe('selection of rows and metric', () => {
  const question = { a: 1, b: 0 }

  test('compares all common rows, or the requested ones', async () => {
    const [old, now] = [{ rows: { x: question, y: question } }, { rows: { y: question, z: question } }]
    const commonRows = await diffRuns(side('old', old), side('new', now))
    expect(commonRows.rows.map(({ name }) => name)).toEqual(['y'])
    expect(commonRows).toMatchObject({ onlyBefore: ['x'], onlyAfter: ['z'] })
    expect((await diffRuns(side('old', old, 'y'), side('new', now))).rows.map(({ name }) => name)).toEqual(['y'])
    const second = await diffRuns(side('old', old, 'x'), side('new', now, 'z'))
    expect(second.rows[0]).toMatchObject({
      name: 'x → z',
      differences: [{ setting: 'method', before: 'x', after: 'z' }],
    })
    await expect(diffRuns(side('old', old, 'x'), side('new', now))).rejects.toThrow('new: unknown row "x"')
    await expect(diffRows({ x: question }, { z: question })).rejects.toThrow(
      'no row is in both runs; name two of them as FOLDER#row (old: x; new: z)',
    )
  })

  test('names a row without scores, and does not compare it', async () => {
    const rows = { x: question, y: { a: 'declined', b: 'declined' } } as const
    const diff = await diffRows(rows, rows)
    expect(diff).toMatchObject({ notScored: ['y'], rows: [{ name: 'x' }] })
  })
})

test('reads the texts of changed questions, with every repeat and reason', async () => {
  const before = side('old', {
    rows: { x: { a: 1, b: 1, c: 1, d: 0, e: [[1], 'trial failed'], f: 1 } },
    answer: 'then',
  })
  const after = side('new', {
    rows: { x: { a: 0.9, b: 0.1, c: 'score failed', d: 1, e: [[0], [0]], f: 1 } },
    answer: 'now',
  })
  const { rows } = await withTexts(await diffRuns(before, after), [before, after])
  const [{ questions } = { questions: [] }] = rows
  expect(questions.at(-1)).toEqual({ id: 'f', change: 'unchanged', before: 1, after: 1 })
  const changed = changedQuestions(questions)
  expect(changed.map(({ id, change }) => [id, change])).toEqual([
    ['e', 'regressed'],
    ['b', 'regressed'],
    ['a', 'regressed'],
    ['c', 'failedNow'],
    ['d', 'fixed'],
  ])
  const outcomeTexts = changed.map(({ trials = {}, reference = { kind: 'answer', accepted: [] } }) =>
    Object.values(trials).map((ofRun) => outcomeLines(ofRun, reference, 'accuracy')),
  )
  expect(outcomeTexts[0]).toEqual([
    ['then (1 of 2)', 'failed: answer: the answer call was refused (1 of 2)'],
    ['now (2 of 2)'],
  ])
  expect(outcomeTexts[3]).toEqual([['then'], ['now', 'no score: the judge call was refused']])
})
