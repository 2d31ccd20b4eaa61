import type { BenchMeasure, JudgeBench } from '../../records.ts'
import { counted, inDollars, plural, present } from '../render/amounts.ts'
import { textGrid, type Grid } from '../render/grid.ts'
import { fewestQuestions } from './judged-rows.ts'

type Unit = 'percent' | 'signed' | 'number'

/** What each measure is called, of single verdicts and of pairs, and how it is written. */
const shownAs: Readonly<Record<string, readonly [single: string, ofPairs: string, unit: Unit]>> = {
  agreement: ['same verdict', 'same preference', 'percent'],
  kappa: ["Cohen's κ", "Cohen's κ", 'number'],
  sensitivity: ['sensitivity', 'sensitivity (second better)', 'percent'],
  specificity: ['specificity', 'specificity (first better)', 'percent'],
  difference: ['difference, judge less people', '', 'signed'],
  correlation: ["Pearson's correlation", "Pearson's correlation", 'number'],
  annotators: ['', 'same preference of two people', 'percent'],
  flips: ['', 'same place in both orders', 'percent'],
  positionBias: ['', 'position bias (first less second)', 'signed'],
  longerByJudge: ['', 'longer preferred, by the judge', 'percent'],
  longerByPeople: ['', 'longer preferred, by people', 'percent'],
  lengthBias: ['', 'length bias (judge less people)', 'signed'],
}

const written = (value: number, unit: Unit): string =>
  unit === 'signed' ? signed(value, 'percent') : number(value, unit)

const intervalOf = (measure: BenchMeasure, unit: Unit): string =>
  interval(measure, unit === 'number' ? unit : 'percent', unit === 'signed' ? signed : number)

/** A number in percent or as it is, without a minus before what is rounded to nothing. */
export const number = (value: number, unit: 'percent' | 'number'): string =>
  (unit === 'percent' ? (100 * value).toFixed(1) : value.toFixed(2)).replace(/^-(?=[0.]+$)/, '')

/** The same with a plus where it is above nothing. */
export const signed: typeof number = (value, unit) => {
  const text = number(value, unit)
  return Number(text) > 0 ? `+${text}` : text
}

/** An interval, or a dash where it is not known. */
export const interval = (
  { low, high }: { readonly low: number | null; readonly high: number | null },
  unit: 'percent' | 'number',
  write = number,
): string => (low === null || high === null ? '–' : `${write(low, unit)} to ${write(high, unit)}`)

/** The measures of a judge, a line each. Shares are in percent. */
export function benchGrid({ measures, labels }: JudgeBench): Grid {
  const isPairs = labels.kind === 'pairs'
  return textGrid(
    ['measure', 'value', '95 % interval', labels.kind],
    measures.map((one) => {
      const [single, ofPairs, unit] = shownAs[one.measure] ?? [one.measure, one.measure, 'number' as const]
      const value = one.value === null ? '–' : written(one.value, unit)
      return [isPairs ? ofPairs : single, value, intervalOf(one, unit), one.n]
    }),
  )
}

/** Whose judge was asked about which texts, in a line. */
export function benchLine({ scorer, metric, judge, labels, items, judged, seed }: JudgeBench): string {
  const one = { answers: 'labelled answer', pairs: 'labelled pair', claims: 'answer with labelled claims' }[labels.kind]
  const several = { answers: 'labelled answers', pairs: 'labelled pairs', claims: 'answers with labelled claims' }[
    labels.kind
  ]
  const from = items.drawn < items.labelled ? `, drawn at random from ${counted(items.labelled)} (seed ${seed})` : ''
  const blank = items.blank > 0 ? `; ${counted(items.blank)} without a label left out` : ''
  const claims = labels.kind === 'claims' ? `, ${plural(judged, 'claim')} judged` : ''
  return `${scorer.scorer}, ${metric}, judged by ${modelOf(judge)}: ${plural(items.drawn, one, several)} of ${labels.file}${from}${claims}${blank}`
}

const modelOf = ({ provider, model }: JudgeBench['judge']): string => [...new Set([provider, model])].join(' ')

/** What has no verdict, what was spent, and how to read the measures. */
export function benchNotes(bench: JudgeBench): readonly string[] {
  const { labels, judged, clusters, failed, skipped, firstFailure, usage, usd, threshold } = bench
  const listed = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([why, count]) => `${why} ${counted(count)}`)
      .join(', ')
  const left = [...Object.entries(failed), ...Object.entries(skipped)]
  const cost = usd === undefined || usd === 0 ? '' : ` (${inDollars(usd)} dollars)`
  return present(
    left.length > 0 && `Without a verdict: ${listed({ ...failed, ...skipped })}.`,
    firstFailure !== undefined && `The first that failed: ${firstFailure}`,
    `Calls: ${counted(usage.calls)}. Tokens: ${counted(usage.promptTokens)} prompt, ${counted(usage.completionTokens)} completion${cost}.`,
    labels.by && `The labels were given by ${labels.by.join(', ')}, a language model, and not by people.`,
    ...(labels.kind === 'pairs'
      ? [
          'The label of a pair is the mean of its annotators. Same preference counts ties as a third one. Where two answers differ in length, "longer preferred" counts a tie as one half.',
        ]
      : threshold === undefined
        ? []
        : [`Scores and labels of ${threshold} or more count as right.`]),
    clusters < fewestQuestions && `Nothing can be concluded from fewer than ${fewestQuestions} questions.`,
    clusters < judged &&
      `${counted(judged)} verdicts are of ${plural(clusters, labels.kind === 'claims' ? 'answer' : 'question')}: intervals of shares and means go over these; those of κ and of the correlation take verdicts as independent, and are rather too short.`,
  )
}

/** What a table says of such a file, in one sentence. */
export function benchCitation(bench: JudgeBench): string {
  const { scorer, metric, judge, labels, failed, measures } = bench
  const isPairs = labels.kind === 'pairs'
  const said = (['agreement', 'sensitivity', 'specificity', 'difference'] as const).flatMap((name) => {
    const one = measures.find(({ measure }) => measure === name)
    if (
      !one ||
      one.value === null ||
      (name === 'difference' && measures.some(({ measure }) => measure === 'agreement'))
    )
      return []
    const [single, ofPairs, unit] = shownAs[name] ?? [name, name, 'percent' as const]
    return [`${isPairs ? ofPairs : single} ${written(one.value, unit)} % (${intervalOf(one, unit)}, n = ${one.n})`]
  })
  const lost = Object.values(failed).reduce((sum, count) => sum + count, 0)
  const without = lost > 0 ? `, ${counted(lost)} failed` : ''
  return `The judge of ${scorer.scorer} (${modelOf(judge)}) against the labels of ${labels.by?.join(', ') ?? 'people'} in ${labels.file}, ${metric}: ${said.join(', ')}${without} (gembench judge bench).`
}
