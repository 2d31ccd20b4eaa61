import { expect, test } from 'vitest'
import { testScorer } from '../testing/scorer.ts'
import { accuracy } from './accuracy.ts'
import { scorers } from './index.ts'
import { qasperF1 } from './qasper-f1.ts'
import { retrieval } from './retrieval.ts'
import { squad } from './squad.ts'

testScorer(accuracy, { ranges: { sat: [-1 / 3, 1] } })
testScorer(qasperF1)
testScorer(squad)
testScorer(squad, { options: { version: 2 } })
testScorer(retrieval)
testScorer(retrieval, { options: { unit: 'document' } })
testScorer(retrieval, { options: { unit: 'evidence' } })

test('the menu names every scorer once, in order', () => {
  const names = scorers.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)].sort())
})
