import { describe, expect, test } from 'vitest'
import { committeeScore, electExactly } from './voting.ts'

describe('UnWeaver: {c1, c2} three times, {c3}, {c3, c1}', () => {
  const election = { candidates: 4, ballots: [[0, 1], [0, 1], [0, 1], [2], [2, 0]] }

  test.each([
    ['approval', [0, 1], 7, 1],
    ['pav', [0, 1], 5.5, 2],
    ['cc', [0, 2], 5, 2],
  ] as const)('%s', (rule, committee, score, tied) => {
    expect(electExactly(election, 2, rule)).toEqual({ committee, score, tied })
  })

  test('counts tied committees', () => {
    expect(committeeScore(election, [0, 2], 'pav')).toBe(5.5)
    expect(committeeScore(election, [1, 2], 'cc')).toBe(5)
    expect(committeeScore(election, [0, 1], 'cc')).toBe(4)
  })
})

test('19 candidates have 11628 committees of five: too many to try; 18 have 8568', () => {
  const message = '19 candidates have too many committees of 5 to try every one (10000 at most)'
  expect(() => electExactly({ candidates: 19, ballots: [] }, 5, 'cc')).toThrow(message)
  expect(electExactly({ candidates: 18, ballots: [[17]] }, 5, 'cc')).toMatchObject({ committee: [0, 1, 2, 3, 17] })
})
