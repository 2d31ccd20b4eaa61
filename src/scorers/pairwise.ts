import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { mean } from '../math/statistics/descriptive.ts'
import { compareAnswers, comparedOn, isCriterion, type Comparison, type Criterion } from '../tasks/verdicts.ts'
import type { Answer, Models, Opponent, Question, Score } from '../types.ts'
import { awaitAll } from './measures/ragas/claims.ts'

const builtInCriteria = Object.keys(comparedOn).filter(isCriterion)

/** GraphRAG's criteria, and its control. */
const defaultCriteria: readonly Criterion[] = ['comprehensiveness', 'diversity', 'empowerment', 'directness']

const customCriterion = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][A-Za-z0-9-]*$/, 'must be letters, digits and hyphens, the first a small letter')
    .refine(
      (name) => !['ties', 'flips', 'lengthRatio', ...builtInCriteria].includes(name),
      'names a column that there is',
    )
    .describe('the name of its column'),
  asks: z.string().min(1).describe('what the judge is asked about the two answers'),
})

type PairwiseCriterion = Criterion | z.output<typeof customCriterion>

const nameOf = (criterion: PairwiseCriterion): string => (typeof criterion === 'string' ? criterion : criterion.name)

const distinctCriteria = (criteria: readonly PairwiseCriterion[]): readonly PairwiseCriterion[] => [
  ...new Map(criteria.map((criterion) => [nameOf(criterion), criterion])).values(),
]

/** A judge compares the answers of two rows on each criterion, in both orders. */
export const pairwise = defineScorer({
  name: 'pairwise',
  version: 2,
  summary:
    'A judge compares each answer with those of other rows, in both orders; a win counts only where both orders agree.',
  source:
    'Edge et al. 2024 (GraphRAG), section 4; microsoft/benchmark-qed@464dc2bd, autoe/pairwise; wins by agreement are ours',
  kinds: ['answer', 'summary', 'turn'],
  options: z.strictObject({
    against: z
      .array(z.string().min(1))
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'The rows that every other row is compared with, by their names in the table; null: every row with every other, but † and ‡ rows only where they are named',
      ),
    criteria: z
      .array(z.union([z.enum(builtInCriteria), customCriterion]))
      .min(1)
      .default([...defaultCriteria])
      .describe(
        'What answers are compared on, a call for each order; the rows are ranked by the first. Directness is the control; informativeness is that of Graph of Records; or a criterion of your own: { name, asks }',
      ),
  }),
  judge: true,
  tasks: [compareAnswers],
  ranges: { lengthRatio: [0, 1e9] },
  columns: ({ criteria }) => [
    ...distinctCriteria(criteria).map((criterion) => ({ metric: nameOf(criterion) })),
    ...['ties', 'flips'].map((metric) => ({ metric, better: 'none' as const })),
    { metric: 'lengthRatio', label: 'length ratio of winners', unit: 'number' },
    ...distinctCriteria(criteria).flatMap((criterion) => [
      { metric: `${nameOf(criterion)}Wins`, shown: false as const },
      ...['Losses', 'Flips'].map((end) => ({
        metric: `${nameOf(criterion)}${end}`,
        better: 'none' as const,
        shown: false as const,
      })),
    ]),
  ],
  needs: ({ against }) => ({ opponents: against ?? 'all' }),
  note: ({ against, criteria }) =>
    `a judge compares each answer with ${against ? `that of ${against.join(', ')}` : 'those of all other rows that are compared'}, in both orders; a win (1) counts where both orders agree, what else is a tie (0.5); flips are pairs of which both orders prefer the same place; ties and flips over all criteria; length ratio: tokens of the winner by those of the loser. Rows are ranked by ${distinctCriteria(criteria).map(nameOf)[0]}, the mean over opponents and questions.`,
  async score({ question, answer, opponents }, models, { criteria }) {
    if (answer.canned) return { skipped: 'no model gave the answer: no context was found' }
    if (!opponents) return { skipped: 'there are no answers of other rows to compare with' }
    if (opponents.length === 0) return { skipped: 'no other row is compared with it' }
    const judgedOpponents = opponents.flatMap(({ row, answer: opponentAnswer }) =>
      opponentAnswer && !opponentAnswer.canned ? [{ row, answer: opponentAnswer }] : [],
    )
    if (judgedOpponents.length === 0) return { skipped: skipReason(opponents) }
    const pairs = await awaitAll(
      judgedOpponents.flatMap((opponent) =>
        distinctCriteria(criteria).map((criterion) => comparePair({ question, answer, opponent, criterion }, models)),
      ),
    )
    return scoreOf(pairs)
  },
})

/** Two answers compared on a criterion; `ratio`: tokens of the winner over those of the loser. */
type Pair = Awaited<ReturnType<typeof comparePair>>

interface Duel {
  readonly question: Question
  readonly answer: Answer
  readonly opponent: Required<Opponent>
  readonly criterion: PairwiseCriterion
}

/** Makes the same two calls from either side. */
async function comparePair({ question, answer, opponent, criterion }: Duel, models: Models) {
  const ownText = answer.text
  const opponentText = opponent.answer.text
  const request = {
    question: question.text,
    criterion: nameOf(criterion),
    ...(typeof criterion === 'object' && { asks: criterion.asks }),
  }
  const [shownFirst, shownSecond] = await awaitAll([
    models.run(compareAnswers, { ...request, first: ownText, second: opponentText }),
    models.run(compareAnswers, { ...request, first: opponentText, second: ownText }),
  ])
  const outcome = agreedOutcome(shownFirst.winner, shownSecond.winner)
  const [winner, loser] = outcome.score === 1 ? [ownText, opponentText] : [opponentText, ownText]
  const most = models.countTokens(winner)
  const least = models.countTokens(loser)
  const ratio = outcome.score !== 0.5 && least > 0 ? most / least : undefined
  return { against: opponent.row, criterion: nameOf(criterion), ...outcome, shownFirst, shownSecond, ratio }
}

function scoreOf(pairs: readonly Pair[]): Score {
  const share = (subset: readonly Pair[], is: (pair: Pair) => boolean) => subset.filter(is).length / subset.length
  const criteria = [...new Set(pairs.map(({ criterion }) => criterion))]
  const byCriterion = criteria.flatMap((criterion) => {
    const criterionPairs = pairs.filter((pair) => pair.criterion === criterion)
    return [
      [criterion, mean(criterionPairs.map(({ score }) => score))] as const,
      [`${criterion}Wins`, share(criterionPairs, ({ score }) => score === 1)] as const,
      [`${criterion}Losses`, share(criterionPairs, ({ score }) => score === 0)] as const,
      [`${criterion}Flips`, share(criterionPairs, ({ flip }) => flip)] as const,
    ]
  })
  const ratios = pairs.flatMap(({ ratio }) => ratio ?? [])
  return {
    metrics: {
      ...Object.fromEntries(byCriterion),
      ties: share(pairs, ({ score }) => score === 0.5),
      flips: share(pairs, ({ flip }) => flip),
      ...(ratios.length > 0 && { lengthRatio: mean(ratios) }),
    },
    parts: { pairs },
  }
}

const skipReason = (opponents: readonly Opponent[]): string =>
  opponents.some(({ answer }) => answer)
    ? 'no model gave the answer of the other row: no context was found'
    : 'the other row has no answer: its trial failed or was not made'

/**
 * The outcome for the answer that the first call shows first: a win, 1, or a loss, 0, only if both orders agree (ours;
 * microsoft/benchmark-qed takes the mean of both). `flip`: both prefer the same position, and so different answers.
 */
function agreedOutcome(shownFirst: Comparison['winner'], shownSecond: Comparison['winner']) {
  if (shownFirst === 1 && shownSecond === 2) return { score: 1, flip: false }
  if (shownFirst === 2 && shownSecond === 1) return { score: 0, flip: false }
  return { score: 0.5, flip: shownFirst !== 0 && shownFirst === shownSecond }
}
