import { fileOf } from '../test-support/dataset-copies/write-files.ts'
import { walk } from '../test-support/walk.ts'
import type { ScorerCase } from '../testing/scorer.ts'
import { testScorer } from '../testing/index.ts'
import { scorers } from './index.ts'

const scores = { relevance_score: 1, utilization_score: 1, completeness_score: 1, adherence_score: true }
const labelsFile = fileOf({ question: 'Who purrs?', response: 'Cats', ...scores })
const assertionsFile = fileOf([{ question_id: 'q', assertions: [{ statement: 'Cats purr.' }] }])

/** Options with which a scorer is checked beside its defaults. */
const fixtures: Readonly<Record<string, readonly ScorerCase[]>> = {
  assertions: [{ options: { file: assertionsFile } }],
  labels: [{ options: { file: labelsFile } }],
  'bert-score': [{ options: { idf: true } }, { options: { baseline: { precision: 0.3, recall: 0.3, f1: 0.3 } } }],
  'failure-cause': [{ options: { by: 'accuracy' } }],
  'must-contain': [
    {
      asked: ['Cats purr.', 'Dogs bark.'].map((text) => ({
        question: {
          id: 'q',
          text: 'Who purrs?',
          reference: { kind: 'answer', accepted: [] },
          mustContain: ['cats'],
          mustNotContain: ['bark'],
        },
        context: [],
        answer: { text, choice: null },
      })),
    },
  ],
  pairwise: [{ options: { criteria: ['directness', 'comprehensiveness'] } }],
  retrieval: [{ options: { unit: 'document' } }, { options: { unit: 'evidence' } }],
  'qasper-f1': [{ options: { textEvidenceOnly: true, creditCanned: true } }],
  rouge: [{ options: { stemmer: false } }],
  squad: [{ options: { version: 2 } }, { options: { language: 'th' } }],
}

/** These have no file, or no question with assertions, by default. */
const withoutDefaults = ['assertions', 'labels', 'must-contain']
const cases = Object.fromEntries(
  scorers.names.map((name): [string, readonly ScorerCase[]] => [name, withoutDefaults.includes(name) ? [] : [{}]]),
)
for (const [name, own] of Object.entries(fixtures)) cases[name] = [...(cases[name] ?? []), ...own]
walk(await scorers.all(), cases, 'src/scorers/scorers.test.ts', testScorer)
