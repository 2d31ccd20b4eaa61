import { afterAll, expect, test } from 'vitest'
import { walk } from '../test-support/walk.ts'
import { offlineModels } from '../testing/offline-models.ts'
import type { ScorerCase } from '../testing/scorer.ts'
import { testScorer } from '../testing/suites.ts'
import { scorers } from './index.ts'

const offline = await offlineModels()
afterAll(() => offline.close())

/** Options, and models where they are not the offline ones, with which every scorer is checked. */
const fixtures: Readonly<Record<string, readonly ScorerCase[]>> = {
  accuracy: [{}],
  'answer-relevancy': [{}],
  'bert-score': [{}, { options: { idf: true } }, { options: { baseline: { precision: 0.3, recall: 0.3, f1: 0.3 } } }],
  choke: [{}, { options: { shortcutIdentical: true } }],
  contains: [{}],
  'context-precision': [{}, { options: { by: 'evidence' } }],
  'context-recall': [{}],
  correct: [{}],
  'factual-correctness': [{}, { options: { mode: 'precision' } }, { options: { mode: 'recall', beta: 2 } }],
  'failure-cause': [{}, { options: { by: 'accuracy', wrongBelow: 1, quoted: false } }],
  faithfulness: [{}],
  musique: [{}],
  pairwise: [{}, { options: { criteria: ['directness', 'comprehensiveness'] } }],
  'qasper-f1': [{}],
  retrieval: [{}, { options: { unit: 'document' } }, { options: { unit: 'evidence' } }],
  rouge: [{}, { options: { stemmer: false, split: 'sentences', creditCanned: true } }],
  squad: [{}, { options: { version: 2 } }],
  'summary-share': [{}],
}

walk(await scorers.all(), fixtures, 'src/scorers/scorers.test.ts', (scorer, fixture) =>
  testScorer(scorer, { models: offline.models, ...fixture }),
)

test('the menu names scorers in order', () => {
  expect(scorers.names).toEqual([...scorers.names].sort())
})
