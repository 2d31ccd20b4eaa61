import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import type { Manifest, ScoreLine } from '../../records.ts'
import { journalsOf, madeRun } from '../../test-support/fake-run.ts'
import { questionNumbers } from '../gather/estimate.ts'
import { tableOf } from '../table/table.ts'
import { judgeClaims, printedOutcome, type JudgedClaim } from './judge-claims.ts'
import { contextNotes } from './messages.ts'
import { scoresOfRun } from './our-cells.ts'
import { paperTable } from './paper-table.ts'

const names = ['dense', 'agent', 'graph', 'walker'] as const

type Values = Readonly<Partial<Record<(typeof names)[number], number>>>

const plain = madeRun({ rows: {} }).manifest

const manifest: Manifest = {
  ...plain,
  seed: 42,
  methods: names.map((method) => ({ method, variant: '', id: method, use: method, options: {} })),
  scorers: plain.scorers.map((scorer) => ({
    ...scorer,
    id: 'f1',
    scorer: 'f1',
    use: 'f1',
    judge: false,
    columns: [{ metric: 'f1' }],
  })),
}

const lineOf = (method: string, question: number, value: number): ScoreLine => ({
  trial: `${method}.${question}`,
  question: String(question),
  method,
  variant: '',
  methodId: method,
  repeat: 0,
  scorer: 'f1',
  scorerId: 'f1',
  run: 0,
  subsets: [],
  metrics: { f1: value },
  usage: { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 },
})

const claim = {
  claim: 'the agent helps dense retrieval more than the graph',
  place: 'Section 4',
  columns: ['F1'],
  gain: ['Agent', 'Dense'],
  above: [['Agent on graph', 'Graph']],
}

const paperOf = (better: 'higher' | 'lower' = 'higher', printed: readonly number[] = [40, 60, 70, 75]) =>
  paperTable.parse({
    paper: 'A paper',
    table: 'Table 1',
    runs: { a: { configs: ['a.yaml'] } },
    rows: {
      Dense: { method: 'dense' },
      Agent: { method: 'agent' },
      Graph: { method: 'graph' },
      'Agent on graph': { method: 'walker' },
    },
    columns: { F1: { run: 'a', scorer: 'f1', metric: 'f1', unit: 'percent', tolerance: 2, better } },
    cells: ['Dense', 'Agent', 'Graph', 'Agent on graph'].map((row, index) => ({
      row,
      column: 'F1',
      value: printed[index] ?? null,
    })),
    claims: [claim],
  })

async function judge(questions: readonly Values[], paper = paperOf()): Promise<JudgedClaim> {
  const lines = questions.flatMap((values, question) =>
    Object.entries(values).map(([method, value]) => lineOf(method, question, value)),
  )
  const journals = journalsOf({ scores: lines })
  const scores = await scoresOfRun(manifest, journals, questionNumbers())
  return judgeClaims(paper, new Map([['a', { table: await tableOf(manifest, journals), scores }]]))[0]!
}

/** Scores of questions of varying difficulty, with these gains of the agent, and noise. */
function planted(count: number, { onDense, onGraph }: { readonly onDense: number; readonly onGraph: number }) {
  const random = mulberry32(7)
  const noise = () => (random() - 0.5) / 5
  return Array.from({ length: count }, () => {
    const [dense, graph] = [0.2 + random() / 2, 0.3 + random() / 2]
    return { dense, graph, agent: dense + onDense + noise(), walker: graph + onGraph + noise() }
  })
}

const gainsOf = (questions: readonly Required<Values>[]): readonly number[] =>
  questions.map(({ dense, agent, graph, walker }) => agent - dense - (walker - graph))

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

describe('a claim on an interaction', () => {
  test('finds a planted interaction, with the mean, interval and error of a direct computation', async () => {
    const questions = planted(120, { onDense: 0.2, onGraph: 0.1 })
    const gains = gainsOf(questions)
    const mean = meanOf(gains)
    const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (gains.length - 1)
    const error = Math.sqrt(variance / gains.length)
    // the .975 quantile of Student's t with 119 degrees of freedom
    const reach = 1.980099876 * error
    const { outcome, pairs } = await judge(questions)
    expect(outcome).toBe('supported')
    expect(pairs).toHaveLength(1)
    expect(pairs[0]).toMatchObject({
      statement: 'gain of Agent over Dense larger than of Agent on graph over Graph',
      test: 'sign flips',
      questions: 120,
    })
    const { difference, error: ourError, low, high } = pairs[0]!
    expect([difference, ourError, low, high]).toEqual(
      [mean, error, mean - reach, mean + reach].map((value) => expect.closeTo(value, 8) as unknown),
    )
  })

  test('finds no interaction where both gains are the same', async () => {
    const { outcome, pairs } = await judge(planted(120, { onDense: 0.2, onGraph: 0.2 }))
    expect(outcome).toBe('not supported')
    expect(pairs[0]!.low).toBeLessThan(0)
    expect(pairs[0]!.high).toBeGreaterThan(0)
  })

  test('has the p value of an enumeration of all sign flips', async () => {
    const questions = planted(12, { onDense: 0.2, onGraph: 0.12 })
    const gains = gainsOf(questions)
    const observed = Math.abs(meanOf(gains)) - 1e-12
    const flips = Array.from({ length: 2 ** gains.length }, (_, mask) =>
      Math.abs(meanOf(gains.map((gain, index) => ((mask >> index) & 1 ? -gain : gain)))),
    )
    const p = flips.filter((mean) => mean >= observed).length / flips.length
    expect((await judge(questions)).pairs[0]!.p).toBeCloseTo(p, 12)
    expect(p).toBeGreaterThan(0)
  })

  test('is contradicted by a larger gain on the graph; the direction of the metric is respected', async () => {
    expect(await judge(planted(60, { onDense: 0, onGraph: 0.2 }))).toMatchObject({ outcome: 'contradicted' })
    const questions = planted(60, { onDense: 0.2, onGraph: 0 })
    expect(await judge(questions, paperOf('lower'))).toMatchObject({ outcome: 'contradicted' })
  })

  test('compares only questions that all four rows have', async () => {
    const questions: readonly Values[] = planted(40, { onDense: 0.3, onGraph: 0 })
    const torn = questions.map(({ graph, ...values }, index) => (index < 10 ? values : { ...values, graph: graph! }))
    expect((await judge(torn)).pairs).toMatchObject([{ questions: 30 }])
  })

  test.each([
    [[40, 60, 70, 75], 'supported'],
    [[40, 45, 70, 75], 'equal numbers'],
    [[40, 42, 70, 75], 'contradicted'],
    [[40, 60], 'no number'],
  ])('has for the printed numbers %j the outcome %s', (printed, outcome) => {
    const paper = paperOf('higher', printed)
    expect(printedOutcome(paper, paper.claims[0]!)).toBe(outcome)
  })
})

test.each([
  [{ dense: 100, agent: 105, graph: 109, walker: 100 }, []],
  [
    { dense: 100, agent: 105, graph: 120, walker: 100 },
    [
      'a: mean context tokens differ by more than 10 %: dense 100, agent 105, graph 120, walker 100. A gain may come from the amount of text.',
    ],
  ],
])('a claim on gains compares rows that read equal amounts of text: %j', async (tokens, notes) => {
  const { trials } = madeRun({ rows: Object.fromEntries(names.map((method) => [method, { q: 1 }])) })
  const read = trials.map((trial) => {
    const count = tokens[trial.method as 'dense']
    const passage = { text: '', score: 0, from: [], documents: [], spans: [], kind: 'facts' as const, tokens: count }
    return { ...trial, methodId: trial.method, context: [passage] }
  })
  const runs = new Map([['a', { table: await tableOf(manifest, journalsOf({ trials: read })) }]])
  expect(contextNotes(paperOf(), runs)).toEqual(notes)
})

test('does not separate rows whose printed bars overlap', () => {
  const paper = paperOf('higher', [40, 60, 70, 75])
  const outcomeOf = (order: readonly string[], bars?: string) =>
    printedOutcome(paper, { ...claim, order: [...order], bars })
  expect(outcomeOf(['Agent on graph', 'Graph'])).toBe('supported')
  expect(outcomeOf(['Agent on graph', 'Graph'], '10%')).toBe('its bars overlap')
  expect(outcomeOf(['Agent', 'Dense'], '10%')).toBe('supported')
  expect(outcomeOf(['Dense', 'Agent'], '10%')).toBe('contradicted')
})
