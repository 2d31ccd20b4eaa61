import { itemAt } from '../../basics/collections.ts'
import { UserError } from '../../errors.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import type { IndexLine, Manifest, Row, TrialLine } from '../../records.ts'
import { rowsToCompare } from '../compare/rows-to-compare.ts'
import type { Journals } from '../gather/trials.ts'
import { agreementOf, type LabelledAnswer, type Verdicts } from './agreement.ts'
import { comparedMeans, fewestQuestions, trueShare, type Unit } from './human-mean.ts'
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
  const verdictsOf = ({ method }: JudgedRow): ReadonlyMap<string, Verdicts> => byRow.get(method.id) ?? new Map()
  const questions = new Set(answers.map(({ question }) => question)).size
  const isBinary = answers.every(({ human }) => isShare(human)) && rows.every(isBinaryRow)
  const leastRight = threshold ?? (isBinary ? 0.5 : undefined)
  const comparedIds = new Set(rowsToCompare(manifest).map(({ id }) => id))
  const labelledRows = rows.filter((row) => comparedIds.has(row.method.id) && verdictsOf(row).size > 0)
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
    rows: rows.flatMap((row) => {
      const units = [...row.questions].map(([id, { cluster, mean: judge }]): Unit => {
        return { cluster, judge, labelled: verdictsOf(row).get(id) }
      })
      const means = comparedMeans(units)
      const { context, answers: answering } = row.method
      const marks = { ...(context && { context }), ...(answering && { answers: answering }) }
      return means ? [{ ...rowOf(row), ...marks, ...means, ...(isBinary && { roganGladen: trueShare(units) }) }] : []
    }),
    // of the compared rows with labels
    pairs: labelledRows.flatMap((first, i) =>
      labelledRows.slice(i + 1).flatMap((second) => {
        const means = comparedMeans(differencesOf(first, second, verdictsOf(first), verdictsOf(second)))
        return means ? [{ first: rowOf(first), second: rowOf(second), ...means }] : []
      }),
    ),
  }
}

const isShare = (score: number): boolean => score === 0 || score === 1

const isBinaryRow = ({ questions }: JudgedRow): boolean =>
  [...questions.values()].every(({ repeats }) => [...repeats.values()].every(isShare))

const rowOf = ({ method: { method, variant } }: JudgedRow): Row => ({ method, variant })

function differencesOf(
  first: JudgedRow,
  second: JudgedRow,
  ofFirst: ReadonlyMap<string, Verdicts>,
  ofSecond: ReadonlyMap<string, Verdicts>,
): readonly Unit[] {
  return [...first.questions].flatMap(([id, { cluster, mean: judge }]): readonly Unit[] => {
    const answers = second.questions.get(id)
    if (!answers) return []
    const a = ofFirst.get(id)
    const b = ofSecond.get(id)
    const labels = a && b && { human: a.human - b.human, judge: a.judge - b.judge }
    return [{ cluster, judge: judge - answers.mean, labelled: labels }]
  })
}

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
      `${file}: none of its ids is of an answer of this results folder (${manifest.name}-${manifest.hash}); name the one that it was drawn from`,
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
