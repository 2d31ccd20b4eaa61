import { describe, expect, test } from 'vitest'
import { electExactly, electSequentially, weightedVote } from './voting.ts'

describe('members elected one by one', () => {
  test('breaks ties by lower number', () => {
    const ballots = [[3], [2], [1], [0]]
    expect(electSequentially({ candidates: 4, ballots }, 4, 'pav')).toEqual([0, 1, 2, 3])
  })

  test('treats six times 1/6 and 1 as equal despite rounding', () => {
    const ballots = [...Array.from({ length: 6 }, () => [0, 1, 2, 3, 4, 5]), [6]]
    expect(electSequentially({ candidates: 7, ballots }, 6, 'pav')).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('empty ballots and repeated names do not count', () => {
    expect(electSequentially({ candidates: 2, ballots: [[0, 0, 0], [1], [1], []] }, 1, 'approval')).toEqual([1])
  })
})

test('19 candidates have 11628 committees of five: too many to try; 18 have 8568', () => {
  expect(() => electExactly({ candidates: 19, ballots: [] }, 5, 'cc')).toThrow('19 candidates have too many committees')
  expect(electExactly({ candidates: 18, ballots: [[17]] }, 5, 'cc')).toMatchObject({ committee: [0, 1, 2, 3, 17] })
})

test.each<[string, readonly (readonly string[])[], readonly (readonly [string, number])[]]>([
  [
    'five votes of four entities',
    [['c1'], ['c2', 'c1'], ['c3'], ['c2']],
    [
      ['c1', 0.4],
      ['c2', 0.36],
      ['c3', 0.16],
    ],
  ],
  [
    'repeated names count repeatedly',
    [['c1'], ['c2', 'c2', 'c2']],
    [
      ['c2', 0.675],
      ['c1', 0.25],
    ],
  ],
  [
    'ties by first occurrence: 1·0.9 and 3·0.3 are equal, though not in floating point',
    [[], ['x'], [], [], [], [], [], ['y', 'y', 'y']],
    [
      ['x', 0.225],
      ['y', 0.225],
    ],
  ],
])("UnWeaver's vote by hand: %s", (_, ballots, expected) => {
  expect(weightedVote(ballots, 10).map(({ candidate, score }) => [candidate, score])).toEqual(expected)
})
