import { describe, expect, test } from 'vitest'
import { choke } from '../scorers/choke.ts'
import { failureCause } from '../scorers/failure-cause.ts'
import { pairwise } from '../scorers/pairwise.ts'
import { squad } from '../scorers/squad.ts'
import { summaryShare } from '../scorers/summary-share.ts'
import type { ScorerColumn } from '../types.ts'
import { findAnyMetric, findMetric, nearest, unknownName } from './names.ts'

const columnsOf = ({ columns }: { readonly columns: unknown }): readonly ScorerColumn[] =>
  columns as readonly ScorerColumn[]
const columnsWith = ({ columns }: { readonly columns: unknown }, options: object): readonly ScorerColumn[] =>
  (columns as (options: object) => readonly ScorerColumn[])(options)

const scorers = [
  { scorer: 'squad', columns: columnsWith(squad, { language: 'auto' }) },
  { scorer: 'choke', columns: columnsOf(choke) },
  { scorer: 'pairwise', columns: columnsWith(pairwise, { criteria: ['directness'] }) },
  { scorer: 'summary-share', columns: columnsOf(summaryShare) },
  { scorer: 'failure-cause', columns: columnsOf(failureCause), failures: true as const },
]

describe('a metric without a better direction', () => {
  const comparable = '(comparable: exactMatch, f1, acceptance, correct, directness, directnessWins)'

  test.each(['wrong', 'answerer', 'call failed', 'choke', 'inaccurate', 'invalid', 'ties', 'flips', 'summaryShare'])(
    '%s: is refused, with those that rows can be compared on',
    (name) => {
      expect(findMetric(name, scorers)).toBe(
        `the metric "${name}" has no better direction: more of it is not better ${comparable}`,
      )
    },
  )

  test('is rejected by full name, and as the only metric', () => {
    const causes = scorers.filter(({ scorer }) => scorer === 'failure-cause')
    expect(findMetric('failure-cause.wrong', causes)).toBe(
      'the metric "failure-cause.wrong" has no better direction: more of it is not better (comparable: none)',
    )
    expect(findMetric('choke.choke', scorers)).toMatch(
      / \(comparable: squad\.exactMatch, squad\.f1, choke\.acceptance, choke\.correct, pairwise\.directness, pairwise\.directnessWins\)$/,
    )
  })

  test('can be named where no direction is needed', () => {
    expect(findAnyMetric('wrong', scorers)).toEqual({ scorer: 'failure-cause', metric: 'wrong' })
    expect(findAnyMetric('lengthRatio', scorers)).toEqual({ scorer: 'pairwise', metric: 'lengthRatio' })
    expect(findAnyMetric('wrongs', scorers)).toMatch(/^unknown metric "wrongs"; did you mean "wrong"\?/)
    expect(findAnyMetric('f1', [...scorers, { scorer: 'musique', columns: [{ metric: 'f1' }] }])).toBe(
      '"f1" is a metric of several scorers; name squad.f1 or musique.f1',
    )
  })
})

test.each([
  ['correct', 'correct'],
  ['choke.correct', 'correct'],
  ['correct per run', 'correct'],
  ['acceptance', 'acceptance'],
])('%s is the metric %s', (name, metric) => expect(findMetric(name, scorers)).toEqual({ scorer: 'choke', metric }))

const known = ['bm25', 'vector', 'closed-book', 'full-context']

test.each([
  ['bm52', 'bm25'],
  ['VECTOR', 'vector'],
  ['closedbook', 'closed-book'],
  ['full_context', 'full-context'],
  ['graphrag', undefined],
  ['', undefined],
])('%j probably meant %j', (name, expected) => expect(nearest(name, known)).toBe(expected))

test('lists the known names for an unknown one', () => {
  expect(unknownName('method', 'bm52', ['bm25', 'vector'])).toBe(
    'unknown method "bm52"; did you mean "bm25"? (known: bm25, vector)',
  )
  expect(unknownName('method', 'xyzzy', ['bm25'])).toBe('unknown method "xyzzy" (known: bm25)')
})
