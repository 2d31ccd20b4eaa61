import { describe, expect, test } from 'vitest'
import type { Manifest, ScoreLine } from '../../records.ts'
import { madeRun } from '../../test-support/made-run.ts'
import { tableOf } from '../table/table.ts'
import { claimsShown, reasonsOf } from './comparison.ts'
import { comparePairs, judgeClaims, pairsToTest, type JudgedClaim, type Tested } from './judge-claims.ts'
import { paperTable, type PaperTable } from './paper-table.ts'

const methods = ['good', 'fair', 'poor'].map((method) => ({
  method,
  variant: '',
  id: method,
  use: method,
  options: {},
}))

const plain = madeRun({ rows: {} }).manifest

const manifest: Manifest = {
  ...plain,
  ...{ seed: 42, judgeRuns: 1, dataset: { ...plain.dataset, name: 'toy' }, methods },
  scorers: plain.scorers.map((scorer) => ({
    ...{ ...scorer, id: 'acc', scorer: 'accuracy', use: 'accuracy', kinds: ['choice'] },
    ...{ judge: false, columns: [{ metric: 'accuracy' }] },
  })),
}

interface Scored {
  readonly cluster?: string
  readonly values: Readonly<Record<string, number | 'failed'>>
  readonly subsets?: readonly string[]
}

const linesOf = (scored: readonly Scored[]): readonly ScoreLine[] =>
  scored.flatMap(({ cluster, values, subsets = [] }, index) =>
    Object.entries(values).map(([methodId, value]) => ({
      ...{ trial: `${methodId}.${index}`, question: String(index), method: methodId, variant: '', methodId, repeat: 0 },
      ...{ scorer: 'accuracy', scorerId: 'acc', run: 0, subsets, ...(cluster !== undefined && { cluster }) },
      ...(value === 'failed'
        ? { failure: { phase: 'judge', kind: 'server', message: 'gone' } as const }
        : { metrics: { accuracy: value } }),
      usage: { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 },
    })),
  )

const claimed = { claim: 'as claimed', run: 'a', scorer: 'accuracy', metric: 'accuracy' }

const paperOf = (...claims: readonly object[]): PaperTable =>
  paperTable.parse({
    ...{ paper: 'A paper', table: 'Table 1', runs: { a: { configs: ['a.yaml'] } } },
    rows: {
      Good: { method: 'good' },
      Fair: { method: 'fair' },
      Poor: { method: 'poor' },
      Gone: { method: 'gone' },
      Later: {},
    },
    columns: { accuracy: { run: 'a', scorer: 'accuracy', metric: 'accuracy', unit: 'percent', tolerance: 2 } },
    cells: [{ row: 'Good', column: 'accuracy', value: 60 }],
    claims: claims.map((claim) => ({ ...claimed, ...claim })),
  })

const near = (value: number): unknown => expect.closeTo(value, 12)

async function* stream<T>(lines: readonly T[]): AsyncGenerator<T> {
  yield* lines
}

async function judged(claim: object, scored: readonly Scored[], incomparable?: string): Promise<JudgedClaim> {
  const paper = paperOf(claim)
  const lines = linesOf(scored)
  const journals = { trials: () => stream([]), scores: () => stream(lines), meter: () => stream([]) }
  const [table, pairs] = [
    await tableOf(manifest, journals),
    await comparePairs(manifest, journals, pairsToTest(paper, 'a')),
  ]
  const ran: Tested = { table, pairs, ...(incomparable !== undefined && { incomparable }) }
  return judgeClaims(paper, new Map([['a', ran]]))[0]!
}

/** So many questions with the same scores. */
const times = (count: number, values: Scored['values'], more: Omit<Scored, 'values'> = {}): readonly Scored[] =>
  Array.from({ length: count }, () => ({ values, ...more }))

describe('a claim of a paper', () => {
  test('is supported where every pair differs as claimed: McNemar, Holm over its pairs', async () => {
    const scored = [
      ...times(8, { good: 1, fair: 0, poor: 0 }),
      ...times(7, { good: 1, fair: 1, poor: 0 }),
      ...times(5, { good: 0, fair: 0, poor: 0 }),
    ]
    const found = await judged({ order: ['Good', 'Fair', 'Poor'] }, scored)
    expect(found).toMatchObject({ verdict: 'supported', subset: 'all' })
    expect(found).not.toHaveProperty('reason')
    // 8 to 0 and 7 to 0: twice .5^8 and .5^7, the smaller of them doubled by Holm
    expect(found.pairs).toMatchObject([
      { above: 'Good', below: 'Fair', test: 'McNemar', p: near(2 ** -7), pAdjusted: near(2 ** -6), questions: 20 },
      { above: 'Fair', below: 'Poor', test: 'McNemar', p: near(2 ** -6), pAdjusted: near(2 ** -6), questions: 20 },
    ])
    expect(found.pairs.map(({ difference }) => difference)).toEqual([near(0.4), near(0.35)])
  })

  test('is contradicted where one pair differs the other way, and undecided where one is not significant', async () => {
    const scored = [...times(8, { good: 1, fair: 0, poor: 1 }), ...times(3, { good: 1, fair: 1, poor: 0 })]
    expect(await judged({ order: ['Good', 'Fair', 'Poor'] }, scored)).toMatchObject({ verdict: 'undecided' })
    expect(await judged({ order: ['Fair', 'Good'] }, scored)).toMatchObject({
      verdict: 'contradicted',
      pairs: [{ above: 'Fair', below: 'Good', p: near(2 ** -7) }],
    })
    // one pair as claimed does not outweigh another that differs the other way
    const mixed = times(9, { good: 1, fair: 0, poor: 1 })
    expect(await judged({ order: ['Good', 'Fair', 'Poor'] }, mixed)).toMatchObject({ verdict: 'contradicted' })
    // 6 to 0 is significant alone (.03125), not as one of two pairs
    const six = [...times(6, { good: 1, fair: 0, poor: 0 })]
    expect(await judged({ order: ['Good', 'Fair'] }, six)).toMatchObject({ verdict: 'supported' })
    expect(await judged({ best: 'Good', of: ['Fair', 'Poor'] }, six)).toMatchObject({
      verdict: 'undecided',
      pairs: [{ pAdjusted: near(0.0625) }, { pAdjusted: near(0.0625) }],
    })
  })

  test('of a best row pairs it with each of the others, on the questions that both have a score for', async () => {
    const scored = [...times(9, { good: 1, fair: 0, poor: 0 }), ...times(4, { good: 1, poor: 0 })]
    const { verdict, pairs } = await judged({ best: 'Good', of: ['Poor', 'Fair'] }, scored)
    expect(verdict).toBe('supported')
    expect(pairs.map(({ below, questions }) => [below, questions])).toEqual([
      ['Poor', 13],
      ['Fair', 9],
    ])
  })

  test('on clustered or graded scores is tested by sign flips; of a subset, on its questions alone', async () => {
    const clusters = Array.from({ length: 6 }, (_, index) =>
      times(2, { good: 1, fair: 0 }, { cluster: `text ${index}` }),
    )
    expect((await judged({ order: ['Good', 'Fair'] }, clusters.flat())).pairs).toMatchObject([
      { test: 'sign flips', p: 2 ** -5, questions: 12 },
    ])
    const graded = [...times(6, { good: 0.5, fair: 0.25 }, { subsets: ['hard'] }), ...times(6, { good: 0, fair: 1 })]
    expect(await judged({ order: ['Good', 'Fair'], subset: 'hard' }, graded)).toMatchObject({
      verdict: 'supported',
      pairs: [{ test: 'sign flips', difference: 0.25, questions: 6 }],
    })
    expect(await judged({ order: ['Good', 'Fair'] }, graded)).toMatchObject({ verdict: 'undecided' })
  })

  test.each([
    [{ order: ['Good', 'Fair'] }, { good: 1, fair: 0 }, 'an offline variant', 'an offline variant', 1],
    [{ order: ['Good', 'Gone'] }, { good: 1 }, undefined, 'the run "a" has no row "gone"', 0],
    [{ order: ['Good', 'Poor'] }, { good: 1 }, undefined, 'poor has no value of accuracy.accuracy', 0],
  ])('%j is not comparable, and it is said why', async (claim, values, incomparable, reason, pairs) => {
    const found = await judged(claim, times(8, values), incomparable)
    expect(found).toMatchObject({ verdict: 'not comparable', reason })
    expect(found.pairs).toHaveLength(pairs)
  })

  test('is not comparable where scores of a row failed, or two rows share no question', async () => {
    const order = ['Good', 'Fair']
    const torn = [...times(8, { good: 1, fair: 0 }), ...times(2, { good: 1, fair: 'failed' })]
    expect(await judged({ order }, torn)).toMatchObject({
      verdict: 'not comparable',
      reason: '2 scores of fair failed: accuracy.accuracy',
    })
    const apart = [...times(8, { good: 1 }), ...times(8, { fair: 0 })]
    expect(await judged({ order }, apart)).toMatchObject({
      verdict: 'not comparable',
      reason: 'two rows of a claim have no question in common',
      pairs: [],
    })
  })

  test('has no run: it lacks something, has no method of ours, or was not asked for', async () => {
    const none = { trials: () => stream([]), scores: () => stream([]), meter: () => stream([]) }
    const table = await tableOf(manifest, none)
    const paper = paperOf({ order: ['Good', 'Fair'] })
    expect(judgeClaims(paper, new Map([['a', { missing: ['no key'] }]]))).toMatchObject([
      { verdict: 'not run', reason: 'the run "a" lacks something that it needs', pairs: [] },
    ])
    const later = paperOf({ order: ['Good', 'Later'] })
    expect(pairsToTest(later, 'a')).toEqual([])
    expect(judgeClaims(later, new Map([['a', { table }]]))).toMatchObject([
      { verdict: 'not run', reason: 'gembench has no method for "Later" yet' },
    ])
    expect(judgeClaims(paper, new Map())).toEqual([])
  })

  test('what so few clusters cannot reach stands instead of a p', async () => {
    const four = Array.from({ length: 4 }, (_, index) => times(2, { good: 1, fair: 0 }, { cluster: `text ${index}` }))
    const found = await judged({ order: ['Good', 'Fair'] }, four.flat())
    expect(found).toMatchObject({ verdict: 'undecided', pairs: [{ clusters: 4, smallestP: 0.125 }] })
    expect(claimsShown([found])[0]?.grid.rows[0]?.[2]?.text).toBe('cannot reach 0.05 with 4 clusters')
    const five = await judged({ order: ['Good', 'Fair', 'Poor'] }, times(6, { good: 1, fair: 0, poor: 0 }))
    expect(claimsShown([five])[0]?.grid.rows[1]?.[2]?.text).toBe('cannot reach 0.05 with 6 questions')
  })

  test('as text: the verdict and its pairs', async () => {
    const scored = [...times(20, { good: 1, fair: 0 }), ...times(5, { good: 0, fair: 0 })]
    const found = await judged({ order: ['Good', 'Fair'] }, scored)
    const [shown] = claimsShown([found])
    expect(shown?.title).toBe('supported: as claimed (a: accuracy.accuracy)')
    expect(shown?.grid.rows.map((row) => row.map(({ text }) => text))).toEqual([
      ['Good above Fair', '+0.8000 ±0.0816', '< 0.0001'],
    ])
    expect(reasonsOf([found])).toEqual([])
  })
})

test.each([
  [{ run: 'b', order: ['Good', 'Fair'] }, ['claims', 0, 'run'], 'there is no run "b"'],
  [{ order: ['Good', 'Fare'] }, ['claims', 0], 'there is no row "Fare"'],
  [{ best: 'Good', of: ['Fair', 'Good'] }, ['claims', 0], 'this claim names a row twice'],
])('the claim %j is refused', (claim, path, message) => {
  const result = paperTable.safeParse({ ...paperOf(), claims: [{ ...claimed, ...claim }] })
  expect(result.error?.issues[0]).toMatchObject({ path, message: expect.stringContaining(message) })
})
