import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { sentences } from '../text/sentences.ts'
import {
  rougeL,
  rougeLsum,
  summaryLines,
  rougeN,
  bestScore,
  type RougeScore,
  rougeTokens,
} from './measures/rouge/rouge-l.ts'
import { acceptedTexts, creditCanned, isCredited } from './shared/credited.ts'
const measures = ['rougeL', 'rouge1', 'rouge2', 'rougeLsum'] as const
type Measure = (typeof measures)[number]

const labels: Readonly<Record<Measure, string>> = {
  ...{ rougeL: 'ROUGE-L', rouge1: 'ROUGE-1', rouge2: 'ROUGE-2', rougeLsum: 'ROUGE-Lsum' },
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
    split: z
      .enum(['lines', 'sentences'])
      .default('lines')
      .describe(
        'What Lsum takes for a sentence: a line, as rouge-score does, or a sentence found by gembench’s own splitter (rouge-score would use NLTK’s)',
      ),
    creditCanned,
  }),
  columns: [
    ...measures.map((metric) => ({ metric, label: labels[metric] })),
    ...measures.flatMap((metric) =>
      ['Precision', 'Recall'].map((end) => ({ metric: `${metric}${end}`, shown: false as const })),
    ),
  ],
  async score(asked, _models, { stemmer, split, ...options }) {
    const accepted = acceptedTexts(asked.question.reference)
    if (accepted.length === 0) return { skipped: 'the question has no reference answer' }
    const textOf = (text: string) => read(text, stemmer, split)
    const predicted = textOf(isCredited(asked, options) ? asked.answer.text : '')
    const each = accepted.map((one) => scores(textOf(one), predicted))
    const best = measures.flatMap((measure) => named(measure, bestScore(each.map((one) => one[measure]))))
    return { metrics: Object.fromEntries(best) }
  },
})

/** The tokens of a text, whole and sentence by sentence. */
interface Read {
  readonly whole: readonly string[]
  readonly parts: readonly (readonly string[])[]
}

const read = (text: string, stemmer: boolean, split: 'lines' | 'sentences'): Read => ({
  whole: rougeTokens(text, stemmer),
  parts: (split === 'lines' ? summaryLines(text) : sentences(text).map((one) => one.text)).map((part) =>
    rougeTokens(part, stemmer),
  ),
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
