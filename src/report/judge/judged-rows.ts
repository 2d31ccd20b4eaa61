import { groupBy, itemAt } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { UserError } from '../../errors.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import type { Manifest, ScoreLine, ScorerRecord, TrialLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { findMetrics, unknownName } from '../../text/names.ts'
import { valuesByRepeat } from '../gather/observations.ts'
import { gatherScores } from '../gather/scores.ts'
import type { Journals } from '../gather/trials.ts'
import type { Labels } from './read-labels.ts'

/** A judge metric to check against human labels. `range`: least and greatest score. */
export type JudgedMetric = ReturnType<typeof judgedMetric>

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
export function judgedMetric(scorer: ScorerRecord, name?: string) {
  const match = name === undefined ? scorer.columns[0] : findMetrics(name, [scorer])[0]
  const metric = match?.metric ?? name ?? ''
  const unit = scorer.columns.find((column) => column.metric === metric)?.unit
  // counts are shares of judged answers
  return {
    scorer,
    metric,
    range: rangeOf(metric, scorer.ranges),
    unit: unit === 'number' ? unit : ('percent' as const),
  }
}

/**
 * Rows with scores of the metric, without duplicates. By question id: the mean, and scores by repeat, means over judge
 * runs. Throws UserError for no score.
 */
export async function judgedRows(
  manifest: Manifest,
  lines: AsyncIterable<ScoreLine>,
  { scorer, metric }: Pick<JudgedMetric, 'scorer' | 'metric'>,
) {
  const { of, questions, cells } = await gatherScores(manifest, lines, { failures: [], rows: new Map() })
  const rows = [...groupBy(manifest.methods, ({ id }) => id).values()].map(([method]) => {
    const answers = of(method.id, scorer.id, metric)
      .questions()
      .map((scores) => {
        const { question, mean } = scores
        const answer = { cluster: questions.clusterOf(question), mean, repeats: valuesByRepeat(scores) }
        return [questions.idOf(question), answer] as const
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

/** A human and a judge score of the same answer. */
export interface Verdicts {
  readonly human: number
  readonly judge: number
}

/** A question with its judge score, and both scores where it has a label. */
export interface Unit {
  readonly cluster: string | number
  readonly judge: number
  readonly labelled?: Verdicts | undefined
}

/** An answer with a label, which one or several rows share; `judge` is the mean over these rows. */
export interface LabelledAnswer extends Verdicts {
  readonly question: string
  readonly cluster: string | number
}

/**
 * The rows of a judge metric with a unit per question, and the labelled answers. `isBinary`: all scores are 0 or 1.
 * Throws UserError where no label belongs to this results folder.
 */
export async function labelledRows(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  metric: Pick<JudgedMetric, 'scorer' | 'metric'>,
  { file, lines }: Labels,
) {
  const judged = await judgedRows(manifest, journals.scores(), metric)
  const scoresByRow = new Map(judged.map(({ method, questions }) => [method.id, questions]))
  const numbers = new Map(lines.flatMap(({ ids }, number) => ids.map((id) => [id, number] as const)))
  const matchedLines = new Set<number>()
  const labels: (LabelledAnswer & { readonly number: number; readonly methodId: string })[] = []
  for await (const line of journals.trials()) {
    if (line.line !== 'trial' || !line.answer) continue
    const number = numbers.get(answerId(manifest, line))
    if (number === undefined) continue
    matchedLines.add(number)
    const { methodId, repeat } = line
    const question = line.question.id
    const scores = scoresByRow.get(methodId)?.get(question)
    const judge = scores?.repeats.get(repeat)
    const human = itemAt(lines, number).verdict
    if (!scores || judge === undefined || human === null) continue
    labels.push({ number, methodId, question, cluster: scores.cluster, human, judge })
  }
  if (matchedLines.size === 0)
    throw new UserError(
      `${file}: none of its ids is of an answer of this results folder (${manifest.name}-${manifest.hash})`,
    )
  const blank = lines.filter(({ verdict }) => verdict === null).length
  const labelsByLine = groupBy(labels, ({ number }) => number)
  const answers = Array.from(labelsByLine.values(), (ofLine): LabelledAnswer => {
    const [{ question, cluster, human }] = ofLine
    return { question, cluster, human, judge: mean(ofLine.map(({ judge }) => judge)) }
  })
  const judgeScores = judged.flatMap(({ questions }) =>
    Array.from(questions.values(), ({ repeats }) => [...repeats.values()]).flat(),
  )
  const scores = [...answers.map(({ human }) => human), ...judgeScores]
  return {
    rows: judged.map(({ method: row, questions }) => {
      const ofRow = labels.filter(({ methodId }) => methodId === row.id)
      const verdicts = new Map(ofRow.map(({ question, human, judge }) => [question, { human, judge }]))
      const units = Array.from(questions, ([id, { cluster, mean: judge }]): readonly [string, Unit] => [
        id,
        { cluster, judge, labelled: verdicts.get(id) },
      ])
      return { row, units: new Map(units) }
    }),
    answers,
    isBinary: scores.every((score) => score === 0 || score === 1),
    // different answers: without a verdict, and not in the folder
    counts: { lines: lines.length, blank, unknown: lines.length - matchedLines.size },
  }
}
