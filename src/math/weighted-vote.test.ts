import { describe, expect, test } from 'vitest'
import { weightedVote } from './voting.ts'

const shown = (ballots: readonly (readonly string[])[], k0 = 10) =>
  weightedVote(ballots, k0).map(({ candidate, score }) => [candidate, score])

describe('UnWeaver, by hand', () => {
  test('five votes of four entities', () => {
    expect(shown([['c1'], ['c2', 'c1'], ['c3'], ['c2']])).toEqual([
      ['c1', 0.4],
      ['c2', 0.36],
      ['c3', 0.16],
    ])
  })
  test('repeated names count repeatedly; as sets the order changes', () => {
    expect(shown([['c1'], ['c2', 'c2', 'c2']])).toEqual([
      ['c2', 0.675],
      ['c1', 0.25],
    ])
    expect(shown([['c1'], ['c2']])).toEqual([
      ['c1', 0.5],
      ['c2', 0.45],
    ])
  })
  test('breaks ties by first occurrence', () => {
    expect(shown([['b', 'a'], ['c']]).map(([name]) => name)).toEqual(['b', 'a', 'c'])
    // 1·0.9 and 3·0.3 are equal, though not in floating point
    const late = [[], ['x'], [], [], [], [], [], ['y', 'y', 'y']]
    expect(shown(late).map(([name]) => name)).toEqual(['x', 'y'])
  })
})
