import { sharedCount } from '../answers/token-f1.ts'
import { rougeScore, type RougeScore } from './score.ts'

/** ROUGE-N: runs of n tokens that both share, each as often as in both (google-research rouge_scorer.py, _score_ngrams). */
export function rougeN(reference: readonly string[], prediction: readonly string[], n: number): RougeScore {
  const wanted = ngrams(reference, n)
  const predicted = ngrams(prediction, n)
  return rougeScore(sharedCount(predicted, wanted), predicted.length, wanted.length)
}

const ngrams = (tokens: readonly string[], n: number): string[] =>
  Array.from({ length: Math.max(0, tokens.length - n + 1) }, (_, start) => tokens.slice(start, start + n).join(' '))
