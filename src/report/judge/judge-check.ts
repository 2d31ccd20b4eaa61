import { itemAt } from '../../basics/collections.ts'
import { UserError } from '../../errors.ts'
import { cr2Mean, errorOrNull } from '../../math/statistics/cr2.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { roganGladen, type TrueShare } from '../../math/statistics/judges.ts'
import { clusteredPpiMean } from '../../math/statistics/ppi.ts'
import type { IndexLine, Manifest, Row, TrialLine } from '../../records.ts'
import { pairsAmong, rowsToCompare } from '../compare/rows-to-compare.ts'
import type { HumanMean } from '../gather/estimate.ts'
import type { Journals } from '../gather/trials.ts'
import { agreementOf, type LabelledAnswer, type Verdicts } from './agreement.ts'
import { answerId, judgedRows, type JudgedMetric, type JudgedRow } from './judged-rows.ts'
import type { Labels } from './read-labels.ts'

/** A judge and its scores checked with human labels. */
export type JudgeCheck = Awaited<ReturnType<typeof checkJudge>>

/**
 * Compares a judge with human labels (specification of statistics, section 5). `threshold`: least graded score that
 * counts as right. Throws UserError for labels of another folder.
 */
export async function checkJudge(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  { scorer, metric, unit }: JudgedMetric,
  labels: Labels,
  threshold?: number,
) {
  const rows = await judgedRows(manifest, journals.scores(), { scorer, metric })
  const { answers, byRow, counts } = await joinLabels(manifest, journals.trials(), rows, labels)
  const questions = new Set(answers.map(({ question }) => question)).size
  const isBinary = answers.every(({ human }) => isShare(human)) && rows.every(isBinaryRow)
  const leastRight = threshold ?? (isBinary ? 0.5 : undefined)
  const comparedIds = new Set(rowsToCompare(manifest).map(({ id }) => id))
  const rowsWithUnits = rows.map(({ method, questions: judged }) => {
    const labelsOfRow = byRow.get(method.id)
    const units = Array.from(judged, ([id, { cluster, mean: judge }]) => {
      return [id, { cluster, judge, labelled: labelsOfRow?.get(id) }] as const
    })
    return { method, units: new Map<string, Unit>(units), isLabelled: (labelsOfRow?.size ?? 0) > 0 }
  })
  const labelledRows = rowsWithUnits.filter((row) => row.isLabelled && comparedIds.has(row.method.id))
  return {
    name: manifest.name,
    hash: manifest.hash,
    scorer: scorer.scorer,
    metric,
    unit,
    labels: { ...counts, answers: answers.length, questions },
    ...(leastRight !== undefined && { threshold: leastRight }),
    isBinary,
    // none for too few labelled questions
    agreement: questions < fewestQuestions ? [] : agreementOf(answers, leastRight),
    rows: rowsWithUnits.flatMap(({ method: { method, variant, context, answers: answering }, units }) => {
      const row = {
        method,
        variant,
        ...(context && { context }),
        ...(answering && { answers: answering }),
      }
      const means = comparedMeans([...units.values()])
      return means ? [{ ...row, ...means, ...(isBinary && { roganGladen: trueShare([...units.values()]) }) }] : []
    }),
    // of the compared rows with labels
    pairs: pairsAmong(labelledRows, undefined).flatMap(([first, second]) => {
      const means = comparedMeans(differencesOf(first.units, second.units))
      return means ? [{ first: rowOf(first.method), second: rowOf(second.method), ...means }] : []
    }),
  }
}

const isShare = (score: number): boolean => score === 0 || score === 1

const isBinaryRow = ({ questions }: JudgedRow): boolean =>
  [...questions.values()].every(({ repeats }) => [...repeats.values()].every(isShare))

const rowOf = ({ method, variant }: Row): Row => ({ method, variant })

/** First minus second, by common question. */
const differencesOf = (first: ReadonlyMap<string, Unit>, second: ReadonlyMap<string, Unit>): readonly Unit[] =>
  Array.from(first).flatMap(([id, a]): readonly Unit[] => {
    const b = second.get(id)
    if (!b) return []
    const x = a.labelled
    const y = b.labelled
    const label = x && y && { human: x.human - y.human, judge: x.judge - y.judge }
    return [{ cluster: a.cluster, judge: a.judge - b.judge, labelled: label }]
  })

/** Joins label lines with answers. Throws UserError where no line belongs to this results folder. */
async function joinLabels(
  manifest: Manifest,
  trials: AsyncIterable<IndexLine | TrialLine>,
  rows: readonly JudgedRow[],
  { file, lines, repeated }: Labels,
) {
  const numbers = new Map(lines.flatMap(({ ids }, number) => ids.map((id) => [id, number] as const)))
  const rowsById = new Map(rows.map((row) => [row.method.id, row]))
  // by method id and question id
  const byRow = new Map(rows.map(({ method }) => [method.id, new Map<string, Verdicts>()]))
  const matchedLines = new Set<number>()
  const answersByLine = new Map<number, Omit<LabelledAnswer, 'judge'> & { readonly scores: readonly number[] }>()
  for await (const line of trials) {
    if (line.line !== 'trial' || !line.answer) continue
    const number = numbers.get(answerId(manifest, line))
    if (number === undefined) continue
    matchedLines.add(number)
    const question = line.question.id
    const answers = rowsById.get(line.methodId)?.questions.get(question)
    const judge = answers?.repeats.get(line.repeat)
    const human = itemAt(lines, number).verdict
    if (!answers || judge === undefined || human === null) continue
    byRow.get(line.methodId)?.set(question, { human, judge })
    const scores = [...(answersByLine.get(number)?.scores ?? []), judge]
    answersByLine.set(number, { question, cluster: answers.cluster, human, scores })
  }
  if (matchedLines.size === 0)
    throw new UserError(
      `${file}: none of its ids is of an answer of this results folder (${manifest.name}-${manifest.hash})`,
    )
  const blank = lines.filter(({ verdict }) => verdict === null).length
  const unscored = [...matchedLines].filter((number) => itemAt(lines, number).verdict !== null).length
  return {
    answers: Array.from(answersByLine.values(), ({ scores, ...answer }) => ({ ...answer, judge: mean(scores) })),
    byRow,
    // lines without a verdict, of answers that are not in the folder, and of answers without a score
    counts: {
      lines: lines.length + repeated,
      blank,
      unknown: lines.length - matchedLines.size,
      unscored: unscored - answersByLine.size,
      repeated,
    },
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

/** The judge's mean of a row or of a difference of rows beside that of people; undefined without units. */
function comparedMeans(units: readonly Unit[]) {
  if (units.length === 0) return undefined
  const estimate = cr2Mean(
    units.map(({ judge }) => judge),
    units.map(({ cluster }) => cluster),
  )
  return { judge: { mean: estimate.mean, n: estimate.n, ...errorOrNull(estimate) }, ...humanMean(units) }
}

/** PPI++ estimate of the human mean, with the labelled units as a random sample. */
export function humanMean(units: readonly Unit[]): HumanMean {
  const sample = units.flatMap(({ cluster, labelled }) => (labelled ? [{ cluster, ...labelled }] : []))
  const rest = units.filter(({ labelled }) => !labelled)
  const human = sample.map((label) => label.human)
  const counts = {
    labelled: sample.length,
    human: sample.length === 0 ? null : mean(human),
  }
  if (sample.length < fewestQuestions) return { ...counts, corrected: null }
  const judge = sample.map((label) => label.judge)
  const { lambda, estimate, error, degrees, low, high } = clusteredPpiMean(
    { human, judge, judgeOfRest: rest.map((unit) => unit.judge) },
    { ofSample: sample.map(({ cluster }) => cluster), ofRest: rest.map(({ cluster }) => cluster) },
  )
  const errors = human.map((score, i) => score - itemAt(judge, i))
  const hasVariance = varies(human) && varies(errors) && Number.isFinite(error)
  const interval = hasVariance ? { error, degrees, low, high } : { error: null, degrees: null, low: null, high: null }
  return { ...counts, corrected: { mean: estimate, ...interval, lambda } }
}

const varies = (values: readonly number[]): boolean =>
  values.some((value) => Math.abs(value - itemAt(values, 0)) > 1e-12)

/** Rogan–Gladen of binary scores; null: too few labels, or a judge that hardly separates right from wrong. */
function trueShare(units: readonly Unit[]): TrueShare | null {
  const labels = units.flatMap(({ labelled }) => labelled ?? [])
  const judgeWhere = (human: number): readonly number[] =>
    labels.flatMap((label) => (label.human === human ? [label.judge] : []))
  const right = judgeWhere(1)
  const wrong = judgeWhere(0)
  if (labels.length < fewestQuestions || right.length === 0 || wrong.length === 0) return null
  const acceptRate = (judge: readonly number[]): number => judge.filter((score) => score === 1).length / judge.length
  const rates = { sensitivity: acceptRate(right), specificity: 1 - acceptRate(wrong) }
  const counts = { n: units.length, positives: right.length, negatives: wrong.length }
  return roganGladen({ observed: mean(units.map(({ judge }) => judge)), ...counts, ...rates }) ?? null
}
