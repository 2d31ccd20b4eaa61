import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { paragraphKey } from '../text/sentences.ts'
import type { AcceptedAnswer, ContextPassage } from '../types.ts'
import { evidenceF1, tokenF1, type Tokens } from './measures/answers/token-f1.ts'
import { columnsInBothForms, forLanguage, inBothForms, noteOnForm } from './shared/answer-language.ts'
import { acceptedAnswers, creditCannedOption, isCredited } from './shared/accepted-answers.ts'

/** The highest answer F1 (0..1) over the annotators, and the first with it. Throws RangeError for none. */
export function bestAnnotator(
  prediction: string,
  golds: readonly string[],
  tokens?: Tokens,
): { f1: number; index: number } {
  if (golds.length === 0) throw new RangeError('Qasper needs at least one annotator')
  const scores = golds.map((gold) => tokenF1(prediction, gold, 0, tokens))
  const f1 = Math.max(...scores)
  return { f1, index: scores.indexOf(f1) }
}

/** Whether evidence is a paragraph, not a figure or table. */
export const isText = (evidence: string): boolean => !evidence.includes('FLOAT SELECTED')

/** Qasper's Answer F1 and Evidence F1: separate maxima over the annotators; fractions, not percentages. */
export const qasperF1 = defineScorer({
  name: 'qasper-f1',
  version: 2,
  summary: 'Token F1 of the answer and paragraph F1 of the context, each against the best annotator.',
  source: 'Dasigi et al. 2021 (allenai/qasper-led-baseline@afd0fb96, scripts/evaluator.py)',
  kinds: ['answer'],
  options: z.strictObject({
    textEvidenceOnly: z
      .boolean()
      .default(false)
      .describe('Leave out evidence that is a figure or a table, which a text method cannot retrieve'),
    creditCanned: creditCannedOption,
  }),
  rates: 'answerF1',
  forLanguage,
  note: noteOnForm,
  columns: (options) => [
    ...columnsInBothForms(options, [{ metric: 'answerF1', label: 'Answer F1' }]),
    { metric: 'evidenceF1', label: 'Evidence F1' },
  ],
  async score(input, _models, { textEvidenceOnly, creditCanned: isCannedCredited, ...options }) {
    const { answer, context } = input
    const annotations = acceptedAnswers(input.question.reference)
    if (annotations.length === 0) return { skipped: 'the question has no reference answer' }
    const isAnswerCredited = isCredited(input, isCannedCredited)
    const text = isAnswerCredited ? answer.text : ''
    const golds = annotations.map((annotator) => annotator.text)
    const type = annotations[bestAnnotator(text, golds).index]?.type
    const evidence = bestEvidence(context, annotations, textEvidenceOnly)
    return {
      metrics: {
        ...inBothForms(options, (tokens) => ({ answerF1: bestAnnotator(text, golds, tokens).f1 })),
        ...(evidence !== undefined && { evidenceF1: isAnswerCredited ? evidence : 0 }),
      },
      ...(type && { subsets: [`type:${type}`] }),
    }
  },
})

function bestEvidence(
  context: readonly ContextPassage[],
  annotations: readonly AcceptedAnswer[],
  textOnly: boolean,
): number | undefined {
  if (annotations.every((annotator) => annotator.evidence === undefined)) return undefined
  const contextParagraphs = [...new Set(context.flatMap((passage) => passage.paragraphs ?? []))]
  return Math.max(...annotations.map((annotator) => evidenceF1(contextParagraphs, goldParagraphs(annotator, textOnly))))
}

/** Keys of an annotator's paragraphs; none if the annotation is "unanswerable" (official script). */
function goldParagraphs({ type, evidence = [] }: AcceptedAnswer, textOnly: boolean): string[] {
  if (type === 'unanswerable') return []
  const texts = evidence.flatMap(({ text }) => text ?? [])
  return (textOnly ? texts.filter(isText) : texts).map(paragraphKey)
}
