import { expect, test } from 'vitest'
import type { Stop, TrialLine } from '../../records.ts'
import { madeRun, questionsWith } from '../../test-support/fake-run.ts'
import { rowSum } from './row-summary.ts'

/** A trial of an agent: the turn and the evidence of each passage of its ranking. */
const trial = (
  ranking: readonly (readonly [turn: number, ...evidence: number[]])[],
  inContext: number,
  stopped = 'answered',
) => {
  const passage = { score: 0, from: [], kind: 'chunk', text: '', tokens: 0, spans: [] }
  const passages = ranking.map(([, ...evidence]) => ({ ...passage, evidence }))
  const why = {
    stopped,
    calls: 3,
    observedTokens: 50,
    repeated: 1,
    malformed: 0,
    queries: ['a', 'b'],
    'turns of passages': ranking.map(([turn]) => turn),
  }
  const context = passages.slice(0, inContext).map((passage, rank) => ({ ...passage, ...(rank === 0 && { why }) }))
  const rest = { line: 'trial', repeat: 0, answer: {}, beyond: passages.slice(inContext) }
  return { ...rest, context, question: { evidence: [{}, {}], reference: { kind: 'answer' } } } as unknown as TrialLine
}

test('computes the recall of an agent by turn, and the recall that the budget leaves', () => {
  const sum = rowSum()
  sum.add(trial([[2, 1], [1, 0], [1]], 1))
  sum.add(
    trial(
      [
        [1, 0],
        [1, 0],
      ],
      2,
      'turns',
    ),
  )
  expect(sum.summary().agent).toMatchObject({
    questions: 2,
    calls: 3,
    searches: 2,
    newPassagesPerSearch: 5 / 4,
    stops: { answered: 1, turns: 1 },
    recallByTurn: [0.5, 0.75],
    contextRecall: 0.5,
  })
})

test('counts a context as cut off only where a token limit ended it', () => {
  const { trials } = madeRun({ rows: { a: questionsWith(6, () => 1) } })
  const stops: readonly Stop[] = ['end', 'passages', 'passages', 'tokens', 'end', 'passages']
  const sum = rowSum()
  for (const [index, trial] of trials.entries()) sum.add({ ...trial, stopped: stops[index] ?? 'end' })
  expect(sum.summary()).toMatchObject({ trials: 6, cutContexts: 1 })
})
