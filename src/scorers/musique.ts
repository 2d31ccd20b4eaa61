import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { bestAnswerScores, fBeta } from './measures/answers/token-f1.ts'
import { columnsInBothForms, forLanguage, inBothForms, noteOnForm } from './shared/answer-language.ts'
import { acceptedAnswers, isCredited } from './shared/accepted-answers.ts'
import { documentsIn, whyNoEvidence } from './retrieval.ts'

/** Exact match and F1 in 0..1 of two sets of paragraphs; 1 when both are empty (metrics/support.py). */
export function supportScores(prediction: ReadonlySet<unknown>, gold: ReadonlySet<unknown>) {
  if (prediction.size === 0 && gold.size === 0) return { supportEM: 1, supportF1: 1 }
  const overlap = [...prediction].filter((id) => gold.has(id)).length
  return {
    supportEM: overlap === prediction.size && overlap === gold.size ? 1 : 0,
    supportF1: overlap === 0 ? 0 : fBeta(overlap / prediction.size, overlap / gold.size),
  }
}

/** MuSiQue's answer and support scores, as fractions; the official script prints them rounded to three places. */
export const musique = defineScorer({
  name: 'musique',
  version: 4,
  summary:
    'Exact match and token F1 against the best of answer and aliases, and both of the documents in the context. Questions without an answer are skipped.',
  source: 'Official MuSiQue script (StonyBrookNLP/musique@922ac98f, evaluate_v1.0.py)',
  kinds: ['answer'],
  options: z.strictObject({}),
  onRequest: true,
  rates: 'f1',
  forLanguage,
  note: noteOnForm,
  columns: (options) => [
    ...columnsInBothForms(options, [
      { metric: 'exactMatch', label: 'EM' },
      { metric: 'f1', label: 'F1' },
    ]),
    { metric: 'supportF1', label: 'support F1' },
    { metric: 'supportEM', label: 'support EM', shown: false },
  ],
  async score(input, _models, options) {
    const { answer, context } = input
    const { reference, evidence = [] } = input.question
    const golds = acceptedAnswers(reference).filter(({ type }) => type !== 'unanswerable')
    if (golds.length === 0) return { skipped: 'the question has no reference answer' }
    const texts = golds.map(({ text }) => text)
    const contextDocuments = new Set(context.flatMap(documentsIn))
    const supporting = new Set(evidence.map((piece) => piece.documentId))
    return {
      metrics: {
        ...inBothForms(options, (tokens) =>
          isCredited(input) ? bestAnswerScores(answer.text, texts, 1, tokens) : { exactMatch: 0, f1: 0 },
        ),
        ...(whyNoEvidence(input.question) === undefined && supportScores(contextDocuments, supporting)),
      },
    }
  },
})
