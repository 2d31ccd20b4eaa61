import { mean } from '../../src/math/statistics/sum.ts'
import { fBeta } from '../../src/scorers/f-beta.ts'
import { exactMatch, tokenF1 } from '../../src/scorers/answers/token-f1.ts'
import { pythonRound } from './round.ts'
import type { Adapter } from './run.ts'

/** MuSiQue's evaluation of a whole file: answers, support, and in the full set the groups of an answerable and an unanswerable twin. */
export const musique: Readonly<Record<string, Adapter>> = { 'musique.evaluate': evaluate }

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
  readonly predicted_answerable: boolean
}

function evaluate({ gold, predictions }: { gold: readonly Gold[]; predictions: readonly Prediction[] }) {
  if (gold.length !== predictions.length) throw new RangeError('MuSiQue needs one prediction for every instance')
  const scored = gold.map((instance, index) => score(instance, predictions[index]!))
  const answerable = scored.filter((one) => one.answerable)
  const unrounded = {
    answer_em: meanOrZero(answerable.map((one) => one.answerEm)),
    answer_f1: meanOrZero(answerable.map((one) => one.answerF1)),
    support_em: meanOrZero(answerable.map((one) => one.supportEm)),
    support_f1: meanOrZero(answerable.map((one) => one.supportF1)),
  }
  const groups = answerable.length < scored.length ? groupScores(scored) : {}
  return { ...rounded({ ...unrounded, ...groups }), unrounded: { ...unrounded, ...groups } }
}

type Scored = ReturnType<typeof score>

function score(instance: Gold, prediction: Prediction) {
  if (instance.id !== prediction.id) throw new RangeError('MuSiQue needs predictions in the order of the instances')
  const golds = [instance.answer, ...instance.answer_aliases]
  const wanted = instance.paragraphs.filter((paragraph) => paragraph.is_supporting).map((paragraph) => paragraph.idx)
  return {
    id: instance.id,
    answerable: instance.answerable,
    sufficient: instance.answerable === prediction.predicted_answerable,
    answerEm: Math.max(...golds.map((one) => exactMatch(prediction.predicted_answer, one))),
    answerF1: Math.max(...golds.map((one) => tokenF1(prediction.predicted_answer, one, 1))),
    ...support(new Set(prediction.predicted_support_idxs), new Set(wanted)),
  }
}

function support(predicted: ReadonlySet<number>, wanted: ReadonlySet<number>) {
  if (predicted.size === 0 && wanted.size === 0) return { supportEm: 1, supportF1: 1 }
  const shared = [...predicted].filter((index) => wanted.has(index)).length
  const f1 = shared === 0 ? 0 : fBeta(shared / predicted.size, shared / wanted.size)
  return { supportEm: shared === predicted.size && shared === wanted.size ? 1 : 0, supportF1: f1 }
}

/** A pair counts only when both of its sufficiency flags are right; it then scores as its answerable twin. */
function groupScores(scored: readonly Scored[]) {
  const pairs = [...new Set(scored.map(({ id }) => id))].map((id) => scored.filter((one) => one.id === id))
  if (pairs.some((pair) => pair.length !== 2)) throw new RangeError('MuSiQue needs every id twice')
  const ofPairs = (part: 'answerF1' | 'supportF1') =>
    mean(
      pairs.map((pair) => {
        const twin = pair.find((one) => one.answerable)
        return twin && pair.every((one) => one.sufficient) ? twin[part] : 0
      }),
    )
  return { group_answer_sufficiency_f1: ofPairs('answerF1'), group_support_sufficiency_f1: ofPairs('supportF1') }
}

const rounded = (values: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pythonRound(value, 3)]))

const meanOrZero = (values: readonly number[]): number => (values.length === 0 ? 0 : mean(values))
