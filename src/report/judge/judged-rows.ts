import { itemAt } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { UserError } from '../../errors.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import type { Manifest, MethodRecord, ScoreLine, TrialLine, ScorerRecord, IndexLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { unknownName, findMetrics } from '../../text/names.ts'
import { estimate, valuesByRepeat, type Estimate, type HumanMean } from '../gather/estimate.ts'
import { gatherScores } from '../gather/scores.ts'
import { clusteredPpiMean } from '../../math/statistics/ppi.ts'
import { present } from '../../text/amounts.ts'
import type { Labels } from './read-labels.ts'

/** Judge scores of a row and question: one per repeat, the mean over judge runs. */
interface JudgedAnswers {
  readonly cluster: string | number
  readonly mean: number
  readonly repeats: readonly { readonly repeat: number; readonly score: number }[]
}

/** A row with its judge scores by question id. */
export interface JudgedRow {
  readonly method: MethodRecord
  readonly estimate: Estimate
  readonly questions: ReadonlyMap<string, JudgedAnswers>
}

/** Rows with scores of the metric, without duplicates. Throws UserError for none. */
export async function judgedRows(
  manifest: Manifest,
  lines: AsyncIterable<ScoreLine>,
  { scorer, metric }: Pick<JudgedMetric, 'scorer' | 'metric'>,
): Promise<readonly JudgedRow[]> {
  const { byQuestion, questions, cells } = await gatherScores(manifest, lines, { failures: [], rows: new Map() })
  const distinct = manifest.methods.filter((method, i, all) => all.findIndex(({ id }) => id === method.id) === i)
  const rows = distinct.flatMap((method): readonly JudgedRow[] => {
    const scores = byQuestion(method.id, scorer.id, metric)
    const answers = scores.map((questionScores): readonly [string, JudgedAnswers] => {
      const repeats = Array.from(valuesByRepeat(questionScores), ([repeat, score]) => ({ repeat, score }))
      const { question, mean } = questionScores
      return [questions.idOf(question), { cluster: questions.clusterOf(question), mean, repeats }]
    })
    return present(
      scores.length > 0 && { method, estimate: estimate(scores, questions.clusterOf), questions: new Map(answers) },
    )
  })
  if (rows.length > 0) return rows
  const scoredCells = cells.filter((cell) => cell.scorer === scorer.scorer && cell.n > 0)
  const metrics = [...new Set(scoredCells.map((cell) => cell.metric))]
  throw new UserError(
    metrics.length > 0
      ? `${scorer.scorer}: ${unknownName('metric', metric, metrics)}`
      : `${scorer.scorer} has scored no answer of this run: score it first with "gembench score"`,
  )
}

/** Identifies an answer without naming its row. The leading letter stops spreadsheets from reading a number. */
export const answerId = ({ hash }: Manifest, { id, answer }: Pick<TrialLine, 'id' | 'answer'>): string =>
  `a${hashOf([hash, id, answer?.text ?? null]).slice(0, 11)}`

/** Scorers whose judge reads the passages: a person needs them, too. */
export const readsContext: ReadonlySet<string> = new Set(['faithfulness', 'context-precision', 'context-recall'])

/** A judge metric to check against human labels. */
export interface JudgedMetric {
  readonly scorer: ScorerRecord
  readonly metric: string
  /** Least and greatest score. */
  readonly range: readonly [least: number, greatest: number]
  readonly unit: 'percent' | 'number'
}

/** The judge scorer of that label, or the first one. Throws UserError that lists them. */
export function judgedScorer({ scorers }: Pick<Manifest, 'scorers'>, label?: string): ScorerRecord {
  const candidates = scorers.filter(({ judge }) => judge)
  const labels = candidates.map(({ scorer }) => scorer)
  if (labels.length === 0) throw new UserError('there is no scorer that asks a judge: nothing can be checked')
  if (label !== undefined && scorers.some(({ scorer, judge }) => scorer === label && !judge))
    throw new UserError(`the scorer "${label}" asks no judge (scorers of this run that do: ${labels.join(', ')})`)
  const match = label === undefined ? candidates[0] : candidates.find(({ scorer }) => scorer === label)
  if (!match) throw new UserError(unknownName('scorer', label ?? '', labels))
  return match
}

/** A metric of the scorer by name or title; default: its first column. */
export function judgedMetric(scorer: ScorerRecord, name?: string): JudgedMetric {
  const match = name === undefined ? scorer.columns[0] : findMetrics(name, [scorer])[0]
  const metric = match?.metric ?? name ?? ''
  const unit = scorer.columns.find((column) => column.metric === metric)?.unit
  // counts are shares of judged answers
  return { scorer, metric, range: rangeOf(metric, scorer.ranges), unit: unit === 'number' ? unit : 'percent' }
}

/** Human and judge score of the same answer. */
export interface Verdicts {
  readonly human: number
  readonly judge: number
}

/** An answer that one or several rows share; `judge` is the mean over these rows. */
export interface LabelledAnswer extends Verdicts {
  readonly question: string
  readonly cluster: string | number
}

/** Joins label lines with answers. Throws UserError where no line belongs to this results folder. */
export async function joinLabels(
  manifest: Manifest,
  trials: AsyncIterable<IndexLine | TrialLine>,
  rows: readonly JudgedRow[],
  { file, lines }: Labels,
) {
  const numbers = new Map(lines.flatMap(({ ids }, number) => ids.map((id) => [id, number] as const)))
  const questionsByRow = new Map(rows.map((row) => [row.method.id, row.questions]))
  const byRow = new Map(rows.map(({ method }) => [method.id, new Map<string, Verdicts>()]))
  const matchedLines = new Set<number>()
  const answersByLine = new Map<number, Omit<LabelledAnswer, 'judge'> & { readonly scores: readonly number[] }>()
  for await (const line of trials) {
    if (line.line !== 'trial' || !line.answer) continue
    const number = numbers.get(answerId(manifest, line))
    if (number === undefined) continue
    matchedLines.add(number)
    const question = line.question.id
    const answers = questionsByRow.get(line.methodId)?.get(question)
    const score = answers?.repeats.find(({ repeat }) => repeat === line.repeat)?.score
    const human = itemAt(lines, number).verdict
    if (!answers || score === undefined || human === null) continue
    byRow.get(line.methodId)?.set(question, { human, judge: score })
    const before = answersByLine.get(number)?.scores ?? []
    answersByLine.set(number, { question, cluster: answers.cluster, human, scores: [...before, score] })
  }
  if (matchedLines.size === 0)
    throw new UserError(
      `${file}: none of its ids is of an answer of this results folder (${manifest.name}-${manifest.hash}); name the one that it was drawn from`,
    )
  return {
    answers: Array.from(answersByLine.values(), ({ scores, ...answer }) => ({ ...answer, judge: mean(scores) })),
    // by method id and question id
    byRow,
    // lines without a verdict, of answers that are not in the folder, and of answers without a score
    blank: lines.filter(({ verdict }) => verdict === null).length,
    unknown: lines.length - matchedLines.size,
    unscored: [...matchedLines].filter((number) => !answersByLine.has(number) && itemAt(lines, number).verdict !== null)
      .length,
  }
}

/** Minimum of labelled questions: with fewer, simulated 95 % intervals cover too rarely. */
export const fewestQuestions = 20

/** A question with its judge score, and both scores where it has a label. */
export interface Unit {
  readonly cluster: string | number
  readonly judge: number
  readonly labelled?: Verdicts | undefined
}

/** PPI++ estimate of the human mean, with the labelled units as a random sample. */
export function humanMean(units: readonly Unit[]): HumanMean {
  const sample = units.flatMap(({ cluster, labelled }) => (labelled ? [{ cluster, ...labelled }] : []))
  const rest = units.filter(({ labelled }) => !labelled)
  const human = sample.map((label) => label.human)
  const counts = { labelled: sample.length, human: sample.length === 0 ? null : mean(human) }
  if (sample.length < fewestQuestions) return { ...counts, corrected: null }
  const judge = sample.map((label) => label.judge)
  const ppi = clusteredPpiMean(
    { human, judge, judgeOfRest: rest.map((unit) => unit.judge) },
    { ofSample: sample.map(({ cluster }) => cluster), ofRest: rest.map(({ cluster }) => cluster) },
  )
  const { lambda, estimate, error, degrees, low, high } = ppi
  const hasVariance =
    varies(human) && varies(human.map((score, i) => score - itemAt(judge, i))) && Number.isFinite(error)
  const interval = hasVariance ? { error, degrees, low, high } : { error: null, degrees: null, low: null, high: null }
  return { ...counts, corrected: { mean: estimate, ...interval, lambda } }
}

const varies = (values: readonly number[]): boolean =>
  values.some((value) => Math.abs(value - itemAt(values, 0)) > 1e-12)
