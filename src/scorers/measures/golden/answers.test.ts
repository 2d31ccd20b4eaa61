import { normaliseAnswer } from '../../../text/words.ts'
import { mlqaTokens, type AnswerLanguage } from '../answers/mlqa.ts'
import { exactMatch, tokenF1 } from '../answers/token-f1.ts'
import { choiceScore } from '../../accuracy.ts'
import { squadScore } from '../../squad.ts'
import { mean } from '../../../math/statistics/descriptive.ts'
import { replayGolden } from '../../../test-support/golden.ts'

/** Normalisation, token F1, SQuAD, MLQA and QuALITY. */
replayGolden({
  'qa.token_f1_em': ({ prediction, reference }: { prediction: string; reference: string }) => ({
    normalized_prediction: normaliseAnswer(prediction),
    normalized_reference: normaliseAnswer(reference),
    qasper_f1: tokenF1(prediction, reference, 0),
    squad11_f1: tokenF1(prediction, reference, 0),
    squad11_em: exactMatch(prediction, reference),
    squad2_f1: tokenF1(prediction, reference, 1),
    squad2_em: exactMatch(prediction, reference),
    musique_f1: tokenF1(prediction, reference, 1),
    musique_em: exactMatch(prediction, reference),
  }),
  'mlqa.scores': mlqa,
  'squad11.evaluate': squad11,
  'squad2.evaluate': squad2,
  'quality.evaluate': quality,
})

interface Mlqa {
  readonly language: AnswerLanguage
  readonly prediction: string
  readonly accepted: readonly string[]
}

function mlqa({ language, prediction, accepted }: Mlqa) {
  const tokens = (text: string) => mlqaTokens(text, language)
  const { exactMatch, f1 } = squadScore(prediction, accepted, 1.1, tokens)
  return { exact_match: exactMatch, f1, normalised: tokens(prediction).join(' ') }
}

interface Squad {
  readonly references: Readonly<Record<string, readonly string[]>>
  readonly predictions: Readonly<Record<string, string>>
}

/** A question without a prediction scores 0. */
function squad11({ references, predictions }: Squad) {
  const scores = Object.entries(references).map(([id, golds]) => {
    const prediction = predictions[id]
    return prediction === undefined ? { exactMatch: 0, f1: 0 } : squadScore(prediction, golds, 1.1)
  })
  if (scores.length === 0) throw new RangeError('SQuAD needs questions')
  const { exact, f1 } = percentages(scores)
  return { exact_match: exact, f1 }
}

/** A question without a prediction is left out. */
function squad2({ references, predictions }: Squad) {
  const scored = Object.entries(references).flatMap(([id, golds]) => {
    const prediction = predictions[id]
    return prediction === undefined
      ? []
      : [{ ...squadScore(prediction, golds, 2), kind: golds.length > 0 ? 'HasAns' : 'NoAns' }]
  })
  if (scored.length === 0) throw new RangeError('SQuAD needs predictions')
  return Object.assign(
    percentages(scored),
    ...['HasAns', 'NoAns'].map((kind) => {
      const part = scored.filter((score) => score.kind === kind)
      if (part.length === 0) return {}
      return Object.fromEntries(Object.entries(percentages(part)).map(([name, value]) => [`${kind}_${name}`, value]))
    }),
  ) as unknown
}

const percentages = (scores: readonly { readonly exactMatch: number; readonly f1: number }[]) => ({
  exact: 100 * mean(scores.map((score) => score.exactMatch)),
  f1: 100 * mean(scores.map((score) => score.f1)),
  total: scores.length,
})

interface Quality {
  readonly gold: Readonly<Record<string, { readonly gold_label: number; readonly difficult: number }>>
  readonly predictions: Readonly<Record<string, number | null>>
}

/** Labels from 1; -1 and a missing prediction abstain. */
function quality({ gold, predictions }: Quality) {
  const scored = Object.entries(gold).map(([id, { gold_label, difficult }]) => {
    const label = predictions[id] ?? -1
    return { difficult, abstained: label === -1, ...choiceScore(label === -1 ? null : label - 1, gold_label - 1) }
  })
  const summary = (part: typeof scored) => {
    if (part.length === 0) return null
    const correct = part.filter((one) => one.accuracy === 1).length
    const abstained = part.filter((one) => one.abstained).length
    return {
      n: part.length,
      correct,
      incorrect: part.length - correct - abstained,
      abstained,
      accuracy: mean(part.map((one) => one.accuracy)),
      sat_score: mean(part.map((one) => one.sat)),
    }
  }
  return { all: summary(scored), hard: summary(scored.filter((one) => one.difficult === 1)) }
}
