import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { answerTokens, normaliseAnswer } from '../text/words.ts'
import { bestAnswerScores, type Tokens } from './measures/answers/token-f1.ts'
import { answerLanguage, columnsInBothForms, forLanguage, inBothForms, noteOnForm } from './shared/answer-language.ts'
import { acceptedAnswers, creditCannedOption, isCredited } from './shared/accepted-answers.ts'

const versions = [1.1, 2] as const
type SquadVersion = (typeof versions)[number]

/** Exact match and token F1 in 0..1 against the best of several answers. Throws RangeError without one in 1.1. */
export function squadScore(
  prediction: string,
  golds: readonly string[],
  version: SquadVersion,
  tokens: Tokens = answerTokens,
) {
  const goldAnswers = version === 2 ? answerable(golds, tokens) : golds
  return bestAnswerScores(prediction, goldAnswers, version === 2 ? 1 : 0, tokens)
}

/** SQuAD 2.0 drops golds that normalise to nothing; without golds only an empty answer is right. */
function answerable(golds: readonly string[], tokens: Tokens): readonly string[] {
  const nonEmptyGolds = golds.filter((gold) => tokens(gold).length > 0)
  return nonEmptyGolds.length > 0 ? nonEmptyGolds : ['']
}

/** Exact match and token F1 of short answers, as SQuAD's official scripts compute them; fractions, not percentages. */
export const squad = defineScorer({
  name: 'squad',
  version: 2,
  summary: 'Exact match and token F1 against the best accepted answer, as fractions.',
  source: 'Official SQuAD 1.1 and 2.0 scripts (huggingface/evaluate@a7dd3383, metrics/squad and metrics/squad_v2)',
  kinds: ['answer'],
  options: z.strictObject({
    version: z
      .literal(versions)
      .default(1.1)
      .describe(
        'Version of the script; in 2.0 the only correct answer to an unanswerable question is none, and the reply "Unanswerable" counts as none (our reading)',
      ),
    language: answerLanguage,
    creditCanned: creditCannedOption,
  }),
  rates: 'f1',
  forLanguage,
  note: noteOnForm,
  columns: (options) =>
    columnsInBothForms(options, [
      { metric: 'exactMatch', label: 'EM' },
      { metric: 'f1', label: 'F1' },
    ]),
  async score(input, _models, { version, creditCanned: isCannedCredited, ...options }) {
    const { answer } = input
    const answers = acceptedAnswers(input.question.reference)
    const scoreOf = (text: string, golds: readonly string[]) =>
      inBothForms(options, (tokens) =>
        isCredited(input, isCannedCredited) ? squadScore(text, golds, version, tokens) : { exactMatch: 0, f1: 0 },
      )
    if (version === 2) {
      const golds = answers.flatMap(({ type, text }) => (type === 'unanswerable' ? [] : [text]))
      const subsets = [golds.length > 0 ? 'answerable' : 'unanswerable']
      return { metrics: scoreOf(isUnanswerable(answer.text) ? '' : answer.text, golds), subsets }
    }
    if (answers.length === 0) return { skipped: 'the question has no reference answer' }
    const golds = answers.map(({ text }) => text)
    return { metrics: scoreOf(answer.text, golds) }
  },
})

const isUnanswerable = (text: string): boolean => normaliseAnswer(text) === 'unanswerable'
