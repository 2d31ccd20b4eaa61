import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { correctThreshold } from '../basics/metrics.ts'
import { defineScorer } from '../define.ts'
import { containsAnswer } from '../text/contains-answer.ts'
import { acceptedAnswers } from './shared/accepted-answers.ts'
import { whyNoEvidence } from './retrieval.ts'
import type { Outcome, RatedScore, Score, ScorerInput, Evidence, EvidencePlace, Question } from '../types.ts'

/** Causes with their column titles, in order of precedence. */
const causes = {
  failed: 'call failed',
  disagree: 'scorers disagree',
  answerer: 'answerer',
  nothing: 'nothing retrieved',
  unranked: 'not in the ranking',
  cut: 'cut by chunking',
  beyond: 'beyond the budget',
  unused: 'not used',
} as const

type Cause = keyof typeof causes

/** One cause for every wrong answer to a question with evidence. */
export const failureCause = defineScorer({
  name: 'failure-cause',
  version: 4,
  summary:
    'Why a wrong answer to a question with evidence is wrong, the first that is true: the trial failed; another scorer says that it is right, or the answer contains the reference; the oracle row is wrong too; nothing was retrieved; evidence is not in the ranking; chunking cut it and a part is missing; it lies beyond the budget; it is in the context and was not used.',
  source: 'own',
  kinds: ['choice', 'answer', 'summary', 'turn'],
  onRequest: true,
  options: z.strictObject({
    by: z
      .string()
      .nullable()
      .default(null)
      .describe(
        'Label of the scorer that says whether an answer is wrong; null: the first scorer of the run that rates such answers (accuracy, qasper-f1, squad, musique, factual-correctness, choke)',
      ),
  }),
  needs: () => ({ outcome: true }),
  columns: [
    { metric: 'wrong', label: 'wrong', unit: 'count' },
    ...Object.entries(causes).map(([metric, label]) => ({ metric, label, unit: 'count' as const })),
    // without the answer of the oracle, or in rankings that end too early
    { metric: 'answererUntold', label: 'perhaps answerer', unit: 'count', better: 'none' },
    { metric: 'beyondUntold', label: 'perhaps beyond the budget', unit: 'count', better: 'none' },
  ],
  async score(input, _models, { by }) {
    const { question, outcome } = input
    const skipped = whyNoEvidence(question)
    if (skipped !== undefined) return { skipped }
    if (!outcome) return { skipped: 'what other scorers say of the answer is not known here' }
    if (outcome.context === 'none') return { skipped: 'the row is asked without a context on purpose' }
    if (outcome.failed) return scoreOfCause('failed')
    const { scores, oracle } = outcome
    const primary = by === null ? scores[0] : scores.find(({ scorer }) => scorer === by)
    if (!primary) return { skipped: `${by ?? 'no scorer that rates answers'} has no score for this answer` }
    const isRight = ({ value }: RatedScore): boolean => value >= correctThreshold
    const facts = { by: primary.scorer, score: primary.value }
    if (isRight(primary)) return { metrics: metricsOf(), parts: facts }
    const rightBy = (ratings: readonly RatedScore[], answer: string): readonly string[] => {
      const otherRatings = ratings.filter(({ scorer }) => scorer !== primary.scorer)
      const scorers = otherRatings.filter(isRight).map(({ scorer }) => scorer)
      const quote = quotes(answer, question) ? ['the reference stands in the answer'] : []
      return [...scorers, ...quote]
    }
    const rightScorers = rightBy(scores, input.answer.text)
    if (rightScorers.length > 0) return scoreOfCause('disagree', { ...facts, right: rightScorers })
    if (outcome.isOracle) return scoreOfCause('answerer', facts)
    const best = oracle?.scores.find(({ scorer }) => scorer === primary.scorer)
    const isOracleRight = oracle && ((best && isRight(best)) || rightBy(oracle.scores, oracle.answer).length > 0)
    if (best && !isOracleRight) return scoreOfCause('answerer', { ...facts, oracle: best.value })
    const gaps = isOracleRight ? [] : ['answererUntold' as const]
    return input.context.length === 0 ? scoreOfCause('nothing', facts, gaps) : byEvidence(input, outcome, facts, gaps)
  },
})

function byEvidence(
  { question }: ScorerInput,
  { evidence: places, deep }: Outcome,
  facts: Facts,
  gaps: readonly Undetermined[],
): Score {
  if (!places)
    return { skipped: 'the trial does not say where its evidence stands: it is of an earlier version of gembench' }
  const cause = causeOfEvidence(places, evidenceSets(question))
  if (cause === undefined) return { skipped: 'the evidence stands in no document word for word' }
  const untold = cause === 'unranked' && !deep ? [...gaps, 'beyondUntold' as const] : gaps
  return scoreOfCause(cause, { ...facts, evidence: places }, untold)
}

type Facts = Readonly<Record<string, unknown>>

const scoreOfCause = (cause: Cause, facts: Facts = {}, gaps: readonly Undetermined[] = []): Score => ({
  metrics: metricsOf(cause, gaps),
  parts: { cause, ...facts },
})

/** Causes that need a score of the oracle, or a ranking beyond the budget. */
type Undetermined = 'answererUntold' | 'beyondUntold'

const metricsOf = (cause?: Cause, gaps: readonly Undetermined[] = []): Readonly<Record<string, number>> => ({
  wrong: Number(cause !== undefined),
  ...Object.fromEntries(Object.keys(causes).map((name) => [name, Number(name === cause)])),
  answererUntold: Number(gaps.includes('answererUntold')),
  beyondUntold: Number(gaps.includes('beyondUntold')),
})

/** Whether an answer contains an accepted one, except "yes", "no" and "unanswerable". */
function quotes(answer: string, { text: question, reference }: Question): boolean {
  return acceptedAnswers(reference).some(
    ({ text, type }) =>
      type !== 'boolean' &&
      type !== 'unanswerable' &&
      !/^(?:yes|no|unanswerable)?$/i.test(text.trim()) &&
      containsAnswer(answer, text, question),
  )
}

/** Sets of evidence, by index: one per accepted answer, or all evidence. */
export function evidenceSets({ evidence = [], reference }: Question): readonly (readonly number[])[] {
  const key = ({ documentId, text, start }: Evidence): string => JSON.stringify([documentId, text, start])
  const indexOf = new Map(evidence.map((piece, index) => [key(piece), index]))
  const sets = acceptedAnswers(reference).flatMap(({ evidence: answerEvidence = [] }) => {
    const indices = answerEvidence.map((piece) => indexOf.get(key(piece)))
    return indices.length > 0 && !indices.includes(undefined) ? [indices.filter((index) => index !== undefined)] : []
  })
  return sets.length > 0 ? sets : [[...evidence.keys()]]
}

type LocatedEvidence = Exclude<EvidencePlace, { readonly absent: true }>

/**
 * The cause by evidence, of the set with the fewest missing pieces in the context: a piece is not in the ranking, else
 * chunking cut it and a part is in the context, else it is cut off by the budget; `unused` if none is missing,
 * undefined if no piece is in a document.
 */
export function causeOfEvidence(
  places: readonly EvidencePlace[],
  sets: readonly (readonly number[])[],
): 'unranked' | 'cut' | 'beyond' | 'unused' | undefined {
  const isLocated = (place: EvidencePlace): place is LocatedEvidence => !('absent' in place)
  const causesBySet = sets
    .map((set) => set.map((index) => itemAt(places, index)).filter(isLocated))
    .filter(({ length }) => length > 0)
    .map((pieces) => pieces.filter(({ context }) => context !== 'whole').map(causeOfPiece))
    .sort((a, b) => a.length - b.length)
  const [missing] = causesBySet
  if (!missing) return undefined
  return (['unranked', 'cut', 'beyond'] as const).find((cause) => missing.includes(cause)) ?? 'unused'
}

/** Why a piece is not entirely in the context; one that chunking cut counts as ranked if a part is. */
function causeOfPiece({ cut, context, ranking }: LocatedEvidence): 'unranked' | 'cut' | 'beyond' {
  if (cut && context === 'part') return 'cut'
  if (ranking === 'whole' || (cut && ranking === 'part')) return 'beyond'
  return 'unranked'
}
