import {
  answerRelevancy,
  contextPrecision,
  shareOf,
  factualCorrectness,
  fBetaOfCounts,
  type FactualMode,
} from '../ragas/claims.ts'
import { notOurs, replayGolden } from '../../../test-support/golden.ts'

/** RAGAS' formulas. The vectors hold other verdicts than 1, which are true there, as Python has it. */
replayGolden({
  'ragas.factual_correctness': factual,
  'ragas.faithfulness': ({ verdicts }: { verdicts: Verdicts }) => ({ score: shareOf(verdicts.map(Boolean)) }),
  'ragas.context_precision': ({ verdicts }: { verdicts: Verdicts }) => ({
    score: contextPrecision(verdicts.map(Boolean)),
  }),
  'ragas.context_recall': ({ attributed }: { attributed: Verdicts }) => ({
    score: shareOf(attributed.map(Boolean)),
  }),
  'ragas.answer_relevancy': relevancy,
  'ragas.fbeta': ({ tp, fp, fn, beta }: { tp: number; fp: number; fn: number; beta: number }) => ({
    score: fBetaOfCounts(tp, fp, fn, beta),
  }),
})

type Verdicts = readonly (number | boolean)[]

interface Factual {
  readonly response_claim_verdicts: Verdicts
  readonly reference_claim_verdicts: Verdicts
  readonly mode: FactualMode
  readonly beta: number
}

function factual({ response_claim_verdicts, reference_claim_verdicts, mode, beta }: Factual) {
  const verdicts = {
    response: response_claim_verdicts.map(Boolean),
    reference: reference_claim_verdicts.map(Boolean),
  }
  const now = factualCorrectness(verdicts, mode, beta)
  // older versions fail without claims, and divide otherwise
  const older = { 'ragas_0.2.10': notOurs, 'ragas_0.2.0': notOurs }
  return { ...now, by_version: { 'ragas_0.4.0': now.value, 'ragas_0.2.15': now.value, ...older } }
}

interface Relevancy {
  readonly question_embedding: readonly number[]
  readonly generated_question_embeddings: readonly (readonly number[])[]
  readonly noncommittal: Verdicts
  readonly generated_questions: readonly string[]
}

function relevancy(input: Relevancy) {
  const generated = input.generated_questions.map((text, index) => ({
    text,
    noncommittal: Boolean(input.noncommittal[index]),
    embedding: input.generated_question_embeddings[index] ?? [],
  }))
  return { score: answerRelevancy(input.question_embedding, generated) }
}
