import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { paragraphKey } from '../text/sentences.ts'
import type { AcceptedAnswer, ContextPassage } from '../types.ts'
import { evidenceF1, tokenF1, type Tokens } from './measures/answers/token-f1.ts'
import { columnsInBothForms, forLanguage, inBothForms, noteOnForm } from './shared/answer-language.ts'
import { creditCanned, isCredited } from './shared/credited.ts'

/** The highest answer F1 (0..1) over the annotators, and who gives it first. Throws RangeError for none. */
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

/** Whether evidence is a paragraph; the others name a figure or a table. */
export const isText = (evidence: string): boolean => !evidence.includes('FLOAT SELECTED')

/** Qasper's Answer F1 and Evidence F1: two maxima over the annotators, each for itself; fractions, not percentages. */
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
    creditCanned,
  }),
  rates: 'answerF1',
  forLanguage,
  note: noteOnForm,
  columns: (options) => [
    ...columnsInBothForms(options, [{ metric: 'answerF1', label: 'Answer F1' }]),
    { metric: 'evidenceF1', label: 'Evidence F1' },
  ],
  async score(asked, _models, { textEvidenceOnly, creditCanned: isCannedCredited, ...options }) {
    const { answer, context } = asked
    const { reference } = asked.question
    if (reference.kind !== 'answer')
      return { skipped: `qasper-f1 scores only free answers, not questions of kind ${reference.kind}` }
    const { accepted } = reference
    if (accepted.length === 0) return { skipped: 'the question has no reference answer' }
    const credited = isCredited(asked, isCannedCredited)
    const text = credited ? answer.text : ''
    const golds = accepted.map((annotator) => annotator.text)
    const type = accepted[bestAnnotator(text, golds).index]?.type
    const evidence = bestEvidence(context, accepted, textEvidenceOnly)
    return {
      metrics: {
        ...inBothForms(options, (tokens) => ({ answerF1: bestAnnotator(text, golds, tokens).f1 })),
        ...(evidence !== undefined && { evidenceF1: credited ? evidence : 0 }),
      },
      ...(type && { subsets: [`type:${type}`] }),
    }
  },
})

/** The highest evidence F1 over the annotators; none where the dataset keeps no evidence by annotator. */
function bestEvidence(
  context: readonly ContextPassage[],
  accepted: readonly AcceptedAnswer[],
  textOnly: boolean,
): number | undefined {
  if (accepted.every((annotator) => annotator.evidence === undefined)) return undefined
  const touched = [...new Set(context.flatMap((passage) => passage.paragraphs ?? []))]
  return Math.max(...accepted.map((annotator) => evidenceF1(touched, goldParagraphs(annotator, textOnly))))
}

/** Keys of an annotator's paragraphs. The official script takes none from who finds the question unanswerable. */
function goldParagraphs({ type, evidence = [] }: AcceptedAnswer, textOnly: boolean): string[] {
  if (type === 'unanswerable') return []
  const texts = evidence.flatMap(({ text }) => text ?? [])
  return (textOnly ? texts.filter(isText) : texts).map(paragraphKey)
}
