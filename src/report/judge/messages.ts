import type { Interval } from '../compare/compare-family.ts'
import { referenceNote } from '../compare/rows-to-compare.ts'
import { plural, present } from '../../text/amounts.ts'
import { scaleOf } from '../render/columns.ts'
import { messagesOf, nameOf, type NoteText } from '../render/rows.ts'
import { orDash, tableOf, type TextTable } from '../render/text-table.ts'
import { fewestQuestions, type JudgeCheck } from './judge-check.ts'

/** The tables of a check: agreement, and means of the judge beside those corrected by labels. */
export const checkTables = ({ agreement, rows, isBinary, unit }: JudgeCheck): readonly TextTable[] => {
  const score = numberIn(unit)
  const share = numberIn('percent')
  const tables = [
    tableOf(agreement, [
      { title: 'agreement', cell: ({ measure }) => measure },
      { title: 'value', cell: (entry) => orDash(entry.value, numberIn(entry.unit)) },
      { title: '95 % interval', cell: (entry) => interval(entry, numberIn(entry.unit)) },
      { title: 'answers', cell: ({ n }) => n },
    ]),
    tableOf(rows, [
      { title: 'method', cell: nameOf },
      { title: 'judge', cell: ({ judge }) => withError(judge, score) },
      { title: 'questions', cell: ({ judge }) => judge.n },
      { title: 'labelled', cell: ({ labelled }) => labelled },
      { title: 'human', cell: ({ human }) => orDash(human, score) },
      { title: 'corrected', cell: ({ corrected: mean }) => orDash(mean, (value) => withError(value, score)) },
      { title: '95 % interval', cell: ({ corrected: mean }) => orDash(mean, (value) => interval(value, score)) },
      isBinary && {
        title: 'Rogan–Gladen',
        cell: ({ roganGladen }) => orDash(roganGladen, ({ estimate }) => share(estimate)),
      },
      isBinary && {
        title: '95 % interval',
        cell: ({ roganGladen }) => orDash(roganGladen, (value) => interval(value, share)),
      },
    ]),
  ]
  return tables.filter((table) => table.rows.length > 0)
}

type Format = (value: number) => string

const numberIn = (unit: JudgeCheck['unit']): Format => {
  const [scale, digits] = scaleOf(unit)
  return (value) => (scale * value).toFixed(digits)
}

const withError = ({ mean, error }: { readonly mean: number; readonly error: number | null }, format: Format) =>
  `${format(mean)}${error === null ? '' : ` ±${format(error)}`}`

const interval = ({ low, high }: Interval, format: Format): string =>
  low === null || high === null ? '–' : `${format(low)} to ${format(high)}`

/** One line: labels used, and why others are not. */
export function labelsLine({ scorer, metric, labels }: JudgeCheck): string {
  const { lines, answers, questions, blank, unknown } = labels
  const reasons = present(
    blank > 0 && `${blank} without a verdict`,
    unknown > 0 && `${unknown} of answers that this results folder does not have`,
  )
  const counts = `${plural(answers, 'labelled answer')} to ${plural(questions, 'question')}`
  const rest = reasons.length > 0 ? `; not used: ${reasons.join(', ')}` : ''
  return `${scorer}, ${metric}: ${counts}, of ${plural(lines, 'line')}${rest}`
}

export const checkNotes = (check: JudgeCheck): readonly string[] => messagesOf(notes, check)

const notes: readonly NoteText<JudgeCheck>[] = [
  ({ rows }) => rows.some((row) => !row.corrected) && `–: fewer than ${fewestQuestions} labelled questions.`,
  ({ rows, unit }) =>
    rows.some((row) => row.corrected) &&
    `Scores in ${unit === 'percent' ? unit : 'numbers'} ± standard error. Corrected (PPI++): estimated human mean over all questions.`,
  ({ labels }) =>
    labels.blank > 0 && 'Labels must be a random sample: leave blank only the end of the file, not single lines.',
  ({ isBinary, agreement, labels: { answers, questions } }) =>
    isBinary &&
    agreement.length > 0 &&
    answers > questions &&
    `Intervals of κ and shares are too short: ${answers} answers share ${plural(questions, 'question')}.`,
  ({ rows }) =>
    rows.some(({ roganGladen }) => roganGladen === null) &&
    `Rogan–Gladen (–) needs ${fewestQuestions} labelled questions and a judge that separates right from wrong.`,
  ({ rows }) => referenceNote(rows).map((note) => `${note}.`),
  ({ rows }) => rows.length > 1 && 'Differences of rows, corrected by the labels: table --labels FILE --pairs.',
]
