import { mulberry32 } from '../../src/math/random.ts'
import { compareRows, type RowComparison } from '../../src/report/compare/compare-rows.ts'
import type { ScorerRecord } from '../../src/records.ts'
import { small, type BenchRow } from './row.ts'
import { verdictsBench } from './verdicts.ts'

const [runs, clusters] = [small ? 10 : 2000, 24]
const alpha = 0.05

/** Right or wrong answers of two rows to questions, each with the text that it is about. */
interface Answers {
  readonly a: readonly number[]
  readonly b: readonly number[]
  readonly texts: readonly number[]
}

/**
 * Synthetic runs of two rows through the comparison of a table: how often it is wrong where they do not differ, and how
 * often it finds the difference that the note below such tables says it detects (the median of what they say).
 */
export async function testsBench(): Promise<readonly BenchRow[]> {
  const random = mulberry32(42)
  const alike = drawn(() => clustered(random, 0))
  const compared = alike.map(byText)
  const promised = promiseOf(compared)
  const few = promiseOf(drawn(() => independent(random, 0)).map(byQuestion))
  const note = `${runs.toLocaleString('en-US')} runs of ${clusters} texts with 6 to 18 questions`
  return [
    rate('wrong at p <= .05: clustered test', compared, { goal: alpha, reach: 0.01, note }),
    rate('  the same runs, questions taken as independent', alike.map(byQuestion), {
      note: 'the naive test, beside it',
    }),
    rate(
      `power at ${points(promised)}, which the notes promise`,
      drawn(() => clustered(random, promised)).map(byText),
      {
        ...{ goal: 0.8, reach: 0.03, note },
      },
    ),
    rate(`power at ${points(few)}, which the notes promise`, drawn(() => independent(random, few)).map(byQuestion), {
      ...{ goal: 0.8, reach: 0.03, note: 'McNemar, 68 independent questions' },
    }),
    ...verdictsBench(),
  ]
}

const drawn = (draw: () => Answers): readonly Answers[] => Array.from({ length: runs }, draw)

/** Some texts are harder, and some favour a row: the difference varies between texts, around its mean. */
function clustered(random: () => number, difference: number): Answers {
  const all = Array.from({ length: clusters }, (_, text) => {
    const [ease, favour] = [0.3 * (random() - 0.5), 0.4 * (random() - 0.5) + difference / 2]
    return Array.from({ length: 6 + Math.floor(13 * random()) }, () => ({
      a: Number(random() < 0.5 + ease + favour),
      b: Number(random() < 0.5 + ease - favour),
      text,
    }))
  }).flat()
  return { a: all.map(({ a }) => a), b: all.map(({ b }) => b), texts: all.map(({ text }) => text) }
}

/** One question a text; the rows agree on half of the questions. */
function independent(random: () => number, difference: number): Answers {
  const pairs = Array.from({ length: 68 }, () => {
    const at = random()
    const both = Number(at < 0.25)
    return at < 0.5 ? [both, both] : at < 0.75 + difference / 2 ? [1, 0] : [0, 1]
  })
  const side = (which: 0 | 1): number[] => pairs.map((pair) => pair[which] ?? 0)
  return { a: side(0), b: side(1), texts: [...pairs.keys()] }
}

const byText = (answers: Answers): RowComparison => compare(answers, (question) => answers.texts[question] ?? question)
const byQuestion = (answers: Answers): RowComparison => compare(answers, (question) => question)

/** What a table says of two rows with these scores. */
function compare(answers: Answers, clusterOf: (question: number) => number): RowComparison {
  const methods = (['a', 'b'] as const).map((id) => ({ method: id, variant: '', id, use: id, options: {} }))
  const scorer: ScorerRecord = {
    ...{ id: 's', scorer: 's', use: 's', version: 1, options: {}, kinds: ['answer'], judge: false },
    columns: [{ metric: 's' }],
  }
  const compared: RowComparison | string | undefined = compareRows(
    {
      methods,
      scorers: [scorer],
      seed: 42,
      compare: { alternative: 'two-sided', metric: { scorer: 's', metric: 's' } },
    },
    {
      cells: [],
      questions: { clusterOf, numberOf: Number },
      byQuestion: (id) =>
        (id === 'a' ? answers.a : answers.b).map((mean, question) => ({ question, mean, repeats: [] })),
      failedQuestions: () => new Set(),
    },
  )
  if (compared === undefined || typeof compared === 'string') throw new Error(`nothing was compared: ${compared ?? ''}`)
  return compared
}

const promiseOf = (compared: readonly RowComparison[]): number =>
  compared.map(({ smallestDifference }) => smallestDifference ?? NaN).sort((x, y) => x - y)[runs / 2] ?? NaN

function rate(
  name: string,
  compared: readonly RowComparison[],
  { goal, reach = 0, note }: { goal?: number; reach?: number; note: string },
): BenchRow {
  const share = compared.filter(({ pairs }) => (pairs[0]?.p ?? 1) <= alpha).length / compared.length
  const known = goal !== undefined
  return {
    name,
    figure: percent(share),
    goal: known ? `${percent(goal)} ± ${100 * reach}` : '–',
    met: known ? Math.abs(share - goal) <= reach : null,
    note,
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const points = (difference: number): string => `${(100 * difference).toFixed(1)} points`
