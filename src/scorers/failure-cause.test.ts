import { describe, expect, test } from 'vitest'
import { fakeModels } from '../testing/fake-models.ts'
import type { EvidencePlace, Outcome, Question, ScorerInput } from '../types.ts'
import { failureCause, causeOfEvidence, evidenceSets } from './failure-cause.ts'
import { contextPassage } from '../test-support/context-passage.ts'
const passage = contextPassage('Cats purr.', { from: ['c'] })
const question: Question = {
  id: 'q',
  text: 'Who purrs?',
  evidence: [{ documentId: 'd', text: 'Cats purr.' }],
  reference: { kind: 'answer', accepted: [{ text: 'old cats' }] },
}
const [wrong, right] = [
  { scorer: 'squad', value: 0.2 },
  { scorer: 'squad', value: 0.5 },
]
const place = (context: 'whole' | 'part' | 'none', ranking: 'whole' | 'part' | 'none' = context): EvidencePlace => ({
  context,
  ranking,
})
const oracle = (...scores: readonly (typeof wrong)[]) => ({ scores, answer: 'dogs' })
const usual: Outcome = { scores: [wrong], oracle: oracle(right), evidence: [place('whole')], deep: true }

const score = (outcome: Partial<Outcome>, input: Partial<ScorerInput> = {}, options: object = {}) =>
  failureCause.score(
    { question, context: [passage], answer: { text: 'dogs' }, outcome: { ...usual, ...outcome }, ...input },
    fakeModels(),
    failureCause.options.parse(options),
  )

async function causeOf(...asked: Parameters<typeof score>): Promise<unknown> {
  const scored = await score(...asked)
  if ('skipped' in scored) return scored.skipped
  const { wrong: isWrong, answererUntold: _a, beyondUntold: _b, ...causes } = scored.metrics
  const found = Object.keys(causes).filter((cause) => causes[cause] === 1)
  expect(found).toHaveLength(Number(isWrong))
  return found[0] ?? 'right'
}

describe('the cause of a wrong answer', () => {
  test.each<[string, Partial<Outcome>, Partial<ScorerInput>, string]>([
    ['failed', { failed: true, scores: [] }, {}, 'the trial failed'],
    ['disagree', { scores: [wrong, { scorer: 'judge', value: 1 }] }, {}, 'another scorer says that it is right'],
    ['disagree', {}, { answer: { text: 'They are the Old Cats!' } }, 'the reference stands in it'],
    ['answerer', { oracle: oracle(wrong), evidence: [place('none')] }, {}, 'the oracle row is wrong, too'],
    [
      'unused',
      { oracle: { ...oracle(wrong), answer: 'It is old cats.' } },
      {},
      "the reference stands in the oracle's answer",
    ],
    [
      'unused',
      { oracle: oracle(wrong, { scorer: 'judge', value: 1 }) },
      {},
      "another scorer says that the oracle's is right",
    ],
    ['answerer', { isOracle: true }, {}, 'it is the oracle row'],
    ['nothing', { evidence: [place('none')] }, { context: [] }, 'no context'],
    ['unranked', { evidence: [place('none')] }, {}, 'nowhere in the ranking'],
    ['cut', { evidence: [{ cut: true, context: 'part', ranking: 'whole' }] }, {}, 'one half is there'],
    ['beyond', { evidence: [place('none', 'whole')] }, {}, 'ranked too low'],
    ['unused', {}, {}, 'it was there'],
    ['right', { scores: [right] }, {}, 'the bound counts as right'],
  ])('%s: %#', async (cause, outcome, input) => {
    expect(await causeOf(outcome, input)).toBe(cause)
  })

  test('uses the scorer of the option', async () => {
    const scores = [right, { scorer: 'judge', value: 0.4 }]
    expect(await causeOf({ scores })).toBe('right')
    expect(await causeOf({ scores }, {}, { by: 'judge' })).toBe('disagree')
    expect(await causeOf({ scores }, {}, { by: 'rouge' })).toBe('rouge has no score for this answer')
  })

  test('ignores yes or no within an answer', async () => {
    const accepted = [{ text: 'No', type: 'boolean' as const }]
    const asked = { ...question, reference: { kind: 'answer' as const, accepted } }
    expect(await causeOf({}, { question: asked, answer: { text: 'no one knows' } })).toBe('unused')
  })

  test('is skipped with a reason if it cannot be determined', async () => {
    const { evidence: _evidence, ...bare } = question
    expect(await causeOf({}, { question: bare })).toBe('the dataset gives no evidence for this question')
    expect(await causeOf({}, { question: { ...question, evidence: [] } })).toBe('no evidence supports an answer')
    expect(await causeOf({ context: 'none' })).toBe('the row is asked without a context on purpose')
    expect(await causeOf({ evidence: [{ absent: true }] })).toBe('the evidence stands in no document word for word')
    const { evidence: _places, ...earlier } = usual
    expect(await score({}, { outcome: earlier })).toMatchObject({ skipped: expect.stringContaining('earlier version') })
  })

  test('counts undetermined causes', async () => {
    const { oracle: _oracle, ...alone } = { ...usual, evidence: [place('none')] }
    expect(await score({}, { outcome: { ...alone, deep: false } })).toMatchObject({
      metrics: { unranked: 1, answererUntold: 1, beyondUntold: 1 },
    })
    expect(await score({})).toMatchObject({ metrics: { answererUntold: 0, beyondUntold: 0 } })
  })

  test.each<[string, Partial<Outcome>]>([
    ['right', { scores: [right] }],
    ['of a failed trial', { failed: true, scores: [] }],
    ['right by another scorer', { scores: [wrong, { scorer: 'judge', value: 1 }] }],
  ])('has no cause to report for an answer that is %s', async (_what, outcome) => {
    const { oracle: _oracle, ...alone } = usual
    expect(await score({}, { outcome: { ...alone, ...outcome, deep: false } })).toMatchObject({
      metrics: { answererUntold: 0, beyondUntold: 0 },
    })
  })
})

test('prefers unranked over cut over beyond the budget', () => {
  const [gone, low, there] = [place('none'), place('none', 'whole'), place('whole')]
  const cut = { cut: true, context: 'part', ranking: 'part' } as const
  expect(causeOfEvidence([low, cut, gone], [[0, 1, 2]])).toBe('unranked')
  expect(causeOfEvidence([low, cut, there], [[0, 1, 2]])).toBe('cut')
  expect(causeOfEvidence([low, there, { absent: true }], [[0, 1, 2]])).toBe('beyond')
  expect(causeOfEvidence([{ cut: true, context: 'none', ranking: 'part' }], [[0]])).toBe('beyond')
})

test("one annotator's evidence suffices", () => {
  const [one, two] = [
    { documentId: 'd', text: 'one' },
    { documentId: 'd', text: 'two' },
  ]
  const accepted = [
    { text: 'a', evidence: [one] },
    { text: 'b', evidence: [two] },
  ]
  const sets = evidenceSets({ ...question, evidence: [one, two], reference: { kind: 'answer', accepted } })
  expect(sets).toEqual([[0], [1]])
  expect(causeOfEvidence([place('none'), place('whole')], sets)).toBe('unused')
  expect(evidenceSets({ ...question, evidence: [one, two] })).toEqual([[0, 1]])
})
