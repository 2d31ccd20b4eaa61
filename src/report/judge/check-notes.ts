import { plural } from '../render/plural.ts'
import { fewestQuestions } from './corrected-mean.ts'
import type { JudgeCheck } from './judge-check.ts'

/** Which lines of the file of labels were used, in a line. */
export function labelsLine({ scorer, metric, labels, agreement }: JudgeCheck): string {
  const { lines, used, blank, unknown, unscored, repeated } = labels
  const left = [
    ...(blank > 0 ? [`${blank} without a verdict`] : []),
    ...(unknown > 0 ? [`${unknown} of answers that this results folder does not have`] : []),
    ...(unscored > 0 ? [`${unscored} of answers that the judge has not scored`] : []),
    ...(repeated > 0 ? [`${repeated} repeated`] : []),
  ]
  const questions = agreement ? ` to ${plural(agreement.questions, 'question')}` : ''
  const unused = left.length > 0 ? `; not used: ${left.join(', ')}` : ''
  return `${scorer}, ${metric}: ${plural(used, 'labelled answer')}${questions}, of ${plural(lines, 'line')}${unused}`
}

/** How to read the numbers of a check. */
export function checkNotes(check: JudgeCheck): readonly string[] {
  const { agreement, rows, pairs, unit, labels } = check
  const estimates = [...rows, ...pairs].map(({ corrected }) => corrected)
  const few = estimates.includes(null)
  return [
    ...(few ? [`Nothing is concluded (–) from fewer than ${fewestQuestions} labelled questions.`] : []),
    ...(estimates.every((one) => one === null) ? [] : [correctedNote(unit)]),
    ...(estimates.some((one) => one?.error === null)
      ? [
          'A corrected mean has no interval where the labels are all the same, or all differ from the judge by the same: they do not tell how sure it is.',
        ]
      : []),
    ...(labels.blank > 0
      ? [
          'The labels must be a random sample: leave lines blank from some line on to the end of the file, not here and there because they are hard to judge.',
        ]
      : []),
    ...(agreement ? agreementNotes(check, agreement) : []),
    ...(rows.some(({ roganGladen }) => roganGladen === null)
      ? [
          `Rogan–Gladen (–) needs ${fewestQuestions} labelled questions of the row, right and wrong ones among them, and a judge whose sensitivity and specificity do not add up to within .1 of 1.`,
        ]
      : []),
    ...(rows.some(({ context }) => context)
      ? ['† Reference row: no context, or outside the budget; differences are of the other rows.']
      : []),
    ...(rows.some(({ answers }) => answers)
      ? ["‡ Answers by the method itself, not by the run's answerer; differences are of the other rows."]
      : []),
    ...(pairs.length > 1
      ? [
          `Every interval of a difference stands by itself: nothing is corrected for the number of pairs, ${pairs.length}.`,
        ]
      : []),
  ]
}

const correctedNote = (unit: JudgeCheck['unit']): string =>
  `${unit === 'percent' ? 'Scores in percent' : 'Scores as numbers'} ± standard error over questions. Corrected (PPI++): the mean as people would score all questions, from their labels and the judge's scores; interval by Student's t, over clusters where questions share a text.`

function agreementNotes({ rows }: JudgeCheck, { answers, questions, binary }: NonNullable<JudgeCheck['agreement']>) {
  if (!binary) return []
  const graded = rows.every(({ roganGladen }) => roganGladen === undefined)
  return [
    ...(graded ? [`κ, α, sensitivity and specificity take scores of ${binary.threshold} or more as right.`] : []),
    ...(answers > questions
      ? [
          `Intervals of κ, sensitivity and specificity take answers as independent; here ${plural(answers, 'answer')} share ${plural(questions, 'question')}, so they are rather too short.`,
        ]
      : []),
  ]
}
