import { itemAt, valueOf } from '../../basics/collections.ts'
import { once } from '../../basics/memoise.ts'
import { maxT } from '../../math/statistics/max-t.ts'
import { mean, percentile, rounding } from '../../math/statistics/descriptive.ts'
import { mulberry32 } from '../../math/random.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { curvesIn, sweepsOf, type Curve } from './trends.ts'
import { runOfRow } from '../synthetic.ts'
import type { Scores } from '../table/gather-scores.ts'
import { alpha } from './compare-pair.ts'
import { sumsByCluster } from './compare-family.ts'
import { compareRows } from './compare-rows.ts'
import type { RowComparison } from './row-comparison.ts'
import { comparedMetric, rowsToCompare } from './rows-to-compare.ts'

/** Rows over the one number that is varied, on the questions for which every row has a score at every value. */
export interface Curves {
  /** The key or option; its values rise. */
  readonly option: string
  readonly values: readonly number[]
  readonly scorer: string
  readonly metric: string
  readonly questions: number
  readonly clusters: number
  /** A row that does not vary the option has the same mean at every value. */
  readonly rows: readonly { readonly row: string; readonly means: readonly number[] }[]
  /** Rows that are not there at every value. */
  readonly leftOut: readonly string[]
  /** In the order of their intervals. */
  readonly crossings: readonly Crossing[]
  /** Pairs whose means change their order over the values without a crossing that is shown. */
  readonly untold: number
  /** Differences that the crossings are tested among: pairs of rows times values. */
  readonly tests: number
  /** Areas under the curves over the range of the values: every pair of rows, by the tests of any table. */
  readonly areas: RowComparison
}

/**
 * One row is shown below another at `from` and above it at `to`; their difference, joined by lines, is 0 in between.
 */
export interface Crossing {
  readonly above: string
  readonly below: string
  readonly from: number
  readonly to: number
  /** Where the difference is 0; null where it is so at several places. */
  readonly at: number | null
  /** The 95 % interval: from the 2.5 % point of the samples' first zeros to the 97.5 % point of their last. */
  readonly low: number
  readonly high: number
  /** The share of samples in which the difference changes its sign once, from below to above. */
  readonly once: number
}

/**
 * Where rows cross over the one number that is varied by a series or within methods, and their areas; undefined where
 * not exactly one number is varied over two values or more, or there are no two rows; a text says why it cannot be
 * told.
 *
 * The tests of all pairs at all values are one family (sign flips of cluster sums, Westfall and Young's max-T), so that
 * all crossings are real ones in 95 % of runs. Where a crossing lies is told by 1,999 samples of the clusters with
 * replacement, cut at the two values at which the differences are shown.
 */
export function curvesOf(
  manifest: Pick<Manifest, 'methods' | 'scorers' | 'compare' | 'seed' | 'series'>,
  scores: Pick<Scores, 'cells' | 'questions' | 'byQuestion' | 'failedQuestions' | 'hasOwnIndexes'>,
): Curves | string | undefined {
  const chosen = comparedMetric(manifest, scores.cells)
  const [sweep, ...others] = sweepsOf(rowsToCompare(manifest))
  if (!chosen || !sweep || others.length > 0) return undefined
  const { scorer, metric } = chosen
  const { option } = sweep
  const values = [...new Set(sweep.steps.map(({ x }) => x))].sort((a, b) => a - b)
  const all = [
    ...curvesIn(sweep),
    ...sweep.others.map((row): Curve => ({ curve: rowName(row), steps: values.map((x) => ({ row, x })) })),
  ]
  const whole = all.filter(({ steps }) => steps.map(({ x }) => x).join() === values.join())
  if (values.length < 2 || whole.length < 2) return undefined
  const rows = whole.flatMap(({ steps }) => steps.map(({ row }) => row))
  if (rows.some((row) => scores.hasOwnIndexes(row.id)))
    return 'repeats have indexes of their own, whose luck no test of curves knows'
  const scorerOf = (row: MethodRecord) =>
    runOfRow(manifest, row).scorers.find((one) => one.scorer === scorer.scorer)?.id
  if (new Set(rows.map(scorerOf)).size > 1) return `the runs do not score alike by ${scorer.scorer}`
  const columns = whole.map(({ steps }) =>
    steps.map(
      ({ row }) => new Map(scores.byQuestion(row.id, scorer.id, metric).map((one) => [one.question, one.mean])),
    ),
  )
  const common = [...itemAt(columns.flat(), 0).keys()].filter((one) =>
    columns.flat().every((column) => column.has(one)),
  )
  if (common.length === 0) return `no question has a score of ${metric} in every row at every value of ${option}`
  const table = columns.map((own) => own.map((column) => common.map((one) => valueOf(column, one))))
  const clusters = common.map((one) => scores.questions.clusterOf(one))
  const names = whole.map(({ curve }) => curve)
  const areas = compareRows(
    {
      ...{ methods: names.map((name) => ({ id: name, method: name, variant: '', use: name, options: {} })) },
      ...{ scorers: manifest.scorers, seed: manifest.seed },
      compare: { metric: { scorer: scorer.scorer, metric } },
    },
    {
      ...{ cells: [], questions: scores.questions, hasOwnIndexes: () => false },
      byQuestion: (name) =>
        common.map((question, at) => {
          const own = itemAt(table, names.indexOf(name)).map((column) => itemAt(column, at))
          return { question, mean: areaOf(values, own), repeats: [] }
        }),
      failedQuestions: (name) =>
        new Set(
          itemAt(whole, names.indexOf(name)).steps.flatMap(({ row }) => [...scores.failedQuestions(row.id, scorer.id)]),
        ),
    },
  )
  if (typeof areas !== 'object') return areas
  const isFlat = names.map((_, index) => index >= whole.length - sweep.others.length)
  return {
    ...{ option, values, scorer: scorer.scorer, metric },
    ...{ questions: common.length, clusters: new Set(clusters).size },
    rows: names.map((row, index) => ({ row, means: itemAt(table, index).map((column) => mean(column)) })),
    leftOut: all.filter((one) => !whole.includes(one)).map(({ curve }) => curve),
    ...crossingsOf({ names, isFlat, values, table, clusters, seed: manifest.seed }),
    areas,
  }
}

/** By the trapezoidal rule, over the range. */
function areaOf(values: readonly number[], scores: readonly number[]): number {
  const parts = values.slice(1).map((value, index) => {
    const [low, left, right] = [itemAt(values, index), itemAt(scores, index), itemAt(scores, index + 1)]
    return ((value - low) * (left + right)) / 2
  })
  return parts.reduce((sum, one) => sum + one, 0) / (itemAt(values, values.length - 1) - itemAt(values, 0))
}

interface Drawn {
  readonly names: readonly string[]
  readonly isFlat: readonly boolean[]
  readonly values: readonly number[]
  /** By row and value, a score a question. */
  readonly table: readonly (readonly (readonly number[])[])[]
  readonly clusters: readonly (string | number)[]
  readonly seed: number
}

function crossingsOf(drawn: Drawn): Pick<Curves, 'crossings' | 'untold' | 'tests'> {
  const { names, isFlat, values, table, seed } = drawn
  const { size, sumsOf: addUp } = sumsByCluster([drawn.clusters])
  const sums = table.flat().map((column) => addUp(drawn.clusters, (question) => itemAt(column, question)))
  const pairs = names.flatMap((_, a) =>
    names.flatMap((_other, b) => (b > a && !(isFlat[a] && isFlat[b]) ? [{ a, b }] : [])),
  )
  const sumsOf = (row: number, value: number): Float64Array => itemAt(sums, row * values.length + value)
  const tested = maxT(
    size,
    sums,
    pairs.flatMap(({ a, b }) =>
      values.map((_, value) => ({
        clusters: size,
        sums: { a: a * values.length + value, b: b * values.length + value },
      })),
    ),
    { alpha, seed },
  )
  const samples = once(() => samplesOf(size, seed))
  const found = pairs.map(({ a, b }, pair) => {
    const differences = values.map((_, value) => {
      const other = sumsOf(b, value)
      return sumsOf(a, value).map((one, cluster) => one - itemAt(other, cluster))
    })
    const signs = differences.map((own) => signOf(own.reduce((sum, one) => sum + one, 0)))
    const shown = signs.map((sign, value) =>
      itemAt(tested.pairs, pair * values.length + value).pAdjusted <= alpha ? sign : 0,
    )
    const ends = shown.flatMap((sign, value) => (sign === 0 ? [] : [{ sign, value }]))
    const crossings = ends.slice(1).flatMap(({ sign, value: to }, index): Crossing[] => {
      const { sign: before, value: from } = itemAt(ends, index)
      if (sign === before) return []
      const [above, below] = sign > 0 ? [a, b] : [b, a]
      const within = differences.slice(from, to + 1).map((own) => own.map((one) => sign * one))
      return [
        {
          ...{ above: itemAt(names, above), below: itemAt(names, below) },
          ...{ from: itemAt(values, from), to: itemAt(values, to) },
          ...placeOf(values.slice(from, to + 1), within, samples()),
        },
      ]
    })
    return { crossings, turns: signs.includes(1) && signs.includes(-1) }
  })
  return {
    crossings: found.flatMap(({ crossings }) => crossings).sort((one, other) => one.low - other.low),
    untold: found.filter(({ crossings, turns }) => turns && crossings.length === 0).length,
    tests: tested.pairs.length,
  }
}

const signOf = (value: number): number => (Math.abs(value) <= rounding ? 0 : Math.sign(value))

export const drawnSamples = 1999

/** The clusters of each sample with replacement, the same for all pairs. */
function samplesOf(clusters: number, seed: number): readonly Uint32Array[] {
  const random = mulberry32(seed)
  return Array.from({ length: drawnSamples }, () =>
    new Uint32Array(clusters).map(() => Math.floor(random() * clusters)),
  )
}

/** Where differences that are below 0 at the first value and above it at the last one are 0. */
function placeOf(
  values: readonly number[],
  differences: readonly Float64Array[],
  samples: readonly Uint32Array[],
): Pick<Crossing, 'at' | 'low' | 'high' | 'once'> {
  const zerosIn = (sample: Uint32Array) =>
    zerosOf(
      values,
      differences.map((own) => sample.reduce((sum, cluster) => sum + (own[cluster] ?? NaN), 0)),
    )
  const zeros = samples.map(zerosIn)
  const endOf = (zero: 'first' | 'last', q: number): number =>
    percentile(
      zeros.map((one) => one[zero]),
      q,
    )
  const own = zerosIn(Uint32Array.from(itemAt(differences, 0), (_, cluster) => cluster))
  return {
    at: own.once ? own.first : null,
    ...{ low: endOf('first', 2.5), high: endOf('last', 97.5) },
    once: zeros.filter(({ once }) => once).length / zeros.length,
  }
}

/** The first and last zero, joined by straight lines; an end where the difference is not below, or above, 0 there. */
function zerosOf(values: readonly number[], differences: readonly number[]) {
  const signs = differences.map(signOf)
  const [start, end] = [itemAt(values, 0), itemAt(values, values.length - 1)]
  const zeroAfter = (at: number): number => {
    const [x, y] = [itemAt(values, at), itemAt(differences, at)]
    return x + ((itemAt(values, at + 1) - x) * y) / (y - itemAt(differences, at + 1))
  }
  const isRise = (after: number): boolean => itemAt(signs, after - 1) <= 0 && itemAt(signs, after) > 0
  const reaches = signs.findIndex((sign) => sign >= 0)
  const rises = signs.flatMap((_, at) => (at > 0 && isRise(at) ? [at - 1] : []))
  const last = rises.at(-1)
  const ordered = signs[0] === -1 && signs.at(-1) === 1
  return {
    first: reaches === 0 ? start : reaches === -1 ? end : zeroAfter(reaches - 1),
    last: signs.at(-1) !== 1 ? end : last === undefined ? start : zeroAfter(last),
    once: ordered && rises.length === 1,
  }
}
