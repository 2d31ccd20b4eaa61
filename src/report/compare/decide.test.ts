import { describe, expect, test } from 'vitest'
import { journalsOf, madeRun, questionsWith, type MadeOutcome } from '../../test-support/fake-run.ts'
import type { Manifest } from '../../records.ts'
import { decisionMessages } from '../render/decision.ts'
import { tableOf } from '../table/table.ts'
import type { RequiredSample } from './decide.ts'

const price = { prompt: 1, completion: 0, embedding: 0 }
const pricedModel = { provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:9', parameters: {}, price }
const local = { provider: 'minilm', model: '', parameters: {} }

/** A run of rows each question of which takes so many prompt tokens at a dollar a million; a local model embeds. */
async function decisionOf(
  count: number,
  rows: Readonly<Record<string, readonly [tokens: number, outcome: (index: number) => MadeOutcome]>>,
  more: Partial<Manifest> = {},
) {
  const outcomes = Object.entries(rows).map(([name, [, of]]) => [name, questionsWith(count, of)] as const)
  const { manifest, trials, scores } = madeRun({ rows: Object.fromEntries(outcomes) })
  const usageOf = { calls: 1, promptTokens: 0, completionTokens: 0, embeddedTokens: 7, estimated: 0 }
  const table = await tableOf(
    { ...manifest, models: { complete: pricedModel, embed: local, judge: pricedModel }, ...more },
    journalsOf({
      trials: trials.map((trial) => ({
        ...trial,
        usage: { retrieve: usageOf, answer: { ...usageOf, promptTokens: rows[trial.method]?.[0] ?? NaN } },
      })),
      scores,
    }),
  )
  return { decision: table.decision, words: decisionMessages(table).join(' ') }
}

const half = (index: number): number => index % 2
/** As good as `half`, but for every tenth question in either direction. */
const alike = (index: number): number => (index % 10 === 0 ? 1 : index % 10 === 5 ? 0 : half(index))

describe('recommendation', () => {
  test('is the cheapest row that no other row beats by more than the margin', async () => {
    const rows = { dear: [900, half], cheap: [90, alike], bad: [10, () => 0] } as const
    const { decision, words } = await decisionOf(2000, rows)
    expect(decision?.take).toMatchObject({ method: 'cheap', cheaper: [] })
    expect(words).toBe(
      'Take cheap: at most 5 points below any other method (accuracy, 2000 questions, 95 % confidence). Cost of cheap: no index cost, $0.0900 per 1,000 questions.',
    )
    const close = await decisionOf(2000, rows, { compare: { margin: 0.001 } })
    expect(close.decision).toMatchObject({ take: null, margin: 0.001 })
  })

  test('is not a row with too few differing questions', async () => {
    const once = (index: number): number => (index === 1 ? 0 : half(index))
    const { decision } = await decisionOf(100, { dear: [900, half], other: [800, half], cheap: [90, once] })
    // of 1 in 100, the share is below .066 by the binomial distribution, and of none below .047
    expect(decision?.take).toMatchObject({ method: 'other', cheaper: [{ method: 'cheap' }] })
  })

  test('comes with the cheaper rows that are undecided, not those that are worse', async () => {
    const slightly = (index: number): number => (index % 20 === 1 ? 0 : half(index))
    const { words } = await decisionOf(300, { dear: [900, half], cheap: [90, slightly], bad: [10, () => 0] })
    expect(words).toMatch(/^Take dear: .* Cheaper, and possibly as good: cheap\. More questions would show it\.$/)
  })
})

describe('no recommendation', () => {
  test('with few questions: reports how many suffice', async () => {
    const rows = { dear: [900, half], cheap: [90, alike] } as const
    const { decision, words } = await decisionOf(40, rows)
    const { questions, costs } = decision?.open as RequiredSample
    expect(questions).toBeGreaterThan(200)
    // both rows, and the prices of prompts alone
    expect(costs.money).toBeCloseTo((questions * 990) / 1e6, 9)
    expect(words).toContain(
      'No clear winner: with 40 questions, no method is shown to be within 5 points of the best (accuracy).',
    )
    expect(words).toMatch(/About \d+0 questions would separate both methods \(\$/)
    expect((await decisionOf(questions, rows)).decision?.take?.method).toBe('cheap')
    expect((await decisionOf(Math.floor(questions / 3), rows)).decision?.take).toBeNull()
  })

  test('with ties only: bounds the share of differing questions by their number', async () => {
    const rows = { one: [1, half], other: [1, half] } as const
    // 1 - .025^(1/n) is below .05 from 72 on
    expect((await decisionOf(71, rows)).decision).toMatchObject({ take: null, open: { questions: 72 } })
    expect((await decisionOf(72, rows)).decision?.take?.method).toBe('one')
  })

  test('where failed questions might have been right', async () => {
    const failing = (index: number): MadeOutcome => (index % 10 === 3 ? 'trial failed' : half(index))
    const { decision, words } = await decisionOf(2000, { one: [9, failing], other: [9, failing] })
    expect(decision).toMatchObject({ take: null, open: 'failures' })
    expect(words).toContain('Failed questions leave it open')
  })
})

test('estimates no required number from fewer questions than a test needs', async () => {
  const { words } = await decisionOf(3, { one: [1, half], other: [1, (index) => 1 - half(index)] })
  expect(words).toMatch(/^No clear winner: with 3 questions, .* \(accuracy\)\.$/)
})

test('recommends nothing for one row, or with a constant judge', async () => {
  expect((await decisionOf(200, { one: [1, half] })).words).toBe('')
  const { manifest } = madeRun({ rows: {} })
  const always = { claims: '', true: { claims: 2, right: 2 }, false: { claims: 2, right: 0 }, failed: 0 }
  const usage = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }
  const scorers = manifest.scorers.map((scorer) => ({ ...scorer, judgeTest: { ...always, always: 'yes', usage } }))
  expect((await decisionOf(200, { one: [1, half], other: [1, half] }, { scorers })).words).toBe('')
})
