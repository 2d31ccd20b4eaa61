import { z } from 'zod'
import { countEach, itemAt, valueOf } from '../basics/collections.ts'
import { defineScorer } from '../define.ts'
import { fBeta, maxima, sharedCount, type Tokens } from './measures/answers/token-f1.ts'
import { stem } from './measures/rouge/porter.ts'
import { columnsInBothForms, forLanguage, inBothForms, noteOnForm } from './shared/answer-language.ts'
import { acceptedTexts, isCredited } from './shared/accepted-answers.ts'

const labels = { rougeL: 'ROUGE-L', rouge1: 'ROUGE-1', rouge2: 'ROUGE-2', rougeLsum: 'ROUGE-Lsum' }

/** ROUGE as rouge-score computes it. The column is F of the best reference; precision and recall are in table.json. */
export const rouge = defineScorer({
  name: 'rouge',
  version: 1,
  summary:
    'F of ROUGE-L, 1, 2 and Lsum; of several references the best, for each measure and each of P, R and F by itself.',
  source:
    'Lin 2004; google-research rouge (rouge_scorer.py@61ce9f0c); several references as ulab-uiuc/GoR@47ac6748, sum_eval.py',
  kinds: ['answer', 'summary'],
  onRequest: ['answer'],
  options: z.strictObject({
    stemmer: z
      .boolean()
      .default(true)
      .describe(
        'Whether words of more than three letters are stemmed (NLTK’s Porter); rouge-score itself does not by default',
      ),
  }),
  forLanguage,
  note: noteOnForm,
  columns: (options) =>
    columnsInBothForms(options, [
      ...Object.entries(labels).map(([metric, label]) => ({ metric, label })),
      ...Object.keys(labels).flatMap((metric) =>
        ['Precision', 'Recall'].map((end) => ({ metric: `${metric}${end}`, shown: false as const })),
      ),
    ]),
  async score(input, _models, { stemmer, ...options }) {
    const references = acceptedTexts(input.question.reference)
    if (references.length === 0) return { skipped: 'the question has no reference answer' }
    const answer = isCredited(input) ? input.answer.text : ''
    const score = (tokens: Tokens): Readonly<Record<string, number>> => {
      const prediction = tokenize(answer, tokens)
      // the maxima of precision, recall and F each (ulab-uiuc/GoR, sum_eval.py)
      return maxima(references.map((reference) => metricsOf(tokenize(reference, tokens), prediction)))
    }
    return { metrics: inBothForms(options, score, (text) => rougeTokens(text, stemmer)) }
  },
})

/** The tokens of a text, and of each of its lines. */
const tokenize = (text: string, tokens: Tokens) => ({ tokens: tokens(text), lines: summaryLines(text).map(tokens) })

type TokenizedText = ReturnType<typeof tokenize>

function metricsOf(reference: TokenizedText, prediction: TokenizedText): Readonly<Record<string, number>> {
  const scores: Readonly<Record<keyof typeof labels, RougeScore>> = {
    rougeL: rougeL(reference.tokens, prediction.tokens),
    rouge1: rougeN(reference.tokens, prediction.tokens, 1),
    rouge2: rougeN(reference.tokens, prediction.tokens, 2),
    rougeLsum: rougeLsum(reference.lines, prediction.lines),
  }
  const metrics = Object.entries(scores).flatMap(([measure, { precision, recall, fmeasure }]) => [
    [measure, fmeasure] as const,
    [`${measure}Precision`, precision] as const,
    [`${measure}Recall`, recall] as const,
  ])
  return Object.fromEntries(metrics)
}

/** ROUGE-L: the longest common subsequence of two whole texts (google-research rouge_scorer.py, _score_lcs). */
export const rougeL = (reference: readonly string[], prediction: readonly string[]): RougeScore =>
  rougeScore(commonSubsequence(reference, prediction).length, prediction.length, reference.length)

/**
 * ROUGE-Lsum: for every line of the reference the union of its common subsequences with all lines of the prediction; a
 * token counts only as often as both texts have it (rouge_scorer.py, _summary_level_lcs; Lin 2004, section 3.2).
 */
export function rougeLsum(reference: readonly (readonly string[])[], prediction: readonly (readonly string[])[]) {
  const remainingCounts = [countEach(reference.flat()), countEach(prediction.flat())]
  let hits = 0
  for (const line of reference) {
    const union = new Set(prediction.flatMap((predictionLine) => commonSubsequence(line, predictionLine)))
    for (const token of [...union].sort((a, b) => a - b).map((index) => itemAt(line, index))) {
      if (!remainingCounts.every((counts) => (counts.get(token) ?? 0) > 0)) continue
      for (const counts of remainingCounts) counts.set(token, valueOf(counts, token) - 1)
      hits++
    }
  }
  return rougeScore(hits, prediction.flat().length, reference.flat().length)
}

/** The lines of a text, which ROUGE-Lsum treats as sentences. */
export const summaryLines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** ROUGE-N: the clipped overlap of n-grams (rouge_scorer.py, _score_ngrams). */
export function rougeN(reference: readonly string[], prediction: readonly string[], n: number): RougeScore {
  const referenceNgrams = ngrams(reference, n)
  const predictionNgrams = ngrams(prediction, n)
  return rougeScore(sharedCount(predictionNgrams, referenceNgrams), predictionNgrams.length, referenceNgrams.length)
}

const ngrams = (tokens: readonly string[], n: number): string[] =>
  Array.from({ length: Math.max(0, tokens.length - n + 1) }, (_, start) => tokens.slice(start, start + n).join(' '))

/** Precision, recall and their harmonic mean, in 0..1. */
type RougeScore = ReturnType<typeof rougeScore>

/** The score of `hits` for both lengths; 0 over 0 is 0. */
function rougeScore(hits: number, predictionLength: number, referenceLength: number) {
  const precision = hits / Math.max(predictionLength, 1)
  const recall = hits / Math.max(referenceLength, 1)
  return { precision, recall, fmeasure: fBeta(precision, recall) }
}

/** Indices into `reference` of the longest common subsequence that _backtrack_norec returns, ascending. */
function commonSubsequence(reference: readonly string[], prediction: readonly string[]): number[] {
  const width = prediction.length + 1
  const lengths = lengthTable(reference, prediction)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  const indices: number[] = []
  let i = reference.length
  let j = prediction.length
  while (i > 0 && j > 0) {
    if (reference[i - 1] === prediction[j - 1]) {
      indices.push(--i)
      j--
    } else if (at(i, j - 1) > at(i - 1, j)) j--
    else i--
  }
  return indices.reverse()
}

function lengthTable(reference: readonly string[], prediction: readonly string[]): Uint32Array {
  const width = prediction.length + 1
  const lengths = new Uint32Array((reference.length + 1) * width)
  reference.forEach((token, row) => {
    const above = row * width
    const here = above + width
    prediction.forEach((candidate, column) => {
      lengths[here + column + 1] =
        token === candidate
          ? (lengths[above + column] ?? 0) + 1
          : Math.max(lengths[above + column + 1] ?? 0, lengths[here + column] ?? 0)
    })
  })
  return lengths
}

/** Tokens of rouge_score/tokenize.py: lower case, runs of a–z and 0–9; `stemming` applies to those longer than 3. */
export function rougeTokens(text: string, stemming: boolean): string[] {
  const tokens = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return stemming ? tokens.map((token) => (token.length > 3 ? stem(token) : token)) : tokens
}
