import { countEach } from '../../../basics/count-each.ts'
import { commonSubsequence } from './common-subsequence.ts'
import { rougeScore, type RougeScore } from './score.ts'

/** ROUGE-L: the longest common subsequence of two whole texts (google-research rouge_scorer.py, _score_lcs). */
export const rougeL = (reference: readonly string[], prediction: readonly string[]): RougeScore =>
  rougeScore(commonSubsequence(reference, prediction).length, prediction.length, reference.length)

/**
 * ROUGE-Lsum: for every line of the reference the union of its common subsequences with all lines of the prediction; a token
 * counts only as often as both texts have it (rouge_scorer.py, _summary_level_lcs; Lin 2004, section 3.2).
 */
export function rougeLsum(reference: readonly (readonly string[])[], prediction: readonly (readonly string[])[]) {
  const wanted = countEach(reference.flat())
  const predicted = countEach(prediction.flat())
  let hits = 0
  for (const line of reference) {
    const union = new Set(prediction.flatMap((other) => commonSubsequence(line, other)))
    for (const token of [...union].sort((a, b) => a - b).map((index) => line[index] ?? '')) {
      if (take(wanted, predicted, token)) hits++
    }
  }
  return rougeScore(hits, prediction.flat().length, reference.flat().length)
}

/** The lines of a text that ROUGE-Lsum takes for sentences. */
export const summaryLines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** Takes one of the token from both, if both have one left. */
function take(a: Map<string, number>, b: Map<string, number>, token: string): boolean {
  const left = a.get(token) ?? 0
  const right = b.get(token) ?? 0
  if (left <= 0 || right <= 0) return false
  a.set(token, left - 1)
  b.set(token, right - 1)
  return true
}
