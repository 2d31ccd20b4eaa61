import { mulberry32 } from '../../src/math/random.ts'
import { sum } from '../../src/math/statistics/descriptive.ts'
import { studentCritical } from '../../src/math/statistics/distributions.ts'
import { scoredRow } from '../../src/report/gather/observations.ts'
import { compareRows } from '../../src/report/compare/compare-rows.ts'
import type { RowComparison } from '../../src/report/compare/row-comparison.ts'
import { cr2Difference, errorOrNull } from '../../src/math/statistics/cr2.ts'
import { equivalences } from '../../src/report/compare/t-tests.ts'
import { estimate } from '../../src/report/gather/estimate.ts'
import type { ScorerRecord } from '../../src/records.ts'
import { correctionsBench } from './corrections.ts'
import { normal, rate, small, type BenchRow } from './row.ts'
import { verdictsBench } from './verdicts.ts'

const [runs, fewRuns, clusters] = [small ? 10 : 2000, small ? 4 : 400, 24]
const alpha = 0.05

/**
 * Synthetic runs with known truths through the comparison of a table and the estimate of a mean: how often tests are
 * wrong where rows do not differ, how often intervals hold the truth, and how often the difference is found that the
 * note below such tables says would have earned a letter (the median of what they say).
 */
export async function testsBench(): Promise<readonly BenchRow[]> {
  return [...pairBench(), ...intervalBench(), ...familyBench(), ...correctionsBench()]
}

/** Scores of rows on the same questions, each with the text that it is about. */
interface Answers {
  readonly rows: readonly (readonly number[])[]
  readonly texts: readonly number[]
}

function pairBench(): readonly BenchRow[] {
  const random = mulberry32(42)
  const answers = samples(() => clusterScores(random, 0))
  const equalRows = answers.map(byText)
  const smallestDifference = medianSmallestDifference(equalRows)
  const few = medianSmallestDifference(samples(() => independent(random, 0)).map(byQuestion))
  const note = `${runs.toLocaleString('en-US')} runs of ${clusters} texts with 6 to 18 questions`
  return [
    rate('wrong at p <= .05: clustered test', equalRows.map(differs), { goal: alpha, reach: 0.01, note }),
    rate('  the same runs, questions taken as independent', answers.map(byQuestion).map(differs), {
      note: 'the naive test, beside it',
    }),
    rate(
      `power at ${points(smallestDifference)}, which the notes promise`,
      samples(() => clusterScores(random, smallestDifference)).map((item) => differs(byText(item))),
      { goal: 0.8, reach: 0.03, note },
    ),
    rate(
      `power at ${points(few)}, which the notes promise`,
      samples(() => independent(random, few)).map((item) => differs(byQuestion(item))),
      { goal: 0.8, reach: 0.03, note: 'McNemar, 68 independent questions' },
    ),
  ]
}

/** Texts of unequal sizes: a mean, and a test of sameness at its margin; and rare answers of many questions. */
function intervalBench(): readonly BenchRow[] {
  const random = mulberry32(43)
  const dominantSizes = [60, ...Array.from({ length: 9 }, () => 3)]
  const unequal = samples(() => textScores(random, lognormalSizes(random)))
  const dominantScores = samples(() => textScores(random, dominantSizes))
  const shiftedScores = samples(() => textScores(random, lognormalSizes(random)))
  const shiftedDominantScores = samples(() => textScores(random, dominantSizes))
  const rare = samples(() => Array.from({ length: 600 }, () => Number(random() < 0.004)))
  const sizes = '5 to 24 texts, lognormal sizes'
  const large = 'one text of 60 questions, nine of 3'
  const goal = { goal: 0.95, reach: 0.025 }
  return [
    rate(`95 % interval holds the mean: ${sizes}`, unequal.map(holds), goal),
    rate(`  the same by CR1 and t of clusters − 1: ${sizes}`, unequal.map(holdsByCr1), { note: 'as before' }),
    rate(`95 % interval holds the mean: ${large}`, dominantScores.map(holds), goal),
    rate(`  the same by CR1 and t of clusters − 1: ${large}`, dominantScores.map(holdsByCr1), { note: 'as before' }),
    rate(`called the same at the margin: ${sizes}`, shiftedScores.map(isSame), {
      goal: alpha,
      reach: 0.015,
      most: true,
    }),
    rate(`called the same at the margin: ${large}`, shiftedDominantScores.map(isSame), {
      goal: alpha,
      reach: 0.02,
      most: true,
      note: 'fewer than two degrees of freedom: no test',
    }),
    rate(
      '95 % interval holds a share of .004: 600 questions',
      rare.map((values) => {
        const { low, high } = estimate(asScores(values), (question) => question)
        return low !== null && high !== null && low <= 0.004 && 0.004 <= high
      }),
      goal,
    ),
  ]
}

/** Nine and 33 rows on 68 independent questions. */
function familyBench(): readonly BenchRow[] {
  const random = mulberry32(44)
  const draw = (rows: number, lead: number) => (): RowComparison => byQuestion(gradeScores(random, rows, lead))
  const alike = samples(draw(9, 0), fewRuns)
  const smallestDifference = medianSmallestDifference(alike)
  const results = samples(draw(9, smallestDifference), fewRuns)
  const many = samples(draw(33, 0.25), small ? 1 : 40)
  const isLetter = ({ rows }: RowComparison): boolean => rows[0]?.better.includes('b') ?? false
  const note = `${fewRuns} runs of 9 rows, 68 questions`
  return [
    rate(
      'any letter where no row differs: 9 rows',
      alike.map(({ rows }) => rows.some(({ better }) => better.length > 0)),
      { goal: alpha, reach: 0.03, note },
    ),
    rate(
      'all 36 simultaneous intervals hold their truth',
      results.map(({ pairs }) =>
        pairs.every(({ a, simultaneous: { low, high } }) => {
          const truth = a === 'a' ? smallestDifference : 0
          return (low ?? -Infinity) <= truth && truth <= (high ?? Infinity)
        }),
      ),
      { goal: 0.95, reach: 0.03, note },
    ),
    rate(`power at ${points(smallestDifference)}, which the notes promise of a letter`, results.map(isLetter), {
      goal: 0.8,
      reach: 0.06,
      note,
    }),
    rate('letter of a row that is .25 better: 33 rows, 528 pairs', many.map(isLetter), {
      goal: 1,
      reach: 0.05,
      note: 'with Holm over 9,999 signs none could have one',
    }),
    ...verdictsBench(),
  ]
}

const samples = <T>(draw: () => T, count = runs): readonly T[] => Array.from({ length: count }, draw)

/** Some texts are harder, and some favour a row: the difference varies between texts, around its mean. */
function clusterScores(random: () => number, difference: number): Answers {
  const all = Array.from({ length: clusters }, (_, text) => {
    const [ease, favour] = [0.3 * (random() - 0.5), 0.4 * (random() - 0.5) + difference / 2]
    return Array.from({ length: 6 + Math.floor(13 * random()) }, () => ({
      a: Number(random() < 0.5 + ease + favour),
      b: Number(random() < 0.5 + ease - favour),
      text,
    }))
  }).flat()
  return { rows: [all.map(({ a }) => a), all.map(({ b }) => b)], texts: all.map(({ text }) => text) }
}

/** One question a text; the rows agree on half of the questions. */
function independent(random: () => number, difference: number): Answers {
  const pairs = Array.from({ length: 68 }, () => {
    const at = random()
    const agreement = Number(at < 0.25)
    return at < 0.5 ? [agreement, agreement] : at < 0.75 + difference / 2 ? [1, 0] : [0, 1]
  })
  const side = (row: 0 | 1): number[] => pairs.map((pair) => pair[row] ?? 0)
  return { rows: [side(0), side(1)], texts: [...pairs.keys()] }
}

/** Graded scores of rows, the first of which is better by `lead`; questions differ more than rows do. */
function gradeScores(random: () => number, rows: number, lead: number): Answers {
  const ease = Array.from({ length: 68 }, () => random())
  const scores = Array.from({ length: rows }, (_, row) =>
    ease.map((item) => 0.4 * item + 0.6 * random() + (row === 0 ? lead : 0)),
  )
  return { rows: scores, texts: [...ease.keys()] }
}

/** Scores of texts with an effect of their own around 0, and how large each text is. */
interface TextScores {
  readonly values: readonly number[]
  readonly texts: readonly number[]
}

function textScores(random: () => number, sizes: readonly number[]): TextScores {
  const effects = sizes.map(() => normal(random))
  const texts = sizes.flatMap((size, text) => Array.from({ length: size }, () => text))
  return { texts, values: texts.map((text) => 0.5 * (effects[text] ?? NaN) + normal(random)) }
}

function lognormalSizes(random: () => number): readonly number[] {
  const count = 5 + Math.floor(20 * random())
  return Array.from({ length: count }, () => Math.max(1, Math.round(8 * Math.exp(0.8 * normal(random)))))
}

const asScores = (values: readonly number[]) => values.map((mean, question) => ({ question, mean, values: [] }))

function holds({ values, texts }: TextScores): boolean {
  const { low, high } = estimate(asScores(values), (question) => texts[question] ?? question)
  return low !== null && high !== null && low <= 0 && 0 <= high
}

function holdsByCr1({ values, texts }: TextScores): boolean {
  const centre = sum(values) / values.length
  const groups = [...new Set(texts)].map((text) =>
    sum(values.filter((_, i) => texts[i] === text).map((v) => v - centre)),
  )
  const squares = sum(groups.map((item) => item ** 2)) * (groups.length / (groups.length - 1))
  return Math.abs(centre) <= (studentCritical(0.95, groups.length - 1) * Math.sqrt(squares)) / values.length
}

/** Whether rows whose true difference is the margin are called the same. */
function isSame({ values, texts }: TextScores): boolean {
  const margin = 1
  const rivals = values.map(() => margin)
  const results = cr2Difference(
    values.map((value) => value + 2 * margin),
    rivals,
    texts,
  )
  return (equivalences([{ difference: results.mean, ...errorOrNull(results) }], margin)[0]?.p ?? 1) <= alpha
}

const byText = (answers: Answers): RowComparison => compare(answers, (question) => answers.texts[question] ?? question)
const byQuestion = (answers: Answers): RowComparison => compare(answers, (question) => question)
const differs = ({ pairs }: RowComparison): boolean => (pairs[0]?.pAdjusted ?? 1) <= alpha

/** What a table says of rows with these scores. */
function compare({ rows }: Answers, clusterOf: (question: number) => number): RowComparison {
  const methods = rows.map((_, id) => ({ method: `m${id}`, variant: '', id: String(id), use: 'm', options: {} }))
  const scorer: ScorerRecord = {
    id: 's',
    scorer: 's',
    use: 's',
    version: 1,
    options: {},
    kinds: ['answer'],
    judge: false,
    columns: [{ metric: 's' }],
  }
  const comparison: RowComparison | string | undefined = compareRows(
    {
      methods,
      scorers: [scorer],
      seed: 42,
      compare: { metric: { scorer: 's', metric: 's' } },
    },
    {
      cells: [],
      questions: { clusterOf, numberOf: Number, idOf: String },
      of: (id) => scoredRow(() => asScores(rows[Number(id)] ?? []), false),
    },
  )
  if (comparison === undefined || typeof comparison === 'string')
    throw new Error(`nothing was compared: ${comparison ?? ''}`)
  return comparison
}

function medianSmallestDifference(comparisons: readonly RowComparison[]): number {
  const rising = comparisons.map(({ smallestDifference }) => smallestDifference ?? NaN).sort((x, y) => x - y)
  return rising[rising.length / 2] ?? NaN
}

const points = (difference: number): string => `${(100 * difference).toFixed(1)} points`
