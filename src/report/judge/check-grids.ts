import { referenceNote } from '../compare/rows-to-compare.ts'
import { plural, present } from '../../text/amounts.ts'
import { nameOf } from '../render/rows.ts'
import { tableOf, plainTable, type TextTable, type TextColumn } from '../render/text-table.ts'
import type { HumanMean } from '../table/estimate.ts'
import type { BinaryAgreement, Share } from './agreement.ts'
import { fewestQuestions } from './judged-rows.ts'
import type { CheckedRow, JudgeCheck } from './judge-check.ts'

type Unit = JudgeCheck['unit']

/** How the judge agrees with people, a line a measure; undefined for too few labels. */
export function agreementGrid({ agreement, unit }: JudgeCheck): TextTable | undefined {
  if (!agreement) return undefined
  const { answers, difference, absoluteDifference, correlation, binary } = agreement
  return plainTable(
    ['agreement', 'value', '95 % interval', 'answers'],
    [
      ...(binary ? binaryLines(binary, answers) : []),
      ['difference, judge less human', signed(difference.mean, unit), interval(difference, unit, signed), answers],
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
  const share = (name: string, one: Share | null): Line =>
    one ? [name, number(one.share, 'percent'), interval(one, 'percent'), one.n] : [name, '–', '–', 0]
  return [
    ["Cohen's κ", kappa ? plain(kappa.value) : '–', kappa ? interval(kappa, 'number') : '–', answers],
    ["Krippendorff's α", alpha === null ? '–' : plain(alpha), '', answers],
    share('same verdict', agreement),
    share('sensitivity', sensitivity),
    share('specificity', specificity),
  ]
}

/** The judge's means and, beside them, those that the labels correct. */
export const rowsGrid = ({ rows, unit }: JudgeCheck): TextTable =>
  tableOf(rows, [
    { title: 'method', cell: nameOf },
    { title: 'judge', cell: ({ judge }) => withError(judge, unit, number) },
    { title: 'questions', cell: ({ judge }) => judge.n },
    ...corrected(unit, number),
    ...(rows.some(({ roganGladen }) => roganGladen !== undefined) ? roganGladen : []),
  ])

const roganGladen: readonly TextColumn<CheckedRow>[] = [
  { title: 'Rogan–Gladen', cell: ({ roganGladen: share }) => (share ? number(share.estimate, 'percent') : '–') },
  { title: '95 % interval', cell: ({ roganGladen: share }) => (share ? interval(share, 'percent') : '–') },
]

/** The differences of rows by the judge and as the labels correct them; undefined where there is no pair. */
export const pairsGrid = ({ pairs, unit }: JudgeCheck): TextTable | undefined =>
  pairs.length === 0
    ? undefined
    : tableOf(pairs, [
        { title: 'difference', cell: ({ first, second }) => `${nameOf(first)} - ${nameOf(second)}` },
        { title: 'judge', cell: ({ judge }) => withError(judge, unit, signed) },
        { title: '95 % interval', cell: ({ judge }) => interval(judge, unit, signed) },
        { title: 'questions', cell: ({ judge }) => judge.n },
        ...corrected(unit, signed),
      ])

const corrected = (unit: Unit, write: typeof number): readonly TextColumn<HumanMean>[] => [
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

/** Which lines of the file of labels were used, in a line. */
export function labelsLine({ scorer, metric, labels, agreement }: JudgeCheck): string {
  const { lines, used, blank, unknown, unscored, repeated } = labels
  const left = present(
    blank > 0 && `${blank} without a verdict`,
    unknown > 0 && `${unknown} of answers that this results folder does not have`,
    unscored > 0 && `${unscored} of answers that the judge has not scored`,
    repeated > 0 && `${repeated} repeated`,
  )
  const questions = agreement ? ` to ${plural(agreement.questions, 'question')}` : ''
  const unused = left.length > 0 ? `; not used: ${left.join(', ')}` : ''
  return `${scorer}, ${metric}: ${plural(used, 'labelled answer')}${questions}, of ${plural(lines, 'line')}${unused}`
}

/** How to read the numbers of a check. */
export function checkNotes(check: JudgeCheck): readonly string[] {
  const { agreement, rows, pairs, unit, labels } = check
  const estimates = [...rows, ...pairs].map(({ corrected }) => corrected)
  const few = estimates.includes(null)
  return present(
    few && `Nothing is concluded (–) from fewer than ${fewestQuestions} labelled questions.`,
    !estimates.every((one) => one === null) && correctedNote(unit),
    estimates.some((one) => one?.error === null) &&
      'A corrected mean has no interval where the labels are all the same, or all differ from the judge by the same: they do not tell how sure it is.',
    labels.blank > 0 &&
      'The labels must be a random sample: leave lines blank from some line on to the end of the file, not here and there because they are hard to judge.',
    agreement && agreementNotes(check, agreement),
    rows.some(({ roganGladen }) => roganGladen === null) &&
      `Rogan–Gladen (–) needs ${fewestQuestions} labelled questions of the row, right and wrong ones among them, and a judge whose sensitivity and specificity do not add up to within .1 of 1.`,
    referenceNote(rows).map((note) => `${note}; differences are of the other rows.`),
    rows.some(({ answers }) => answers) &&
      "‡ Answers by the method itself, not by the run's answerer; differences are of the other rows.",
    pairs.length > 1 &&
      `Every interval of a difference stands by itself: nothing is corrected for the number of pairs, ${pairs.length}.`,
  )
}

const correctedNote = (unit: JudgeCheck['unit']): string =>
  `${unit === 'percent' ? 'Scores in percent' : 'Scores as numbers'} ± standard error over questions. Corrected (PPI++): the mean as people would score all questions, from their labels and the judge's scores; interval by Student's t, over clusters where questions share a text.`

function agreementNotes({ rows }: JudgeCheck, { answers, questions, binary }: NonNullable<JudgeCheck['agreement']>) {
  if (!binary) return []
  const graded = rows.every(({ roganGladen }) => roganGladen === undefined)
  return present(
    graded && `κ, α, sensitivity and specificity take scores of ${binary.threshold} or more as right.`,
    answers > questions &&
      `Intervals of κ, sensitivity and specificity take answers as independent; here ${plural(answers, 'answer')} share ${plural(questions, 'question')}, so they are rather too short.`,
  )
}

/** A number in percent or as it is, without a minus before what is rounded to nothing. */
const number = (value: number, unit: Unit): string =>
  (unit === 'percent' ? (100 * value).toFixed(1) : value.toFixed(2)).replace(/^-(?=[0.]+$)/, '')

/** The same with a plus where it is above nothing. */
const signed: typeof number = (value, unit) => {
  const text = number(value, unit)
  return Number(text) > 0 ? `+${text}` : text
}

/** An interval, or a dash where it is not known. */
const interval = (
  { low, high }: { readonly low: number | null; readonly high: number | null },
  unit: Unit,
  write = number,
): string => (low === null || high === null ? '–' : `${write(low, unit)} to ${write(high, unit)}`)
