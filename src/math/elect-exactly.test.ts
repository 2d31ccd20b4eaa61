import { expect, test } from 'vitest'
import { electExactly } from './voting.ts'

test('19 candidates have 11628 committees of five: too many to try; 18 have 8568', () => {
  const message = '19 candidates have too many committees of 5 to try every one (10000 at most)'
  expect(() => electExactly({ candidates: 19, ballots: [] }, 5, 'cc')).toThrow(message)
  expect(electExactly({ candidates: 18, ballots: [[17]] }, 5, 'cc')).toMatchObject({ committee: [0, 1, 2, 3, 17] })
})
