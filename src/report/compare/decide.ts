import { itemAt } from '../../basics/collections.ts'
import { bisect, studentCritical } from '../../math/statistics/distributions.ts'
import { errorsToDetect, fewestUnits } from '../../math/statistics/power.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import { costUnit, type Cost, type CostsOfRow, type CostUnit } from '../gather/costs-of-row.ts'
import { alpha, usualPower } from './compare-pair.ts'
import type { Pair, RowComparison } from './row-comparison.ts'

/** Acceptable loss where the config names no margin. */
export const usualMargin = 0.05

/** The recommended row by metric, cost and margin. */
export type Decision = ReturnType<typeof decide>

/** The cheapest row that loses at most the margin to each other row, by simultaneous 95 % intervals. */
export type TakenRow = NonNullable<Decision['take']>

/** Questions that would give a recommendation with 80 % power if rows differ as they do here, and their costs. */
export interface RequiredSample {
  readonly questions: number
  /** Of all compared rows together, with judges; money is absent where it is not known. */
  readonly costs: Cost
}

/** Why no row is recommended. `failures`: failed questions could have been right. */
type Reason = RequiredSample | 'too few questions' | 'failures' | 'rows apart'

/** Input of a decision beside the comparison. */
export interface DecisionFacts {
  readonly margin: number
  /** Least and greatest score of the metric. */
  readonly range: readonly [number, number]
  /** By row. */
  readonly costs: readonly CostsOfRow[]
  readonly repeats: number
  /** Factor of the costs of indexes: more questions of a dataset of several corpora are those of more corpora. */
  readonly growthOf: (questions: number) => number
}

/** Questions over which index costs are spread to rank rows by cost. */
const spreadOver = 1000

/** Expects a comparison of all pairs. */
export function decide(comparison: RowComparison, facts: DecisionFacts) {
  const { scorer, metric, rows, pairs, fewest } = comparison
  const { margin } = facts
  const systems = rows.map(({ method, variant, letter }, place) => {
    const opponents = pairs.filter(({ a, b }) => a === letter || b === letter)
    const losses = opponents.map((pair) => lossOf(letter, pair, pairs.length, facts))
    const isWithin = losses.length === rows.length - 1 && losses.every(({ most }) => most <= margin)
    return { row: { method, variant }, costs: itemAt(facts.costs, place), losses, isWithin }
  })
  const cheapest = byCost(facts.costs).map((place) => itemAt(systems, place))
  const safe = cheapest.find(({ isWithin }) => isWithin)
  // the margin is a fraction; questions are those of the pair with fewest
  const summary = { scorer, metric, margin, questions: fewest, rows: rows.length }
  if (safe) {
    // rows that may or may not lose more than the margin
    const cheaper = cheapest
      .slice(0, cheapest.indexOf(safe))
      .filter(({ losses }) => losses.every(({ least }) => least <= margin))
      .map(({ row }) => row)
    return { ...summary, take: { ...safe.row, ...safe.costs, cheaper }, open: null }
  }
  const questionsOfRows = systems.map(({ losses }) => {
    const questionsOfPairs = losses.map(({ requiredQuestions }) => requiredQuestions)
    return Math.max(...questionsOfPairs)
  })
  const questions = Math.min(...questionsOfRows)
  const open: Reason = systems.some(({ losses }) => losses.length < rows.length - 1)
    ? 'rows apart'
    : comparison.smallestP > alpha
      ? 'too few questions'
      : Number.isFinite(questions)
        ? { questions, costs: totalCost(questions, facts) }
        : 'failures'
  return { ...summary, take: null, open }
}

/** The indexes and answers of so many questions with their judges. */
function totalCost(questions: number, { costs, repeats, growthOf }: DecisionFacts): Cost {
  const growth = growthOf(questions)
  const total = (unit: CostUnit) =>
    sum(
      costs.map(({ index, question, judge }) => {
        const perTrial = (question?.[unit] ?? NaN) + (judge?.[unit] ?? NaN)
        return growth * (index[unit] ?? NaN) + questions * repeats * perTrial
      }),
    )
  const money = total('money')
  return { tokens: Math.round(total('tokens')), ...(!Number.isNaN(money) && { money }) }
}

/** Row numbers, cheapest first; stable for equal costs. */
function byCost(costs: readonly CostsOfRow[]) {
  const unit = costUnit(costs)
  const rowCosts = costs.map(
    ({ index, question }) => (index[unit] ?? Infinity) + spreadOver * (question?.[unit] ?? Infinity),
  )
  const costOf = (row: number) => itemAt(rowCosts, row)
  return [...costs.keys()].sort((a, b) => (costOf(a) === costOf(b) ? 0 : costOf(a) - costOf(b)))
}

/** Loss of a row to another: least and most by a simultaneous interval, and the questions to decide. */
interface Loss {
  readonly least: number
  readonly most: number
  /** Infinity where no number of questions suffices. */
  readonly requiredQuestions: number
}

/**
 * Failed questions count as the greatest loss. Without an error, for n clusters and m pairs, the share of unseen
 * outcomes is below 1 - (alpha / 2m)^(1/n) (binomial).
 */
function lossOf(letter: string, pair: Pair, pairs: number, { margin, range: [least, greatest] }: DecisionFacts): Loss {
  const isFirst = pair.a === letter
  const { questions, clusters, error, degrees } = pair
  const { low, high } = pair.simultaneous
  const loss = isFirst ? -pair.difference : pair.difference
  const worst = isFirst ? -pair.least : pair.greatest
  const reach = greatest - least
  const perCluster = questions / clusters
  const questionsToDecide = (most: number, estimate: number) => {
    if (most <= margin) return questions
    return worst >= margin ? Infinity : Math.ceil(estimate)
  }
  const loses = (least: number, most: number, estimate: number): Loss => ({
    least,
    most,
    requiredQuestions: questionsToDecide(most, estimate),
  })
  if (error === null || degrees === null) {
    const chance = alpha / (2 * pairs)
    const most = worst + (reach - loss) * (1 - chance ** (1 / clusters))
    const share = Math.min((margin - worst) / (reach - loss), 1)
    return loses(loss, most, (perCluster * Math.log(chance)) / Math.log1p(-share))
  }
  const target = { alpha, power: usualPower }
  // too few clusters for any test give no interval
  const hasInterval = low !== null && high !== null
  const alone = studentCritical(1 - alpha, degrees) * error
  const lower = hasInterval ? pair.difference - low : alone
  const upper = hasInterval ? high - pair.difference : alone
  const above = isFirst ? lower : upper
  const below = isFirst ? upper : lower
  // an error from few differences underestimates the rest
  const differ = pair.win + pair.loss
  const lossCount = isFirst ? pair.loss : pair.win
  const unseen = (units: number) => {
    if ((differ * units) / clusters >= fewDifferences) return -Infinity
    const count = Math.ceil((lossCount * units) / clusters)
    return reach * mostShare(count, units, alpha / (2 * pairs))
  }
  let units = clusters
  while (worst - loss + unseen(units) > margin && units < 1e7) units = Math.ceil(1.1 * units)
  const more = errorsToDetect(target, degrees) * error - alone
  const estimatedQuestions = questions * ((above + more) / (margin - worst)) ** 2
  const fewest = Math.max(fewestUnits(target), units) * perCluster
  const most = Math.max(hasInterval ? worst + above : reach, worst - loss + unseen(clusters))
  return loses(hasInterval ? loss - below : -reach, most, Math.max(estimatedQuestions, fewest))
}

/** With fewer differing questions the standard error is not trusted alone. */
const fewDifferences = 10

/** Upper bound of a share, with `count` of `units` seen (Clopper-Pearson). */
function mostShare(count: number, units: number, chance: number) {
  const isLikely = (share: number) => {
    let term = (1 - share) ** units
    let sum = term
    for (let i = 0; i < count; i++) sum += term *= (((units - i) / (i + 1)) * share) / (1 - share)
    return sum > chance
  }
  return count >= units ? 1 : bisect((share) => share < 1 && isLikely(share))
}
