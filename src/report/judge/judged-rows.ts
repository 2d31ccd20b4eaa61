import { UserError } from '../../errors.ts'
import type { Manifest, MethodRecord, ScoreLine, TrialLine } from '../../records.ts'
import { unknownName } from '../../text/names.ts'
import { estimate, type Estimate } from '../table/estimate.ts'
import { gatherScores } from '../table/gather-scores.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import type { JudgedMetric } from './judged-metric.ts'
import { hashOf } from '../../text/hash.ts'

/** What the judge says of one row's answers to a question; repeats in their order, each score a mean over judge runs. */
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

/**
 * The rows that have scores of a metric; rows that differ in their labels alone are one. Throws UserError where there is none, naming the
 * metrics that there are.
 */
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
  const { byQuestion, questions, cells } = await gatherScores(manifest, noting(), [])
  const idOf = new Map([...ids].map(([id, cluster]) => [questions.numberOf(id, cluster), id]))
  const distinct = manifest.methods.filter((one, i, all) => all.findIndex(({ id }) => id === one.id) === i)
  const rows = distinct.flatMap((method): readonly JudgedRow[] => {
    const scores = byQuestion(method.id, scorer.id, metric)
    if (scores.length === 0) return []
    const judged = scores.map(({ question, mean: ofAll, repeats }): readonly [string, JudgedAnswers] => [
      idOf.get(question) ?? '',
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
 * Names an answer in a file of human labels without saying whose it is: 11 hex digits after a letter, so that no spreadsheet takes it for a
 * number. It is another one in another results folder, and where the trial was answered anew with other words.
 */
export const answerId = ({ hash }: Manifest, { id, answer }: Pick<TrialLine, 'id' | 'answer'>): string =>
  `a${hashOf([hash, id, answer?.text ?? null]).slice(0, 11)}`
