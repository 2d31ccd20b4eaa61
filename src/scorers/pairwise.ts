import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { mean } from '../math/statistics/descriptive.ts'
import { compareAnswers, comparedOn, isCriterion, type Comparison, type Criterion } from '../tasks/verdicts.ts'
import type { Answer, Models, Opponent, Question, Score } from '../types.ts'
import { allDone } from './measures/ragas/claims.ts'

const known = Object.keys(comparedOn).filter(isCriterion)

/** Those of GraphRAG and its control. */
const usual: readonly Criterion[] = ['comprehensiveness', 'diversity', 'empowerment', 'directness']

const own = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][A-Za-z0-9-]*$/, 'must be letters, digits and hyphens, the first a small letter')
    .refine((name) => !['ties', 'flips', 'lengthRatio', ...known].includes(name), 'names a column that there is')
    .describe('the name of its column'),
  asks: z.string().min(1).describe('what the judge is asked about the two answers'),
})

type Compared = Criterion | z.output<typeof own>

const nameOf = (criterion: Compared): string => (typeof criterion === 'string' ? criterion : criterion.name)

const eachOnce = (criteria: readonly Compared[]): readonly Compared[] => [
  ...new Map(criteria.map((one) => [nameOf(one), one])).values(),
]

/** A judge prefers one of two answers on each criterion, in both orders; other rows' answers are the opponents. */
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
        'The rows that every other row is compared with, by their names in the table, such as one baseline; null: every row with every other, but for † and ‡ rows, which are opponents only where they are named',
      ),
    criteria: z
      .array(z.union([z.enum(known), own]))
      .min(1)
      .default([...usual])
      .describe(
        'What answers are compared on, a call for each order; the rows are ranked by the first. Directness is the control; informativeness is that of Graph of Records; or a criterion of your own: { name, asks }',
      ),
  }),
  judge: true,
  ranks: true,
  tasks: [compareAnswers],
  ranges: { lengthRatio: [0, 1e9] },
  columns: ({ criteria }) => [
    ...eachOnce(criteria).map((one) => ({ metric: nameOf(one) })),
    ...['ties', 'flips'].map((metric) => ({ metric, better: 'none' as const })),
    { metric: 'lengthRatio', label: 'length ratio of winners', unit: 'number' },
    ...eachOnce(criteria).flatMap((one) => [
      { metric: `${nameOf(one)}Wins`, shown: false as const },
      ...['Losses', 'Flips'].map((end) => ({
        metric: `${nameOf(one)}${end}`,
        better: 'none' as const,
        shown: false as const,
      })),
    ]),
  ],
  needs: ({ against }) => ({ opponents: against ?? 'all' }),
  note: ({ against, criteria }) =>
    `a judge compares each answer with ${against ? `that of ${against.join(', ')}` : 'those of all other rows that are compared'}, in both orders; a win (1) counts where both orders agree, what else is a tie (0.5); flips are pairs of which both orders prefer the same place; ties and flips over all criteria; length ratio: tokens of the winner by those of the loser. Rows are ranked by ${eachOnce(criteria).map(nameOf)[0]}, the mean over opponents and questions.`,
  async score({ question, answer, opponents }, models, { criteria }) {
    if (answer.canned) return { skipped: 'no model gave the answer: no context was found' }
    if (!opponents) return { skipped: 'there are no answers of other rows to compare with' }
    if (opponents.length === 0) return { skipped: 'no other row is compared with it' }
    const judged = opponents.flatMap(({ row, answer: other }) =>
      other && !other.canned ? [{ row, answer: other }] : [],
    )
    if (judged.length === 0) return { skipped: whyNone(opponents) }
    const pairs = await allDone(
      judged.flatMap((other) =>
        eachOnce(criteria).map((criterion) => compared({ question, answer, other, criterion }, models)),
      ),
    )
    return scoreOf(pairs, opponents.length - judged.length)
  },
})

/** One answer against another on one criterion; `ratio`: tokens of the winner by those of the loser. */
interface Pair extends AgreedOutcome {
  readonly against: string
  readonly criterion: string
  readonly shownFirst: Comparison
  readonly shownSecond: Comparison
  readonly ratio?: number
}

interface Duel {
  readonly question: Question
  readonly answer: Answer
  readonly other: Required<Opponent>
  readonly criterion: Compared
}

/** The same two calls come of it from either side. */
async function compared({ question, answer, other, criterion }: Duel, models: Models): Promise<Pair> {
  const [own, others] = [answer.text, other.answer.text]
  const asked = {
    question: question.text,
    criterion: nameOf(criterion),
    ...(typeof criterion === 'object' && { asks: criterion.asks }),
  }
  const [shownFirst, shownSecond] = await allDone([
    models.run(compareAnswers, { ...asked, first: own, second: others }),
    models.run(compareAnswers, { ...asked, first: others, second: own }),
  ])
  const outcome = agreedOutcome(shownFirst.winner, shownSecond.winner)
  const [winner, loser] = outcome.score === 1 ? [own, others] : [others, own]
  const [most, least] = [models.countTokens(winner), models.countTokens(loser)]
  const ratio = outcome.score !== 0.5 && least > 0 && { ratio: most / least }
  return { against: other.row, criterion: nameOf(criterion), ...outcome, shownFirst, shownSecond, ...ratio }
}

function scoreOf(pairs: readonly Pair[], leftOut: number): Score {
  const share = (some: readonly Pair[], is: (pair: Pair) => boolean) => some.filter(is).length / some.length
  const criteria = [...new Set(pairs.map(({ criterion }) => criterion))]
  const byCriterion = criteria.flatMap((criterion) => {
    const own = pairs.filter((pair) => pair.criterion === criterion)
    return [
      [criterion, mean(own.map(({ score }) => score))] as const,
      [`${criterion}Wins`, share(own, ({ score }) => score === 1)] as const,
      [`${criterion}Losses`, share(own, ({ score }) => score === 0)] as const,
      [`${criterion}Flips`, share(own, ({ flip }) => flip)] as const,
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
    parts: { pairs, ...(leftOut > 0 && { opponentsWithoutAnAnswer: leftOut }) },
  }
}

const whyNone = (opponents: readonly Opponent[]): string =>
  opponents.some(({ answer }) => answer)
    ? 'no model gave the answer of the other row: no context was found'
    : 'the other row has no answer: its trial failed or was not made'

/** What two trials of one pair come to, for the answer that was shown first in the first of them. */
interface AgreedOutcome {
  /** 1 where both orders prefer it, 0 where both prefer the other, one half otherwise. */
  readonly score: 1 | 0.5 | 0
  /** Whether both orders prefer the same place, and so different answers. */
  readonly flip: boolean
}

/** A win counts only where both orders agree (ours; microsoft/benchmark-qed takes the mean of both orders). */
export function agreedOutcome(shownFirst: Comparison['winner'], shownSecond: Comparison['winner']): AgreedOutcome {
  if (shownFirst === 1 && shownSecond === 2) return { score: 1, flip: false }
  if (shownFirst === 2 && shownSecond === 1) return { score: 0, flip: false }
  return { score: 0.5, flip: shownFirst !== 0 && shownFirst === shownSecond }
}
