import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inReferenceData } from '../test-support/dataset-copies/reference-data.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { ragcheckerMeasures, ragchecker } from './ragchecker.ts'
import { contextPassage } from '../test-support/context-passage.ts'

interface Checked {
  readonly answer2response: readonly string[]
  readonly response2answer: readonly string[]
  readonly retrieved2response: readonly (readonly string[])[]
  readonly retrieved2answer: readonly (readonly string[])[]
  readonly metrics: Readonly<Record<string, number>>
}

const isEntailed = (label: string): boolean => label === 'Entailment'

const measuresOf = (one: Checked) =>
  ragcheckerMeasures({
    answerByReference: one.answer2response.map(isEntailed),
    referenceByAnswer: one.response2answer.map(isEntailed),
    answerByPassages: one.retrieved2response.map((labels) => labels.map(isEntailed)),
    referenceByPassages: one.retrieved2answer.map((labels) => labels.map(isEntailed)),
  })

const theirNames: Readonly<Record<string, string>> = {
  claimPrecision: 'precision',
  claimCoverage: 'recall',
  claimF1: 'f1',
  claimRecall: 'claim_recall',
  contextPrecision: 'context_precision',
  contextUtilisation: 'context_utilization',
  noiseRelevant: 'noise_sensitivity_in_relevant',
  noiseIrrelevant: 'noise_sensitivity_in_irrelevant',
  hallucination: 'hallucination',
  selfKnowledge: 'self_knowledge',
  claimFaithfulness: 'faithfulness',
}

const [E, N, C] = ['Entailment', 'Neutral', 'Contradiction']

/** In their form. Passages: the first is relevant, the second not. Of the claims: right, invented, two from noise. */
const invented = {
  answer2response: [E, N, C, N],
  response2answer: [E, N],
  retrieved2response: [
    [E, N],
    [N, N],
    [E, E],
    [N, E],
  ],
  retrieved2answer: [
    [E, N],
    [N, C],
  ],
} as const

test('matches counts by hand; noise of relevant and irrelevant passages is disjoint', () => {
  expect(measuresOf({ ...invented, metrics: {} })).toEqual({
    claimPrecision: 0.25,
    claimCoverage: 0.5,
    claimF1: 1 / 3,
    claimRecall: 0.5,
    contextPrecision: 0.5,
    contextUtilisation: 1,
    noiseRelevant: 0.25,
    noiseIrrelevant: 0.25,
    hallucination: 0.25,
    selfKnowledge: 0,
    claimFaithfulness: 0.75,
  })
})

test('omits shares over nothing', () => {
  const none = { answerByReference: [], referenceByAnswer: [false], answerByPassages: [], referenceByPassages: [[]] }
  expect(ragcheckerMeasures(none)).toEqual({ claimF1: 0, claimPrecision: 0, claimCoverage: 0 })
})

test.each(inReferenceData(['recorded/ragchecker/examples/checking_outputs.json']))(
  "reproduces the reference's example",
  (file) => {
    const { results } = JSON.parse(readFileSync(file, 'utf8')) as { results: readonly Checked[] }
    expect(results).toHaveLength(2)
    for (const one of results) {
      const measures = measuresOf(one)
      for (const [own, theirs] of Object.entries(theirNames))
        expect(measures[own], own).toBeCloseTo(one.metrics[theirs] ?? NaN, 12)
    }
  },
)

test('checks claims against the other text and each passage', async () => {
  const checked: unknown[] = []
  const models = fakeModels({
    replies: {
      'decompose-claims': (input) => ({ claims: [(input as { text: string }).text] }),
      'verify-claims': (input) => {
        const { claims, context } = input as { claims: string[]; context: string }
        checked.push([claims, context])
        return { statements: claims.map((statement) => ({ statement, reason: '', verdict: context === 'P1' ? 1 : 0 })) }
      },
    },
  })
  const question = { id: 'q', text: 'Q?', reference: { kind: 'answer' as const, accepted: [{ text: 'R' }] } }
  const asked = { question, answer: { text: 'A' }, context: [contextPassage('P1'), contextPassage('P2')] }
  const score = await ragchecker.score(asked, models, {})
  expect(checked).toHaveLength(6)
  expect(score).toMatchObject({ metrics: { claimF1: 0, claimRecall: 1, contextPrecision: 0.5, noiseRelevant: 1 } })
})
