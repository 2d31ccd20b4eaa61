import { expect, test } from 'vitest'
import { disagreements } from '../test-support/answers.ts'
import { containsAnswer } from './contains-answer.ts'

const { ids, hard, share } = disagreements('contains', ({ reference, answer, question }) =>
  [reference].flat().some((text) => containsAnswer(answer, text, question)),
)

test('at least 97 % of the gold cases that need no language model agree', () =>
  expect(share, ids.join()).toBeLessThanOrEqual(0.03))

// of other vectors, which "npm run vectors -- FOLDER" names, the share alone is known
test.skipIf(process.env['GEMBENCH_VECTORS'] !== undefined)('of the public cases 12 hard ones alone disagree', () =>
  expect({ ids, hard }).toEqual({ ids: [], hard: 12 }),
)
