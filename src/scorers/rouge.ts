import { z } from 'zod'
import { countEach, itemAt } from '../basics/collections.ts'
import { defineScorer } from '../define.ts'
import { fBeta, sharedCount, type Tokens } from './measures/answers/token-f1.ts'
import { stem } from './measures/rouge/porter.ts'
import { columnsInBothForms, forLanguage, inBothForms, noteOnForm } from './shared/answer-language.ts'
import { acceptedTexts, isCredited } from './shared/credited.ts'
const measures = ['rougeL', 'rouge1', 'rouge2', 'rougeLsum'] as const
type Measure = (typeof measures)[number]

const labels: Readonly<Record<Measure, string>> = {
  rougeL: 'ROUGE-L',
  rouge1: 'ROUGE-1',
  rouge2: 'ROUGE-2',
  rougeLsum: 'ROUGE-Lsum',
}

/** ROUGE as rouge-score computes it: F of the best reference is the column, the rest stands in table.json. */
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
      ...measures.map((metric) => ({ metric, label: labels[metric] })),
      ...measures.flatMap((metric) =>
        ['Precision', 'Recall'].map((end) => ({ metric: `${metric}${end}`, shown: false as const })),
      ),
    ]),
  async score(asked, _models, { stemmer, ...options }) {
    const accepted = acceptedTexts(asked.question.reference)
    if (accepted.length === 0) return { skipped: 'the question has no reference answer' }
    const answer = isCredited(asked) ? asked.answer.text : ''
    const score = (tokens: Tokens): Readonly<Record<string, number>> => {
      const predicted = read(answer, tokens)
      const each = accepted.map((one) => scores(read(one, tokens), predicted))
      const best = measures.flatMap((measure) => named(measure, bestScore(each.map((one) => one[measure]))))
      return Object.fromEntries(best)
    }
    return { metrics: inBothForms(options, score, (text) => rougeTokens(text, stemmer)) }
  },
})

interface Read {
  readonly whole: readonly string[]
  readonly parts: readonly (readonly string[])[]
}

const read = (text: string, tokens: Tokens): Read => ({
  whole: tokens(text),
  parts: summaryLines(text).map((line) => tokens(line)),
})

const scores = (wanted: Read, predicted: Read): Readonly<Record<Measure, RougeScore>> => ({
  rougeL: rougeL(wanted.whole, predicted.whole),
  rouge1: rougeN(wanted.whole, predicted.whole, 1),
  rouge2: rougeN(wanted.whole, predicted.whole, 2),
  rougeLsum: rougeLsum(wanted.parts, predicted.parts),
})

const named = (
  measure: Measure,
  { precision, recall, fmeasure }: RougeScore,
): readonly (readonly [string, number])[] => [
  [measure, fmeasure],
  [`${measure}Precision`, precision],
  [`${measure}Recall`, recall],
]

/** ROUGE-L: the longest common subsequence of two whole texts (google-research rouge_scorer.py, _score_lcs). */
export const rougeL = (reference: readonly string[], prediction: readonly string[]): RougeScore =>
  rougeScore(commonSubsequence(reference, prediction).length, prediction.length, reference.length)

/**
 * ROUGE-Lsum: for every line of the reference the union of its common subsequences with all lines of the prediction; a
 * token counts only as often as both texts have it (rouge_scorer.py, _summary_level_lcs; Lin 2004, section 3.2).
 */
export function rougeLsum(reference: readonly (readonly string[])[], prediction: readonly (readonly string[])[]) {
  const wanted = countEach(reference.flat())
  const predicted = countEach(prediction.flat())
  let hits = 0
  for (const line of reference) {
    const union = new Set(prediction.flatMap((other) => commonSubsequence(line, other)))
    for (const token of [...union].sort((a, b) => a - b).map((index) => itemAt(line, index))) {
      if (take(wanted, predicted, token)) hits++
    }
  }
  return rougeScore(hits, prediction.flat().length, reference.flat().length)
}

/** The lines of a text that ROUGE-Lsum takes for sentences. */
export const summaryLines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

function take(a: Map<string, number>, b: Map<string, number>, token: string): boolean {
  const left = a.get(token) ?? 0
  const right = b.get(token) ?? 0
  if (left <= 0 || right <= 0) return false
  a.set(token, left - 1)
  b.set(token, right - 1)
  return true
}

/** ROUGE-N: runs of n tokens that both share, each as often as in both (rouge_scorer.py, _score_ngrams). */
export function rougeN(reference: readonly string[], prediction: readonly string[], n: number): RougeScore {
  const wanted = ngrams(reference, n)
  const predicted = ngrams(prediction, n)
  return rougeScore(sharedCount(predicted, wanted), predicted.length, wanted.length)
}

const ngrams = (tokens: readonly string[], n: number): string[] =>
  Array.from({ length: Math.max(0, tokens.length - n + 1) }, (_, start) => tokens.slice(start, start + n).join(' '))

/** Precision, recall and their harmonic mean, in 0..1. */
export interface RougeScore {
  readonly precision: number
  readonly recall: number
  readonly fmeasure: number
}

/** The score of `hits` among what was predicted and what was wanted; 0 over 0 is 0. */
function rougeScore(hits: number, predicted: number, wanted: number): RougeScore {
  const precision = hits / Math.max(predicted, 1)
  const recall = hits / Math.max(wanted, 1)
  return { precision, recall, fmeasure: fBeta(precision, recall) }
}

/** The maxima of precision, recall and F over references (ulab-uiuc/GoR, sum_eval.py). Throws RangeError for none. */
export function bestScore(scores: readonly RougeScore[]): RougeScore {
  if (scores.length === 0) throw new RangeError('ROUGE needs at least one reference')
  const best = (part: keyof RougeScore) => Math.max(...scores.map((score) => score[part]))
  return { precision: best('precision'), recall: best('recall'), fmeasure: best('fmeasure') }
}

/** Indices into `reference` of one longest common subsequence, ascending: the one that _backtrack_norec reads out. */
export function commonSubsequence(reference: readonly string[], prediction: readonly string[]): number[] {
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

/** Row by row, one more than there are tokens: the longest common subsequence of the first i and the first j. */
function lengthTable(reference: readonly string[], prediction: readonly string[]): Uint32Array {
  const width = prediction.length + 1
  const lengths = new Uint32Array((reference.length + 1) * width)
  reference.forEach((token, row) => {
    const above = row * width
    const here = above + width
    prediction.forEach((other, column) => {
      lengths[here + column + 1] =
        token === other
          ? (lengths[above + column] ?? 0) + 1
          : Math.max(lengths[above + column + 1] ?? 0, lengths[here + column] ?? 0)
    })
  })
  return lengths
}

/** Tokens as rouge_score/tokenize.py makes them: lower case, runs of a–z and 0–9; `stemming` those longer than 3. */
export function rougeTokens(text: string, stemming: boolean): string[] {
  const tokens = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return stemming ? tokens.map((token) => (token.length > 3 ? stem(token) : token)) : tokens
}
