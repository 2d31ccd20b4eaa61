import { mean } from '../../../math/statistics/descriptive.ts'
import { supportScores } from '../../musique.ts'
import { bestAnswerScores } from '../answers/token-f1.ts'
import { replayGolden, notOurs, pythonRound } from '../../../test-support/golden.ts'
/** MuSiQue's evaluation of a whole file; the groups of an answerable and an unanswerable twin are no scores of ours. */
replayGolden({ 'musique.evaluate': evaluate })

interface Gold {
  readonly id: string
  readonly answer: string
  readonly answer_aliases: readonly string[]
  readonly answerable: boolean
  readonly paragraphs: readonly { readonly idx: number; readonly is_supporting: boolean }[]
}

interface Prediction {
  readonly id: string
  readonly predicted_answer: string
  readonly predicted_support_idxs: readonly number[]
}

function evaluate({ gold, predictions }: { gold: readonly Gold[]; predictions: readonly Prediction[] }) {
  if (gold.some(({ id }, index) => predictions[index]?.id !== id)) throw new RangeError('every instance, in order')
  const scored = gold.flatMap((instance, index) => (instance.answerable ? [score(instance, predictions[index]!)] : []))
  const over = (metric: keyof (typeof scored)[number]) => meanOrZero(scored.map((one) => one[metric]))
  const unrounded = {
    answer_em: over('exactMatch'),
    answer_f1: over('f1'),
    support_em: over('supportEM'),
    support_f1: over('supportF1'),
  }
  const groups = { group_answer_sufficiency_f1: notOurs, group_support_sufficiency_f1: notOurs }
  return { ...rounded(unrounded), ...groups, unrounded: { ...unrounded, ...groups } }
}

function score({ answer, answer_aliases, paragraphs }: Gold, prediction: Prediction) {
  const wanted = paragraphs.filter((paragraph) => paragraph.is_supporting).map((paragraph) => paragraph.idx)
  return {
    ...bestAnswerScores(prediction.predicted_answer, [answer, ...answer_aliases], 1),
    ...supportScores(new Set(prediction.predicted_support_idxs), new Set(wanted)),
  }
}

const rounded = (values: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pythonRound(value, 3)]))

const meanOrZero = (values: readonly number[]): number => (values.length === 0 ? 0 : mean(values))
