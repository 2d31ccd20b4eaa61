import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { correctThreshold } from '../basics/metrics.ts'
import { defineScorer } from '../define.ts'
import { containsAnswer } from '../text/contains-answer.ts'
import { whyNoEvidence } from './shared/evidence.ts'
import type { Outcome, RatedScore, Score, ScorerInput, Evidence, EvidencePlace, Question } from '../types.ts'

/** Every cause with its title in a table, in the order in which they are looked for. */
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

/** One cause for every wrong answer to a question with evidence, by facts that the trials and the other scores hold. */
export const failureCause = defineScorer({
  name: 'failure-cause',
  version: 4,
  summary:
    'Why a wrong answer to a question with evidence is wrong, the first that is true: the trial failed; another scorer says that it is right, or the answer contains the reference as the scorer `contains` reads it; the answer from the oracle row is wrong too, by the same rules; nothing was retrieved; evidence is not in the ranking; chunking cut it and a part is missing; it lies beyond the budget; it is in the context and was not used.',
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
    ...['answererUntold', 'beyondUntold'].map((metric) => ({
      metric,
      unit: 'count' as const,
      better: 'none' as const,
      shown: false as const,
    })),
  ],
  async score(asked, _models, { by }) {
    const { question, outcome } = asked
    const skipped = whyNoEvidence(question)
    if (skipped !== undefined) return { skipped }
    if (!outcome) return { skipped: 'what other scorers say of the answer is not known here' }
    if (outcome.context === 'none') return { skipped: 'the row is asked without a context on purpose' }
    if (outcome.failed) return caused('failed')
    const { scores, oracle } = outcome
    const main = by === null ? scores[0] : scores.find(({ scorer }) => scorer === by)
    if (!main) return { skipped: `${by ?? 'no scorer that rates answers'} has no score for this answer` }
    const isRight = ({ value }: RatedScore): boolean => value >= correctThreshold
    const facts = { by: main.scorer, score: main.value }
    if (isRight(main)) return { metrics: metricsOf(), parts: facts }
    const rightBy = (rated: readonly RatedScore[], answer: string): readonly string[] => [
      ...rated.filter((one) => one.scorer !== main.scorer && isRight(one)).map(({ scorer }) => scorer),
      ...(quotes(answer, question) ? ['the reference stands in the answer'] : []),
    ]
    const others = rightBy(scores, asked.answer.text)
    if (others.length > 0) return caused('disagree', { ...facts, right: others })
    if (outcome.isOracle) return caused('answerer', facts)
    const best = oracle?.scores.find(({ scorer }) => scorer === main.scorer)
    const isOracleRight = oracle && ((best && isRight(best)) || rightBy(oracle.scores, oracle.answer).length > 0)
    if (best && !isOracleRight) return caused('answerer', { ...facts, oracle: best.value })
    const untold = isOracleRight ? [] : ['answererUntold' as const]
    return asked.context.length === 0 ? caused('nothing', facts, untold) : byEvidence(asked, outcome, facts, untold)
  },
})

function byEvidence(
  { question }: ScorerInput,
  { evidence: places, deep }: Outcome,
  facts: Facts,
  untold: readonly Untold[],
): Score {
  if (!places)
    return { skipped: 'the trial does not say where its evidence stands: it is of an earlier version of gembench' }
  const cause = causeOfEvidence(places, evidenceSets(question))
  if (cause === undefined) return { skipped: 'the evidence stands in no document word for word' }
  const isBeyondUntold = cause === 'unranked' && !deep
  return caused(cause, { ...facts, evidence: places }, [
    ...untold,
    ...(isBeyondUntold ? ['beyondUntold' as const] : []),
  ])
}

type Facts = Readonly<Record<string, unknown>>

const caused = (cause: Cause, facts: Facts = {}, untold: readonly Untold[] = []): Score => ({
  metrics: metricsOf(cause, untold),
  parts: { cause, ...facts },
})

/** What could not be told: without a score of the oracle's answer, or a ranking beyond the budget. */
type Untold = 'answererUntold' | 'beyondUntold'

/** 1 for the cause, where the answer is wrong, and for what could not be told. */
const metricsOf = (cause?: Cause, untold: readonly Untold[] = []): Readonly<Record<string, number>> => ({
  wrong: Number(cause !== undefined),
  ...Object.fromEntries(Object.keys(causes).map((one) => [one, Number(one === cause)])),
  answererUntold: Number(untold.includes('answererUntold')),
  beyondUntold: Number(untold.includes('beyondUntold')),
})

/** Whether an answer contains an accepted one; "yes", "no" and "unanswerable" show nothing. */
function quotes(answer: string, { text: question, reference }: Question): boolean {
  if (reference.kind !== 'answer') return false
  return reference.accepted.some(
    ({ text, type }) =>
      type !== 'boolean' &&
      type !== 'unanswerable' &&
      !/^(?:yes|no|unanswerable)?$/i.test(text.trim()) &&
      containsAnswer(answer, text, question),
  )
}

/** Pieces of evidence that support an answer together, by index: those of each accepted answer, or all. */
export function evidenceSets({ evidence = [], reference }: Question): readonly (readonly number[])[] {
  const key = ({ documentId, text, start }: Evidence): string => JSON.stringify([documentId, text, start])
  const indexOf = new Map(evidence.map((one, index) => [key(one), index]))
  const accepted = reference.kind === 'answer' ? reference.accepted : []
  const sets = accepted.flatMap(({ evidence: own = [] }) => {
    const found = own.map((one) => indexOf.get(key(one)))
    return found.length > 0 && !found.includes(undefined) ? [found.filter((one) => one !== undefined)] : []
  })
  return sets.length > 0 ? sets : [[...evidence.keys()]]
}

type Found = Exclude<EvidencePlace, { readonly absent: true }>

/**
 * Why evidence did not lead to the answer, by the set of which the fewest pieces are missing in the context: one that
 * is not in the ranking, then one that chunking cut and of which a part is in the context, then one beyond the budget;
 * `unused` where none is missing, undefined where no piece stands in a document.
 */
export function causeOfEvidence(
  places: readonly EvidencePlace[],
  sets: readonly (readonly number[])[],
): 'unranked' | 'cut' | 'beyond' | 'unused' | undefined {
  const known = sets
    .map((set) => set.map((index) => itemAt(places, index)).filter((place): place is Found => !('absent' in place)))
    .filter(({ length }) => length > 0)
    .map((pieces) => pieces.filter(({ context }) => context !== 'whole').map(causeOfPiece))
    .sort((a, b) => a.length - b.length)
  const [missing] = known
  if (!missing) return undefined
  return (['unranked', 'cut', 'beyond'] as const).find((cause) => missing.includes(cause)) ?? 'unused'
}

/** Why a piece is not whole in the context; one that chunking cut counts as ranked where a part of it is. */
function causeOfPiece({ cut, context, ranking }: Found): 'unranked' | 'cut' | 'beyond' {
  if (cut && context === 'part') return 'cut'
  if (ranking === 'whole' || (cut && ranking === 'part')) return 'beyond'
  return 'unranked'
}
