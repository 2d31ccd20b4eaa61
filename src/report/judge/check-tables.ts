import { referenceNote } from '../compare/rows-to-compare.ts'
import { plural, present } from '../../text/amounts.ts'
import { messagesOf, type NoteText } from '../render/note.ts'
import { nameOf } from '../render/rows.ts'
import { tableOf, plainTable, type TextTable, type TextColumn } from '../render/text-table.ts'
import type { HumanMean } from '../gather/estimate.ts'
import type { BinaryAgreement, Share } from './agreement.ts'
import { fewestQuestions } from './judged-rows.ts'
import type { CheckedRow, JudgeCheck } from './judge-check.ts'

type Unit = JudgeCheck['unit']

/** One line per measure of agreement; undefined for too few labels. */
export function agreementTable({ agreement, unit }: JudgeCheck): TextTable | undefined {
  if (!agreement) return undefined
  const { answers, difference, absoluteDifference, correlation, binary } = agreement
  return plainTable(
    ['agreement', 'value', '95 % interval', 'answers'],
    [
      ...(binary ? binaryLines(binary, answers) : []),
      ['difference, judge minus human', withSign(difference.mean, unit), interval(difference, unit, withSign), answers],
      ['absolute difference', number(absoluteDifference, unit), '', answers],
      ["Pearson's correlation", correlation === null ? '–' : correlation.toFixed(2), '', answers],
    ],
  )
}

type Line = readonly (string | number)[]

function binaryLines(
  { agreement, kappa, alpha, sensitivity, specificity }: BinaryAgreement,
  answers: number,
): readonly Line[] {
  const plain = (value: number): string => value.toFixed(2)
  const share = (name: string, value: Share | null): Line =>
    value ? [name, number(value.share, 'percent'), interval(value, 'percent'), value.n] : [name, '–', '–', 0]
  return [
    ["Cohen's κ", kappa ? plain(kappa.value) : '–', kappa ? interval(kappa, 'number') : '–', answers],
    ["Krippendorff's α", alpha === null ? '–' : plain(alpha), '', answers],
    share('same verdict', agreement),
    share('sensitivity', sensitivity),
    share('specificity', specificity),
  ]
}

/** Means of the judge beside those corrected by labels. */
export const rowsTable = ({ rows, unit }: JudgeCheck): TextTable =>
  tableOf(rows, [
    { title: 'method', cell: nameOf },
    { title: 'judge', cell: ({ judge }) => withError(judge, unit, number) },
    { title: 'questions', cell: ({ judge }) => judge.n },
    ...labelColumns(unit, number),
    ...(rows.some(({ roganGladen }) => roganGladen !== undefined) ? roganGladen : []),
  ])

const roganGladen: readonly TextColumn<CheckedRow>[] = [
  { title: 'Rogan–Gladen', cell: ({ roganGladen: share }) => (share ? number(share.estimate, 'percent') : '–') },
  { title: '95 % interval', cell: ({ roganGladen: share }) => (share ? interval(share, 'percent') : '–') },
]

/** Differences of rows, by the judge and corrected by labels; undefined without pairs. */
export const pairsTable = ({ pairs, unit }: JudgeCheck): TextTable | undefined =>
  pairs.length === 0
    ? undefined
    : tableOf(pairs, [
        { title: 'difference', cell: ({ first, second }) => `${nameOf(first)} - ${nameOf(second)}` },
        { title: 'judge', cell: ({ judge }) => withError(judge, unit, withSign) },
        { title: '95 % interval', cell: ({ judge }) => interval(judge, unit, withSign) },
        { title: 'questions', cell: ({ judge }) => judge.n },
        ...labelColumns(unit, withSign),
      ])

const labelColumns = (unit: Unit, write: typeof number): readonly TextColumn<HumanMean>[] => [
  { title: 'labelled', cell: ({ labelled }) => labelled },
  { title: 'human', cell: ({ human }) => (human === null ? '–' : write(human, unit)) },
  { title: 'corrected', cell: ({ corrected: mean }) => (mean ? withError(mean, unit, write) : '–') },
  { title: '95 % interval', cell: ({ corrected: mean }) => (mean ? interval(mean, unit, write) : '–') },
]

const withError = (
  { mean, error }: { readonly mean: number; readonly error: number | null },
  unit: Unit,
  write: typeof number,
): string => `${write(mean, unit)}${error === null ? '' : ` ±${number(error, unit)}`}`

/** One line: labels used, and why others are not. */
export function labelsLine({ scorer, metric, labels, agreement }: JudgeCheck): string {
  const { lines, used: usedCount, blank, unknown, unscored, repeated } = labels
  const reasons = present(
    blank > 0 && `${blank} without a verdict`,
    unknown > 0 && `${unknown} of answers that this results folder does not have`,
    unscored > 0 && `${unscored} of answers that the judge has not scored`,
    repeated > 0 && `${repeated} repeated`,
  )
  const questions = agreement ? ` to ${plural(agreement.questions, 'question')}` : ''
  const unusedText = reasons.length > 0 ? `; not used: ${reasons.join(', ')}` : ''
  return `${scorer}, ${metric}: ${plural(usedCount, 'labelled answer')}${questions}, of ${plural(lines, 'line')}${unusedText}`
}

export const checkNotes = (check: JudgeCheck): readonly string[] => messagesOf(notes, check)

const notes: readonly NoteText<JudgeCheck>[] = [
  (check) => estimatesOf(check).includes(null) && `–: fewer than ${fewestQuestions} labelled questions.`,
  (check) =>
    estimatesOf(check).some((mean) => mean !== null) &&
    `${check.unit === 'percent' ? 'Scores in percent' : 'Scores as numbers'} ± standard error over questions. Corrected (PPI++): the estimated human mean over all questions; interval by Student's t, clustered by text.`,
  (check) =>
    estimatesOf(check).some((mean) => mean?.error === null) &&
    'A corrected mean has no interval where the labels, or their differences from the judge, are constant.',
  ({ labels }) =>
    labels.blank > 0 &&
    'Labels must be a random sample: leave blank only the end of the file, not single lines that are hard to judge.',
  ({ agreement, rows }) =>
    agreement?.binary &&
    rows.every(({ roganGladen }) => roganGladen === undefined) &&
    `Scores of ${agreement.binary.threshold} or more count as right for κ, α, sensitivity and specificity.`,
  ({ agreement }) =>
    agreement?.binary &&
    agreement.answers > agreement.questions &&
    `Intervals of κ, sensitivity and specificity are too short: ${plural(agreement.answers, 'answer')} share ${plural(agreement.questions, 'question')}, but count as independent.`,
  ({ rows }) =>
    rows.some(({ roganGladen }) => roganGladen === null) &&
    `Rogan–Gladen (–) needs ${fewestQuestions} labelled questions of the row, right and wrong ones, and sensitivity + specificity of the judge outside of .9 to 1.1.`,
  ({ rows }) => referenceNote(rows).map((note) => `${note}; differences leave it out.`),
  ({ rows }) => rows.some(({ answers }) => answers) && '‡ The method answers by itself; differences leave it out.',
  ({ pairs }) => pairs.length > 1 && `Intervals of differences are not corrected for the ${pairs.length} pairs.`,
]

const estimatesOf = ({ rows, pairs }: JudgeCheck) => [...rows, ...pairs].map(({ corrected }) => corrected)

/** Percent or plain; rounded zeros have no minus sign. */
const number = (value: number, unit: Unit): string =>
  (unit === 'percent' ? (100 * value).toFixed(1) : value.toFixed(2)).replace(/^-(?=[0.]+$)/, '')

/** With a plus sign for positive values. */
const withSign: typeof number = (value, unit) => {
  const text = number(value, unit)
  return Number(text) > 0 ? `+${text}` : text
}

const interval = (
  { low, high }: { readonly low: number | null; readonly high: number | null },
  unit: Unit,
  write = number,
): string => (low === null || high === null ? '–' : `${write(low, unit)} to ${write(high, unit)}`)
