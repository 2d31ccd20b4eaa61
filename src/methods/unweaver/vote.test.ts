import { expect, test } from 'vitest'
import { greedyBecause, vote, votingRules } from './unweaver.ts'

const options = { voting: 'weighted', seats: 5 } as const

// three voters for 1 and 2, one for 3, one for 3 and 1; nobody for 4
const ballots = [[1, 2], [1, 2], [1, 2], [3], [3, 1]]
const elected = (voting: (typeof votingRules)[number], seats: number) =>
  vote(ballots, { ...options, voting, seats }).map(({ chunk }) => chunk)

test.each([
  ['approval', [1, 2, 3]],
  ['pav', [1, 2, 3]],
  ['chamberlin-courant', [1, 3, 2]],
] as const)('%s elects %j', (voting, expected) => {
  expect(elected(voting, 2)).toEqual(expected.slice(0, 2))
  // more seats than candidates: all of them, and none that nobody names
  expect(elected(voting, 9)).toEqual(expected)
})

test('tries every committee, or traces a greedy election if there are too many', () => {
  // the first member by gains is 0, with which no pair reaches all six voters
  const six = [[0, 1], [0, 1], [0, 2], [0, 2], [1], [2]]
  const both = vote(six, { ...options, voting: 'chamberlin-courant', seats: 2 }).map(({ chunk }) => chunk)
  expect(both).toEqual([1, 2])
  expect(greedyBecause(six, { voting: 'chamberlin-courant', seats: 2 })).toBeUndefined()
  const many = Array.from({ length: 10 }, (_, i) => [i, i + 10, i + 20])
  expect(greedyBecause(many, { voting: 'pav', seats: 5 })).toBe('member by member: more than 10,000 committees')
  expect(greedyBecause(many, { voting: 'approval', seats: 5 })).toBeUndefined()
  expect(vote(many, { ...options, voting: 'pav' })).toHaveLength(5)
})

test('breaks ties by rank, then by chunk', () => {
  expect(vote([[7], [4, 3]], { ...options, voting: 'pav' }).map(({ chunk }) => chunk)).toEqual([7, 3, 4])
})
