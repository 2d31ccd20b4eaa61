import { inCommon, tokensOf } from './answer-text.ts'

/** One annotator's answer as get_answers_and_evidence gives it: nobody who finds a question unanswerable has evidence. */
export interface QasperReference {
  readonly answer: string
  readonly evidence: readonly string[]
}

/** Answer F1 and Evidence F1 of one question: two maxima over the annotators (allenai/qasper-led-baseline, scripts/evaluator.py). */
export function qasperScores(
  predicted: QasperReference,
  references: readonly QasperReference[],
): { readonly answerF1: number; readonly evidenceF1: number } {
  return {
    answerF1: Math.max(...references.map(({ answer }) => tokenF1Score(predicted.answer, answer))),
    evidenceF1: Math.max(...references.map(({ evidence }) => paragraphF1Score(predicted.evidence, evidence))),
  }
}

/** token_f1_score: 0 where no token is shared, also for two empty answers. SQuAD 1.1 has the same. */
export function tokenF1Score(prediction: string, truth: string): number {
  const [predicted, wanted] = [tokensOf(prediction), tokensOf(truth)]
  const same = inCommon(predicted, wanted)
  if (same === 0) return 0
  const [precision, recall] = [same / predicted.length, same / wanted.length]
  return (2 * precision * recall) / (precision + recall)
}

/** paragraph_f1_score: sets overlap, lists divide. */
function paragraphF1Score(predicted: readonly string[], wanted: readonly string[]): number {
  if (wanted.length === 0 && predicted.length === 0) return 1
  const same = new Set(wanted).size + new Set(predicted).size - new Set([...wanted, ...predicted]).size
  if (same === 0) return 0
  const [precision, recall] = [same / predicted.length, same / wanted.length]
  return (2 * precision * recall) / (precision + recall)
}
