import { cr2Mean, errorOrNull } from '../../math/statistics/cr2.ts'
import { roganGladen, type TrueShare } from '../../math/statistics/judges.ts'
import type { Manifest, Row } from '../../records.ts'
import { rowsToCompare } from '../compare/rows-to-compare.ts'
import type { Journals } from '../gather/trials.ts'
import { agreementOf } from './agreement.ts'
import { fewestQuestions, humanMean, joinLabels, judgedRows } from './judged-rows.ts'
import type { JudgedMetric, JudgedRow, Unit, Verdicts } from './judged-rows.ts'
import type { Labels } from './read-labels.ts'

/** A judge and its scores checked with human labels. */
export type JudgeCheck = Awaited<ReturnType<typeof checkJudge>>

/** Means of a row: the judge's, and the mean corrected by labels. */
export type CheckedRow = JudgeCheck['rows'][number]

/** The difference of two rows on common questions, by the judge and corrected by labels. */
export type CheckedPair = JudgeCheck['pairs'][number]

/**
 * Compares a judge with human labels (specification of statistics, section 5). `threshold`: least graded score that
 * counts as right. Throws UserError for labels of another folder.
 */
export async function checkJudge(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  metric: JudgedMetric,
  labels: Labels,
  threshold?: number,
) {
  const rows = await judgedRows(manifest, journals.scores(), metric)
  const labelledAnswers = await joinLabels(manifest, journals.trials(), rows, labels)
  const { answers, byRow, blank, unknown, unscored } = labelledAnswers
  const isBinary = answers.every(({ human }) => isShare(human)) && rows.every(isBinaryRow)
  const verdictsOf = ({ method }: JudgedRow): ReadonlyMap<string, Verdicts> => byRow.get(method.id) ?? new Map()
  const comparedIds = new Set(rowsToCompare(manifest).map(({ id }) => id))
  const labelledRows = rows.filter((row) => comparedIds.has(row.method.id) && verdictsOf(row).size > 0)
  return {
    name: manifest.name,
    hash: manifest.hash,
    scorer: metric.scorer.scorer,
    metric: metric.metric,
    unit: metric.unit,
    labels: {
      lines: labels.lines.length + labels.repeated,
      used: answers.length,
      blank,
      unknown,
      unscored,
      repeated: labels.repeated,
    },
    // null for too few labelled questions
    agreement: agreementOf(answers, threshold ?? (isBinary ? 0.5 : undefined)),
    rows: rows.map((row) => {
      const verdicts = verdictsOf(row)
      const { mean, n, error, low, high } = row.estimate
      if (mean === null) throw new Error('a judged row has no score')
      return {
        ...rowOf(row),
        ...(row.method.context && { context: row.method.context }),
        ...(row.method.answers && { answers: row.method.answers }),
        judge: { mean, n, error, low, high },
        ...humanMean(unitsOf(row, verdicts)),
        ...(isBinary && { roganGladen: trueShare(mean, n, [...verdicts.values()]) }),
      }
    }),
    // of the compared rows with labels
    pairs: labelledRows.flatMap((first, i) =>
      labelledRows.slice(i + 1).flatMap((second) => checkPair(first, second, verdictsOf(first), verdictsOf(second))),
    ),
  }
}

const isShare = (score: number): boolean => score === 0 || score === 1

const isBinaryRow = ({ questions }: JudgedRow): boolean =>
  [...questions.values()].every(({ repeats }) => repeats.every(({ score }) => isShare(score)))

const rowOf = ({ method: { method, variant } }: JudgedRow): Row => ({ method, variant })

const unitsOf = ({ questions }: JudgedRow, verdicts: ReadonlyMap<string, Verdicts>): readonly Unit[] =>
  [...questions].map(([id, { cluster, mean }]) => ({ cluster, judge: mean, labelled: verdicts.get(id) }))

function checkPair(
  first: JudgedRow,
  second: JudgedRow,
  ofFirst: ReadonlyMap<string, Verdicts>,
  ofSecond: ReadonlyMap<string, Verdicts>,
) {
  const units = [...first.questions].flatMap(([id, { cluster, mean }]): readonly Unit[] => {
    const answers = second.questions.get(id)
    if (!answers) return []
    const [a, b] = [ofFirst.get(id), ofSecond.get(id)]
    const labels = a && b && { human: a.human - b.human, judge: a.judge - b.judge }
    return [{ cluster, judge: mean - answers.mean, labelled: labels }]
  })
  if (units.length === 0) return []
  const difference = cr2Mean(
    units.map(({ judge }) => judge),
    units.map(({ cluster }) => cluster),
  )
  const judge = { mean: difference.mean, n: difference.n, ...errorOrNull(difference) }
  return [{ first: rowOf(first), second: rowOf(second), judge, ...humanMean(units) }]
}

/** Rogan–Gladen; null: too few labels, or a judge that hardly separates right from wrong. */
function trueShare(share: number, n: number, verdicts: readonly Verdicts[]): TrueShare | null {
  const judgeWhere = (human: number): readonly number[] =>
    verdicts.flatMap((pair) => (pair.human === human ? [pair.judge] : []))
  const [right, wrong] = [judgeWhere(1), judgeWhere(0)]
  if (verdicts.length < fewestQuestions || right.length === 0 || wrong.length === 0) return null
  const acceptRate = (judge: readonly number[]): number => judge.filter((score) => score === 1).length / judge.length
  const rates = { sensitivity: acceptRate(right), specificity: 1 - acceptRate(wrong) }
  return roganGladen({ observed: share, n, ...rates, positives: right.length, negatives: wrong.length }) ?? null
}
