import { referenceNote } from '../compare/rows-to-compare.ts'
import { plural, present } from '../../text/amounts.ts'
import { messagesOf, nameOf, type NoteText } from '../render/rows.ts'
import { tableOf, type TextTable } from '../render/text-table.ts'
import { fewestQuestions, type JudgeCheck } from './judge-check.ts'

/** The tables of a check: agreement, rows and differences of rows; those without lines are left out. */
export const checkTables = ({ agreement, rows, pairs, isBinary, unit }: JudgeCheck): readonly TextTable[] => {
  const score = numberIn(unit)
  const tables = [
    tableOf(agreement, [
      { title: 'agreement', cell: ({ measure }) => measure },
      { title: 'value', cell: (entry) => formatIn(entry.unit, unit)(entry.value) },
      { title: '95 % interval', cell: (entry) => interval(entry, formatIn(entry.unit, unit)) },
      { title: 'answers', cell: ({ n }) => n },
    ]),
    meansTable('method', rows, nameOf, score, isBinary),
    meansTable('difference', pairs, ({ first, second }) => `${nameOf(first)} - ${nameOf(second)}`, withSign(score)),
  ]
  return tables.filter((table) => table.rows.length > 0)
}

type Means = Pick<JudgeCheck['rows'][number], 'judge' | 'labelled' | 'human' | 'corrected' | 'roganGladen'>

/** Means of the judge beside those corrected by labels. */
function meansTable<T extends Means>(
  title: string,
  records: readonly T[],
  cell: (record: T) => string,
  format: Format,
  isBinary = false,
): TextTable {
  const share = numberIn('percent')
  return tableOf(records, [
    { title, cell },
    { title: 'judge', cell: ({ judge }) => withError(judge, format) },
    { title: 'questions', cell: ({ judge }) => judge.n },
    { title: 'labelled', cell: ({ labelled }) => labelled },
    { title: 'human', cell: ({ human }) => format(human) },
    { title: 'corrected', cell: ({ corrected: mean }) => (mean ? withError(mean, format) : '–') },
    { title: '95 % interval', cell: ({ corrected: mean }) => (mean ? interval(mean, format) : '–') },
    isBinary && { title: 'Rogan–Gladen', cell: ({ roganGladen }) => share(roganGladen?.estimate ?? null) },
    isBinary && {
      title: '95 % interval',
      cell: ({ roganGladen }) => (roganGladen ? interval(roganGladen, share) : '–'),
    },
  ])
}

type Format = (value: number | null) => string

/** Percent or plain; rounded zeros have no minus sign. */
const numberIn =
  (unit: JudgeCheck['unit']): Format =>
  (value) => {
    if (value === null) return '–'
    return (unit === 'percent' ? (100 * value).toFixed(1) : value.toFixed(2)).replace(/^-(?=[0.]+$)/, '')
  }

const withSign =
  (format: Format): Format =>
  (value) =>
    Number(format(value)) > 0 ? `+${format(value)}` : format(value)

function formatIn(unit: JudgeCheck['agreement'][number]['unit'], scores: JudgeCheck['unit']): Format {
  if (unit === 'score') return withSign(numberIn(scores))
  return numberIn(unit === 'share' ? 'percent' : 'number')
}

const withError = ({ mean, error }: { readonly mean: number; readonly error: number | null }, format: Format) =>
  `${format(mean)}${error === null ? '' : ` ±${format(error).replace('+', '')}`}`

const interval = (
  { low, high }: { readonly low: number | null; readonly high: number | null },
  format: Format,
): string => (low === null || high === null ? '–' : `${format(low)} to ${format(high)}`)

/** One line: labels used, and why others are not. */
export function labelsLine({ scorer, metric, labels }: JudgeCheck): string {
  const { lines, answers, questions, blank, unknown, unscored, repeated } = labels
  const reasons = present(
    blank > 0 && `${blank} without a verdict`,
    unknown > 0 && `${unknown} of answers that this results folder does not have`,
    unscored > 0 && `${unscored} of answers that the judge has not scored`,
    repeated > 0 && `${repeated} repeated`,
  )
  const counts = `${plural(answers, 'labelled answer')} to ${plural(questions, 'question')}`
  const rest = reasons.length > 0 ? `; not used: ${reasons.join(', ')}` : ''
  return `${scorer}, ${metric}: ${counts}, of ${plural(lines, 'line')}${rest}`
}

export const checkNotes = (check: JudgeCheck): readonly string[] => messagesOf(notes, check)

const notes: readonly NoteText<JudgeCheck>[] = [
  ({ rows, pairs }) =>
    [...rows, ...pairs].some((entry) => !entry.corrected) && `–: fewer than ${fewestQuestions} labelled questions.`,
  ({ rows, unit }) =>
    rows.some((row) => row.corrected) &&
    `Scores in ${unit === 'percent' ? unit : 'numbers'} ± standard error. Corrected (PPI++): estimated human mean over all questions.`,
  ({ labels }) =>
    labels.blank > 0 && 'Labels must be a random sample: leave blank only the end of the file, not single lines.',
  ({ threshold, isBinary, agreement }) =>
    threshold !== undefined &&
    !isBinary &&
    agreement.length > 0 &&
    `Scores of ${threshold} or more count as right for κ, α, sensitivity and specificity.`,
  ({ threshold, agreement, labels: { answers, questions } }) =>
    threshold !== undefined &&
    agreement.length > 0 &&
    answers > questions &&
    `Intervals of κ and shares are too short: ${answers} answers share ${plural(questions, 'question')}.`,
  ({ rows }) =>
    rows.some(({ roganGladen }) => roganGladen === null) &&
    `Rogan–Gladen (–) needs ${fewestQuestions} labelled questions and a judge that separates right from wrong.`,
  ({ rows }) => referenceNote(rows).map((note) => `${note}; differences leave it out.`),
  ({ rows }) => rows.some(({ answers }) => answers) && '‡ The method answers by itself; differences leave it out.',
  ({ pairs }) => pairs.length > 1 && `Intervals of differences are not corrected for the ${pairs.length} pairs.`,
]
