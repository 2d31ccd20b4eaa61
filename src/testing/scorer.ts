import { describe, expect, test } from 'vitest'
import type { Asked, ContextPassage, Kind, Models, Reference, Score, Scorer } from '../types.ts'
import { fakeModels } from './fake-models.ts'

export interface ScorerCase {
  readonly options?: unknown
  /** Least and greatest value of a metric, by its name up to `@`; 0 and 1 where none is stated. */
  readonly ranges?: Readonly<Record<string, readonly [least: number, greatest: number]>>
  /** Models for one scoring; needed by a judge, who asks tasks. */
  readonly models?: () => Models
  /** Questions of the scorer's own besides those that every scorer is given. */
  readonly asked?: readonly Asked[]
}

/** What every scorer promises, as a suite of tests: call it at the top of a test file. */
export function testScorer(scorer: Scorer, how: ScorerCase = {}): void {
  const { options: given = {}, ranges = {}, models = fakeModels, asked = [] } = how
  const options = scorer.options.parse(given)
  const all = [...scorer.kinds.flatMap(askedOfKind), ...asked]
  const score = (one: Asked): Promise<Score> => scorer.score(one, models(), options)

  describe(`scorer ${scorer.name}`, () => {
    test('says what it measures and after whom', () => {
      expect(scorer.name).toMatch(/^[a-z][a-z0-9-]*$/)
      expect(scorer.version).toBeGreaterThanOrEqual(1)
      expect(scorer.summary).toMatch(/\.$/)
      expect(scorer.source).not.toBe('')
      expect(scorer.kinds).not.toEqual([])
    })

    test('needs no option and refuses an unknown one', () => {
      expect(scorer.options.safeParse({}).success).toBe(true)
      expect(scorer.options.safeParse({ 'no such option': 1 }).success).toBe(false)
    })

    test('scores every question or says why not, in numbers within their range', async () => {
      for (const one of all) {
        const scored = await score(one)
        if ('skipped' in scored) expect(scored.skipped).not.toBe('')
        else for (const [metric, value] of Object.entries(scored.metrics)) expectWithin(ranges, metric, value)
      }
    })

    test('shows columns that it can fill', async () => {
      const scores = await Promise.all(all.map(score))
      const metrics = new Set(scores.flatMap((one) => ('metrics' in one ? Object.keys(one.metrics) : [])))
      expect(metrics.size).toBeGreaterThan(0)
      expect([...new Set(scorer.columns.map(({ metric }) => metric))].filter((metric) => !metrics.has(metric))).toEqual(
        [],
      )
    })

    test('gives the same twice', async () => {
      for (const one of all) expect(await score(one)).toEqual(await score(one))
    })

    test('leaves what it is given as it was', async () => {
      for (const one of all) await expect(score(deepFrozen(structuredClone(one)))).resolves.toBeDefined()
      expect(() => deepFrozen(options)).not.toThrow()
    })
  })
}

function expectWithin(ranges: NonNullable<ScorerCase['ranges']>, metric: string, value: number): void {
  const [least, greatest] = ranges[metric.split('@')[0] ?? metric] ?? [0, 1]
  expect(value, metric).toBeGreaterThanOrEqual(least)
  expect(value, metric).toBeLessThanOrEqual(greatest)
}

/** Answers good, bad, empty, canned and in no known letters, each with contexts full, odd and empty, and with evidence, none, or none named. */
function askedOfKind(kind: Kind): Asked[] {
  const [evidence, relevant] = [[{ documentId: 'cats', text: 'Cats purr.' }], ['cats:0']]
  const supports = [{ evidence, relevant }, { evidence: [], relevant: [] }, {}]
  return references[kind].flatMap((reference) =>
    supports.flatMap(({ evidence, relevant }) =>
      contexts.flatMap((context) =>
        answers.map((answer) => ({
          question: { id: 'q', text: 'Who purrs?', reference, ...(evidence && { evidence }) },
          context,
          answer,
          ...(relevant && { relevant }),
        })),
      ),
    ),
  )
}

const references: Readonly<Record<Kind, readonly Reference[]>> = {
  choice: [{ kind: 'choice', options: ['cats', 'dogs', 'the', 'both'], correct: 0 }],
  answer: [
    {
      kind: 'answer',
      accepted: [
        { text: 'Cats', type: 'extractive', evidence: [{ documentId: 'cats', text: 'Cats purr.' }] },
        { text: 'cats, and kittens', type: 'abstractive', evidence: [] },
      ],
    },
    { kind: 'answer', accepted: [{ text: 'Unanswerable', type: 'unanswerable' }] },
    { kind: 'answer', accepted: [{ text: 'the' }] },
    { kind: 'answer', accepted: [] },
  ],
  summary: [
    { kind: 'summary', accepted: ['Cats purr.\nDogs bark.', ''] },
    { kind: 'summary', accepted: [] },
  ],
  turn: [{ kind: 'turn', accepted: 'Cats do.' }],
}

const answers: readonly Asked['answer'][] = [
  { text: 'Cats', choice: 0 },
  { text: 'dogs', choice: 1 },
  { text: '', choice: null },
  { text: 'Unanswerable', choice: null, canned: true },
  { text: '猫 \u0301\u0000 🐈 ...', choice: null },
]

const chunk: ContextPassage = {
  text: 'Cats purr.',
  score: 0.5,
  from: ['cats:0'],
  kind: 'chunk',
  tokens: 3,
  documents: ['cats'],
  evidence: [0],
}

const contexts: readonly (readonly ContextPassage[])[] = [
  [chunk, { ...chunk, from: ['dogs:0'], documents: ['dogs'], evidence: [] }],
  [
    { ...chunk, kind: 'summary', from: ['cats:0', 'dogs:0'], documents: ['cats', 'dogs'], score: -1 },
    { ...chunk, kind: 'facts', from: [], documents: [], evidence: [] },
    chunk,
    chunk,
  ],
  [],
]

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFrozen)
  return value
}
