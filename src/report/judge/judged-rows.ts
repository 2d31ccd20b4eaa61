import { itemAt } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { UserError } from '../../errors.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import type { Manifest, MethodRecord, ScoreLine, TrialLine, ScorerRecord, IndexLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { unknownName, findMetrics } from '../../text/names.ts'
import { estimate, valuesByRepeat, type Estimate, type HumanMean } from '../table/estimate.ts'
import { gatherScores } from '../table/gather-scores.ts'
import { clusteredPpiMean } from '../../math/statistics/ppi.ts'
import { present } from '../../text/amounts.ts'
import type { Labels } from './read-labels.ts'

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
  const { byQuestion, questions, cells } = await gatherScores(manifest, lines, { failures: [], rows: new Map() })
  const distinct = manifest.methods.filter((one, i, all) => all.findIndex(({ id }) => id === one.id) === i)
  const rows = distinct.flatMap((method): readonly JudgedRow[] => {
    const scores = byQuestion(method.id, scorer.id, metric)
    const judged = scores.map((one): readonly [string, JudgedAnswers] => {
      const repeats = Array.from(valuesByRepeat(one), ([repeat, score]) => ({ repeat, score }))
      return [questions.idOf(one.question), { cluster: questions.clusterOf(one.question), mean: one.mean, repeats }]
    })
    return present(
      scores.length > 0 && { method, estimate: estimate(scores, questions.clusterOf), questions: new Map(judged) },
    )
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

/** Names an answer but not its row: 11 hex digits after a letter, so that no spreadsheet reads a number. */
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
  const named = name === undefined ? scorer.columns[0] : findMetrics(name, [scorer])[0]
  const metric = named?.metric ?? name ?? ''
  const shown = scorer.columns.find((column) => column.metric === metric)?.unit
  // what is shown as a count is judged as a share
  return { scorer, metric, range: rangeOf(metric, scorer.ranges), unit: shown === 'number' ? shown : 'percent' }
}

/** What a person and the judge say of the same answer. */
export interface Verdicts {
  readonly human: number
  readonly judge: number
}

/** An answer of one or several rows with its verdicts; the judge's is the mean over the rows. */
export interface LabelledAnswer extends Verdicts {
  readonly question: string
  readonly cluster: string | number
}

export interface JoinedLabels {
  readonly answers: readonly LabelledAnswer[]
  /** By method id and id of the question. */
  readonly byRow: ReadonlyMap<string, ReadonlyMap<string, Verdicts>>
  /** Lines without a verdict, of answers that are not in the folder, and of answers without a score. */
  readonly blank: number
  readonly unknown: number
  readonly unscored: number
}

/** Finds the answers of the lines of a file. Throws UserError where none is of this results folder. */
export async function joinLabels(
  manifest: Manifest,
  trials: AsyncIterable<IndexLine | TrialLine>,
  rows: readonly JudgedRow[],
  { file, lines }: Labels,
): Promise<JoinedLabels> {
  const numbers = new Map(lines.flatMap(({ ids }, number) => ids.map((id) => [id, number] as const)))
  const judged = new Map(rows.map((row) => [row.method.id, row.questions]))
  const byRow = new Map(rows.map(({ method }) => [method.id, new Map<string, Verdicts>()]))
  const known = new Set<number>()
  const found = new Map<number, Omit<LabelledAnswer, 'judge'> & { readonly scores: readonly number[] }>()
  for await (const line of trials) {
    if (line.line !== 'trial' || !line.answer) continue
    const number = numbers.get(answerId(manifest, line))
    if (number === undefined) continue
    known.add(number)
    const question = line.question.id
    const answers = judged.get(line.methodId)?.get(question)
    const score = answers?.repeats.find(({ repeat }) => repeat === line.repeat)?.score
    const human = itemAt(lines, number).verdict
    if (!answers || score === undefined || human === null) continue
    byRow.get(line.methodId)?.set(question, { human, judge: score })
    const before = found.get(number)?.scores ?? []
    found.set(number, { question, cluster: answers.cluster, human, scores: [...before, score] })
  }
  if (known.size === 0)
    throw new UserError(
      `${file}: none of its ids is of an answer of this results folder (${manifest.name}-${manifest.hash}); name the one that it was drawn from`,
    )
  return {
    answers: Array.from(found.values(), ({ scores, ...answer }) => ({ ...answer, judge: mean(scores) })),
    byRow,
    blank: lines.filter(({ verdict }) => verdict === null).length,
    unknown: lines.length - known.size,
    unscored: [...known].filter((number) => !found.has(number) && itemAt(lines, number).verdict !== null).length,
  }
}

/** Fewest labelled questions: in simulations 95 % intervals of fewer hold the truth less often than they say. */
export const fewestQuestions = 20

/** The judge's score of a question, and both verdicts where a person judged an answer to it. */
export interface Unit {
  readonly cluster: string | number
  readonly judge: number
  readonly labelled?: Verdicts | undefined
}

/** The mean over units, of which the labelled ones are a random sample. */
export function humanMean(units: readonly Unit[]): HumanMean {
  const sample = units.flatMap(({ cluster, labelled }) => (labelled ? [{ cluster, ...labelled }] : []))
  const rest = units.filter(({ labelled }) => !labelled)
  const human = sample.map((one) => one.human)
  const labelled = { labelled: sample.length, human: sample.length === 0 ? null : mean(human) }
  if (sample.length < fewestQuestions) return { ...labelled, corrected: null }
  const judge = sample.map((one) => one.judge)
  const found = clusteredPpiMean(
    { human, judge, judgeOfRest: rest.map((one) => one.judge) },
    { ofSample: sample.map(({ cluster }) => cluster), ofRest: rest.map(({ cluster }) => cluster) },
  )
  const { lambda, estimate, error, degrees, low, high } = found
  const tells = varies(human) && varies(human.map((one, i) => one - itemAt(judge, i))) && Number.isFinite(error)
  const interval = tells ? { error, degrees, low, high } : { error: null, degrees: null, low: null, high: null }
  return { ...labelled, corrected: { mean: estimate, ...interval, lambda } }
}

const varies = (values: readonly number[]): boolean =>
  values.some((value) => Math.abs(value - itemAt(values, 0)) > 1e-12)
