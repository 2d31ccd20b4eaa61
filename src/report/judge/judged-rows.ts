import { valueOf } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { UserError } from '../../errors.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import type { Manifest, MethodRecord, ScoreLine, TrialLine, ScorerRecord } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { unknownName, metricsNamed } from '../../text/names.ts'
import { estimate, type Estimate } from '../table/estimate.ts'
import { gatherScores } from '../table/gather-scores.ts'

/** The judge's scores of a row's answers to a question; repeats in order, each a mean over judge runs. */
interface JudgedAnswers {
  readonly cluster: string | number
  /** Over all repeats. */
  readonly mean: number
  readonly repeats: readonly { readonly repeat: number; readonly score: number }[]
}

/** The answers of a row that the judge has scored, by the id of their question. */
export interface JudgedRow {
  readonly method: MethodRecord
  readonly estimate: Estimate
  readonly questions: ReadonlyMap<string, JudgedAnswers>
}

/** The rows that have scores of a metric, without doubles. Throws UserError where there is none. */
export async function judgedRows(
  manifest: Manifest,
  lines: AsyncIterable<ScoreLine>,
  { scorer, metric }: Pick<JudgedMetric, 'scorer' | 'metric'>,
): Promise<readonly JudgedRow[]> {
  const ids = new Map<string, string | undefined>()
  const noting = async function* (): AsyncGenerator<ScoreLine> {
    for await (const line of lines) {
      ids.set(line.question, line.cluster)
      yield line
    }
  }
  const { byQuestion, questions, cells } = await gatherScores(manifest, noting(), { failures: [], rows: new Map() })
  const idOf = new Map([...ids].map(([id, cluster]) => [questions.numberOf(id, cluster), id]))
  const distinct = manifest.methods.filter((one, i, all) => all.findIndex(({ id }) => id === one.id) === i)
  const rows = distinct.flatMap((method): readonly JudgedRow[] => {
    const scores = byQuestion(method.id, scorer.id, metric)
    if (scores.length === 0) return []
    const judged = scores.map(({ question, mean: ofAll, repeats }): readonly [string, JudgedAnswers] => [
      valueOf(idOf, question),
      {
        cluster: questions.clusterOf(question),
        mean: ofAll,
        repeats: repeats.map(({ repeat, values }) => ({ repeat, score: mean(values.map(({ value }) => value)) })),
      },
    ])
    return [{ method, estimate: estimate(scores, questions.clusterOf), questions: new Map(judged) }]
  })
  if (rows.length > 0) return rows
  const own = cells.filter((cell) => cell.scorer === scorer.scorer && cell.n > 0)
  const known = [...new Set(own.map((cell) => cell.metric))]
  throw new UserError(
    known.length > 0
      ? `${scorer.scorer}: ${unknownName('metric', metric, known)}`
      : `${scorer.scorer} has scored no answer of this run: score it first with "gembench score"`,
  )
}

/**
 * Names an answer without saying whose it is: 11 hex digits after a letter, so that no spreadsheet takes it for a
 * number; another one in another folder, or for other words.
 */
export const answerId = ({ hash }: Manifest, { id, answer }: Pick<TrialLine, 'id' | 'answer'>): string =>
  `a${hashOf([hash, id, answer?.text ?? null]).slice(0, 11)}`

/** Scorers whose judge compares with the passages: without them nobody can say what the judge should have said. */
export const readsContext: ReadonlySet<string> = new Set(['faithfulness', 'context-precision', 'context-recall'])

/** The scores of a judge that people check: a metric of a scorer that asks one. */
export interface JudgedMetric {
  readonly scorer: ScorerRecord
  readonly metric: string
  /** Least and greatest score, of the judge and of a person. */
  readonly range: readonly [least: number, greatest: number]
  readonly unit: 'percent' | 'number'
}

/** The scorer of that label, or the first of the run that asks a judge. Throws UserError naming those there are. */
export function judgedScorer({ scorers }: Pick<Manifest, 'scorers'>, label?: string): ScorerRecord {
  const judged = scorers.filter(({ judge }) => judge)
  const labels = judged.map(({ scorer }) => scorer)
  if (labels.length === 0) throw new UserError('there is no scorer that asks a judge: nothing can be checked')
  if (label !== undefined && scorers.some(({ scorer, judge }) => scorer === label && !judge))
    throw new UserError(`the scorer "${label}" asks no judge (scorers of this run that do: ${labels.join(', ')})`)
  const found = label === undefined ? judged[0] : judged.find(({ scorer }) => scorer === label)
  if (!found) throw new UserError(unknownName('scorer', label ?? '', labels))
  return found
}

/** A metric of that scorer, by its name or title; that of its first column where none is named. */
export function judgedMetric(scorer: ScorerRecord, name?: string): JudgedMetric {
  const named = name === undefined ? scorer.columns[0] : metricsNamed(name, [scorer])[0]
  const metric = named?.metric ?? name ?? ''
  const shown = scorer.columns.find((column) => column.metric === metric)?.unit
  // what is shown as a count is judged as a share
  return { scorer, metric, range: rangeOf(metric, scorer.ranges), unit: shown === 'number' ? shown : 'percent' }
}
