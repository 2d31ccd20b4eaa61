import { rangeOf } from '../../basics/metrics.ts'
import { UserError } from '../../errors.ts'
import type { Manifest, MethodRecord, ScoreLine, ScorerRecord, TrialLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { findMetrics, unknownName } from '../../text/names.ts'
import { valuesByRepeat } from '../gather/observations.ts'
import { gatherScores } from '../gather/scores.ts'

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
  const match = candidates.find(({ scorer }) => label === undefined || scorer === label)
  if (match) return match
  if (scorers.some(({ scorer }) => scorer === label))
    throw new UserError(`the scorer "${label}" asks no judge (scorers of this run that do: ${labels.join(', ')})`)
  throw new UserError(unknownName('scorer', label ?? '', labels))
}

/** A metric of the scorer by name or title; default: its first column. */
export function judgedMetric(scorer: ScorerRecord, name?: string): JudgedMetric {
  const match = name === undefined ? scorer.columns[0] : findMetrics(name, [scorer])[0]
  const metric = match?.metric ?? name ?? ''
  const unit = scorer.columns.find((column) => column.metric === metric)?.unit
  // counts are shares of judged answers
  return {
    scorer,
    metric,
    range: rangeOf(metric, scorer.ranges),
    unit: unit === 'number' ? unit : 'percent',
  }
}

/** Judge scores of a row and question: one per repeat, the mean over judge runs. */
interface JudgedAnswers {
  readonly cluster: string | number
  readonly mean: number
  readonly repeats: ReadonlyMap<number, number>
}

/** A row with its judge scores by question id. */
export interface JudgedRow {
  readonly method: MethodRecord
  readonly questions: ReadonlyMap<string, JudgedAnswers>
}

/** Rows with scores of the metric, without duplicates. Throws UserError for none. */
export async function judgedRows(
  manifest: Manifest,
  lines: AsyncIterable<ScoreLine>,
  { scorer, metric }: Pick<JudgedMetric, 'scorer' | 'metric'>,
): Promise<readonly JudgedRow[]> {
  const { of, questions, cells } = await gatherScores(manifest, lines, { failures: [], rows: new Map() })
  const distinct = manifest.methods.filter((method, i, all) => all.findIndex(({ id }) => id === method.id) === i)
  const rows = distinct.map((method): JudgedRow => {
    const answers = of(method.id, scorer.id, metric)
      .questions()
      .map((scores): readonly [string, JudgedAnswers] => {
        const { question, mean } = scores
        const repeats = valuesByRepeat(scores)
        return [questions.idOf(question), { cluster: questions.clusterOf(question), mean, repeats }]
      })
    return { method, questions: new Map(answers) }
  })
  const scoredRows = rows.filter((row) => row.questions.size > 0)
  if (scoredRows.length > 0) return scoredRows
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
