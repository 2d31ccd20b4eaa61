import { bisect, studentCritical } from '../../math/statistics/distributions.ts'
import { errorsToDetect, fewestUnits } from '../../math/statistics/power.ts'
import type { Row } from '../../records.ts'
import { costUnit, type CostsOfRow } from '../table/costs-of-row.ts'
import type { RunCosts } from '../table/costs-of-run.ts'
import { alpha, usualPower } from './compare-pair.ts'
import type { Pair, RowComparison } from './row-comparison.ts'

/** A loss that counts as none where the config names no margin. */
export const usualMargin = 0.05

/** Which row to take by a metric, its cost and a margin. */
export interface Decision {
  readonly scorer: string
  readonly metric: string
  /** A loss that counts as none, as a fraction. */
  readonly margin: number
  /** Of the pair with fewest. */
  readonly questions: number
  /** Rows that were compared. */
  readonly rows: number
  /** The cheapest row that loses no more than the margin to any other, by intervals that hold together (95 %). */
  readonly take: TakenRow | null
  /** Where no row can be taken: what would tell, or why that is not known; failed questions could have been right. */
  readonly open: WouldTell | 'too few questions' | 'failures' | 'rows apart' | null
}

export interface TakenRow extends Row, CostsOfRow {
  /** Rows that cost less, and of which it cannot be told whether they lose more than the margin. */
  readonly cheaper: readonly Row[]
}

/** Questions with which a row could be taken with a power of .8 if rows differ as they do here, and their costs. */
export interface WouldTell {
  readonly questions: number
  /** Of all compared rows together; judges are in it. */
  readonly costs: RunCosts
}

/** What a decision reads beside the comparison. */
export interface DecisionFacts {
  readonly margin: number
  /** Of the metric: least and greatest. */
  readonly range: readonly [number, number]
  /** Of the compared rows, in their order. */
  readonly costs: readonly CostsOfRow[]
  /** Of a run of all compared rows whose pairs share so many questions. */
  readonly costsOf: (questions: number) => RunCosts
}

/** Questions over which the cost of an index is spread where the cheapest row is looked for. */
const spreadOver = 1000

/** Decides from a comparison of all pairs. */
export function decide(comparison: RowComparison, facts: DecisionFacts): Decision {
  const { scorer, metric, rows, pairs, fewest } = comparison
  const losses = rows.map(({ letter }) =>
    pairs.flatMap((pair) =>
      pair.a === letter || pair.b === letter ? [lossOf(letter, pair, pairs.length, facts)] : [],
    ),
  )
  const cheapest = byCost(facts.costs)
  const isWithin = (row: number): boolean =>
    losses[row]?.length === rows.length - 1 && losses[row].every(({ most }) => most <= facts.margin)
  const taken = cheapest.find(isWithin)
  const decided = { scorer, metric, margin: facts.margin, questions: fewest, rows: rows.length }
  const rowAt = (place: number): Row => {
    const { method = '', variant = '' } = rows[place] ?? {}
    return { method, variant }
  }
  const costs = taken === undefined ? undefined : facts.costs[taken]
  if (taken !== undefined && costs) {
    const cheaper = cheapest.slice(0, cheapest.indexOf(taken))
    const isOpen = (row: number): boolean => (losses[row] ?? []).every(({ least }) => least <= facts.margin)
    return { ...decided, take: { ...rowAt(taken), ...costs, cheaper: cheaper.filter(isOpen).map(rowAt) }, open: null }
  }
  if (losses.some((own) => own.length < rows.length - 1)) return { ...decided, take: null, open: 'rows apart' }
  if (comparison.smallestP > alpha) return { ...decided, take: null, open: 'too few questions' }
  const needed = Math.min(...losses.map((own) => Math.max(...own.map((loss) => loss.needed))))
  if (!Number.isFinite(needed)) return { ...decided, take: null, open: 'failures' }
  return { ...decided, take: null, open: { questions: needed, costs: facts.costsOf(needed) } }
}

/** Numbers of the rows, cheapest first; rows that cost as much stay in their order. */
function byCost(costs: readonly CostsOfRow[]): readonly number[] {
  const unit = costUnit(costs)
  const priced = costs.map(({ index, question }, row) => {
    const cost = (index[unit] ?? Infinity) + spreadOver * (question?.[unit] ?? Infinity)
    return { row, cost }
  })
  const sorted = priced.sort((a, b) => (a.cost === b.cost ? 0 : a.cost - b.cost))
  return sorted.map(({ row }) => row)
}

/** What a row may lose to another one: the least and the most by a simultaneous interval, and the questions to tell. */
interface Loss {
  readonly least: number
  readonly most: number
  /** Infinity where no number of questions would tell. */
  readonly needed: number
}

/**
 * Failed questions count as the greatest loss. Without an error, with n clusters and m pairs, the share of others is
 * below 1 - (alpha / 2m)^(1/n) (binomial).
 */
function lossOf(letter: string, pair: Pair, pairs: number, { margin, range: [least, greatest] }: DecisionFacts): Loss {
  const isFirst = pair.a === letter
  const { questions, clusters, error, degrees } = pair
  const { low, high } = pair.simultaneous
  const loss = isFirst ? -pair.difference : pair.difference
  const worst = isFirst ? -pair.least : pair.greatest
  const reach = greatest - least
  const perCluster = questions / clusters
  const loses = (least: number, most: number, needed: number): Loss => ({
    least,
    most,
    needed: most <= margin ? questions : worst >= margin ? Infinity : Math.ceil(needed),
  })
  if (error === null || degrees === null) {
    const chance = alpha / (2 * pairs)
    const most = worst + (reach - loss) * (1 - chance ** (1 / clusters))
    const share = Math.min((margin - worst) / (reach - loss), 1)
    return loses(loss, most, (perCluster * Math.log(chance)) / Math.log1p(-share))
  }
  const wanted = { alpha, power: usualPower }
  // no interval is known where there are too few clusters for any test
  const isKnown = low !== null && high !== null
  const alone = studentCritical(1 - alpha, degrees) * error
  const [above, below] = !isKnown
    ? [alone, alone]
    : isFirst
      ? [pair.difference - low, high - pair.difference]
      : [high - pair.difference, pair.difference - low]
  // an error of few differences says little of those that were not seen
  const differ = pair.win + pair.loss
  const lost = isFirst ? pair.loss : pair.win
  const isFew = (units: number): boolean => (differ * units) / clusters < fewDifferences
  const unseen = (units: number): number =>
    isFew(units) ? reach * mostShare(Math.ceil((lost * units) / clusters), units, alpha / (2 * pairs)) : -Infinity
  let units = clusters
  while (worst - loss + unseen(units) > margin && units < 1e7) units = Math.ceil(1.1 * units)
  const more = errorsToDetect(wanted, degrees) * error - alone
  const needed = questions * ((above + more) / (margin - worst)) ** 2
  const fewest = Math.max(fewestUnits(wanted), units) * perCluster
  const most = Math.max(isKnown ? worst + above : reach, worst - loss + unseen(clusters))
  return loses(isKnown ? loss - below : -reach, most, Math.max(needed, fewest))
}

/** Questions that differ, below which the error of a difference is not trusted alone. */
const fewDifferences = 10

/** The largest share of which `count` of `units` or fewer are seen with that probability (Clopper-Pearson). */
function mostShare(count: number, units: number, chance: number): number {
  const isLikely = (share: number): boolean => {
    let term = (1 - share) ** units
    let sum = term
    for (let i = 0; i < count; i++) sum += term *= (((units - i) / (i + 1)) * share) / (1 - share)
    return sum > chance
  }
  return count >= units ? 1 : bisect((share) => share < 1 && isLikely(share))
}
