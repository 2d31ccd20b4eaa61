import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { exactly, sumOf, times, taskCalls } from '../math/expected.ts'
import { mean } from '../math/statistics/descriptive.ts'
import { compareAnswers, comparedOn, type Comparison, type Criterion } from '../tasks/judging/compare-answers.ts'
import type { Answer, Models, Opponent, Question, Score } from '../types.ts'
import { agreedOutcome, type AgreedOutcome } from './measures/pairwise/agreed-outcome.ts'
import { allDone } from './shared/all-done.ts'

const all = Object.keys(comparedOn) as Criterion[]

/** A judge prefers one of two answers on each criterion, in both orders; the answers of other rows are the opponents. */
export const pairwise = defineScorer({
  name: 'pairwise',
  version: 1,
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
      .array(z.enum(all))
      .min(1)
      .default(all)
      .describe(
        'What answers are compared on, a call for each order; the rows are ranked by the first. Directness is the control',
      ),
  }),
  judge: true,
  ranks: true,
  tasks: [compareAnswers],
  ranges: { lengthRatio: [0, 1e9] },
  columns: ({ criteria }) => [
    ...[...new Set(criteria)].map((metric) => ({ metric })),
    ...['ties', 'flips'].map((metric) => ({ metric, better: 'none' as const })),
    { metric: 'lengthRatio', label: 'length ratio of winners', unit: 'number' },
  ],
  needs: ({ against }) => ({ opponents: against ?? 'all' }),
  note: ({ against, criteria }) =>
    `a judge compares each answer with ${against ? `that of ${against.join(', ')}` : 'those of all other rows that are compared'}, in both orders; a win (1) counts where both orders agree, what else is a tie (0.5); flips are pairs of which both orders prefer the same place; ties and flips over all criteria; length ratio: tokens of the winner by those of the loser. Rows are ranked by ${criteria[0]}, the mean over opponents and questions.`,
  costs({ question, answer, countTokens, row = '', opponents = [] }, { criteria }) {
    const calls = 2 * new Set(criteria).size
    const asked = { calls: exactly(calls), texts: times(sumOf(answer, answer), calls), reply }
    const input = { question: question.text, criterion: 'comprehensiveness', first: '', second: '' } as const
    return opponents.map((other) => ({
      once: JSON.stringify(['pairs', [...new Set(criteria)], [row, other].sort()]),
      ...taskCalls(compareAnswers, input, asked, countTokens),
    }))
  },
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
        [...new Set(criteria)].map((criterion) => compared({ question, answer, other, criterion }, models)),
      ),
    )
    return scoreOf(pairs, opponents.length - judged.length)
  },
})

/** Tokens of a verdict with its reason. */
const reply = { low: 10, expected: 40, high: 120 }

/** One answer against another on one criterion. `ratio`: tokens of the winner by those of the loser, where there is a winner and the loser has any. */
interface Pair extends AgreedOutcome {
  readonly against: string
  readonly criterion: Criterion
  readonly shownFirst: Comparison
  readonly shownSecond: Comparison
  readonly ratio?: number
}

interface Duel {
  readonly question: Question
  readonly answer: Answer
  readonly other: Required<Opponent>
  readonly criterion: Criterion
}

/** The same two calls come of it from either side. */
async function compared({ question, answer, other, criterion }: Duel, models: Models): Promise<Pair> {
  const [own, others] = [answer.text, other.answer.text]
  const asked = { question: question.text, criterion }
  const [shownFirst, shownSecond] = await allDone([
    models.run(compareAnswers, { ...asked, first: own, second: others }),
    models.run(compareAnswers, { ...asked, first: others, second: own }),
  ])
  const outcome = agreedOutcome(shownFirst.winner, shownSecond.winner)
  const [winner, loser] = outcome.score === 1 ? [own, others] : [others, own]
  const [most, least] = [models.countTokens(winner), models.countTokens(loser)]
  const ratio = outcome.score !== 0.5 && least > 0 && { ratio: most / least }
  return { against: other.row, criterion, ...outcome, shownFirst, shownSecond, ...ratio }
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
