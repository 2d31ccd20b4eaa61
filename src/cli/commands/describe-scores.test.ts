import { expect, test } from 'vitest'
import { describeScores } from './run.ts'

test('answers without a score are no scores', () => {
  expect(describeScores({ made: 1, failed: 1, skipped: 0 })).toBe('1 score (1 failed)')
  expect(describeScores({ made: 6, failed: 0, skipped: 6 })).toBe('0 scores (0 failed, 6 not scored)')
})
