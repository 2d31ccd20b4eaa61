import { normalBound } from '../../math/statistics/distributions.ts'
import {
  byMeasure,
  columnsOf,
  notInPaper,
  pairsOf,
  saidOf,
  measureName,
  type ClaimedPair,
  type Side,
} from '../paper/claims.ts'
import { directionOfMeasure, rankedIn, type PaperTable, marginOf } from '../paper/paper-table.ts'
import { cellAt, meanOfRuns, noiseOfRuns, type NoiseOfRuns, auditShares, type AuditedShare } from './cells.ts'

/** Worst first. */
const verdicts = [
  'does not hold',
  'no number',
  'within rounding',
  'within run noise',
  'within run noise by one reading of σ²',
  'within binomial noise',
  'in this order in print, noise not known',
  'as printed, noise not known',
  'beyond run noise, noise of questions not known',
  'holds',
] as const

/**
 * The worst of a claim's pairs. `does not hold`: the cells are the other way round. `within rounding`: the same number
 * is printed for both. `within … noise`: runs, or the questions of shares, alone explain it. `holds`: beyond both.
 */
type CellVerdict = (typeof verdicts)[number]

/** Two cells and what is said of them, such as "A above B". */
interface AuditedPair {
  readonly said: string
  /** The column, or the columns that are added up. */
  readonly column: string
  readonly values: readonly [first: number | null, second: number | null]
  /** Where variances over runs are printed. */
  readonly noise?: NoiseOfRuns
  readonly verdict: CellVerdict
}

/** A claim judged by the paper's own cells. */
export interface AuditedClaim {
  readonly claim: string
  readonly place: string
  readonly verdict: CellVerdict
  readonly pairs: readonly AuditedPair[]
  /** Why the table has no cell for it. */
  readonly reason?: string
}

/** The paper's own claims in its order; one of most columns has the verdict that more than half of them reach. */
export const auditClaims = (
  paper: PaperTable,
  shares: readonly AuditedShare[] = auditShares(paper),
): readonly AuditedClaim[] =>
  paper.claims.flatMap((claim) => {
    if (claim.place === notInPaper) return []
    const about = { claim: claim.claim, place: claim.place }
    if ('without' in claim) return { ...about, verdict: 'no number', pairs: [], reason: claim.without }
    const found = pairsOf(claim, rankedIn(paper)).map((pair) => ({ ...pair, audited: auditPair(paper, pair, shares) }))
    const pairs = found.map(({ audited }) => audited)
    if (!('mostly' in claim) || !claim.mostly) return { ...about, verdict: worst(pairs), pairs }
    const columns = byMeasure(found).map((group) => worst(group.map(({ audited }) => audited)))
    const [middle] = columns.toSorted((a, b) => rankOf(b) - rankOf(a)).slice(columns.length / 2)
    const isBorneOut = middle !== undefined && rankOf(middle) > rankOf('within rounding')
    return { ...about, verdict: isBorneOut ? middle : 'does not hold', pairs }
  })

function auditPair(paper: PaperTable, pair: ClaimedPair, shares: readonly AuditedShare[]): AuditedPair {
  const sign = directionOfMeasure(paper, pair.first.measure)
  const values = [valueOf(paper, pair.first, pair), valueOf(paper, pair.second, pair)] as const
  const noise = pair.kind === 'better' ? noiseOf(paper, pair) : undefined
  const about = { said: saidOf(pair, sign), column: measureName(pair.first.measure), values }
  const verdict = verdictOf(paper, pair, values, noise, shares)
  return { ...about, ...(noise && { noise }), verdict }
}

/** The number of a side: of columns that are added up their sum, of a lead how far the row is above the best rival. */
function valueOf(paper: PaperTable, side: Side, pair: ClaimedPair | undefined): number | null {
  const numbers = columnsOf(side.measure).map((column) => cellAt(paper, side.row, column)?.value)
  const known = numbers.filter((one) => one !== undefined)
  if (known.length < numbers.length) return null
  const own = known.reduce((sum, one) => sum + one, 0)
  if (pair?.kind !== 'lead') return own
  const sign = directionOfMeasure(paper, side.measure)
  const best = bestRival(paper, side, pair.rivals)
  return best === undefined ? null : sign * (own - best.value)
}

/** The best of the rivals in a column; undefined where one has no number. */
function bestRival(paper: PaperTable, { measure }: Side, rivals: readonly string[]) {
  const sign = directionOfMeasure(paper, measure)
  const known = rivals.flatMap((row) => {
    const value = valueOf(paper, { row, measure }, undefined)
    return value === null ? [] : [{ row, value }]
  })
  return known.length < rivals.length ? undefined : known.toSorted((a, b) => sign * (b.value - a.value))[0]
}

/** The noise between two cells of one column; undefined where the paper prints no variance of one of them. */
function noiseOf(paper: PaperTable, { first, second }: ClaimedPair): NoiseOfRuns | undefined {
  const [a, b] = [first, second].map(({ row, measure }) =>
    typeof measure === 'string' ? meanOfRuns(paper, row, measure) : undefined,
  )
  return a && b && noiseOfRuns(a, b)
}

function verdictOf(
  paper: PaperTable,
  pair: ClaimedPair,
  [a, b]: AuditedPair['values'],
  noise: NoiseOfRuns | undefined,
  shares: readonly AuditedShare[],
): CellVerdict {
  if (a === null || b === null) return 'no number'
  const sign = directionOfMeasure(paper, pair.first.measure)
  const isCounted = columnsOf(pair.first.measure).every((column) => !isScore(paper, column))
  const asPrinted = isCounted ? 'holds' : 'as printed, noise not known'
  if (pair.kind === 'times') return ratioHolds(paper, pair, a, b) ? asPrinted : 'does not hold'
  const spread = spreadOf(paper, pair, shares)
  if (pair.kind === 'same' || pair.kind === 'not worse') {
    const behind = pair.kind === 'same' ? Math.abs(a - b) : sign * (b - a)
    const room = marginOf(paper, pair.first.measure, pair.margin, b) - behind
    if (room < -rounding) return 'does not hold'
    return spread ? judgedBy(room / oneSided, spread) : asPrinted
  }
  const lead = pair.kind === 'lead' ? a - b : sign * (a - b)
  if (Math.abs(lead) <= rounding) return 'within rounding'
  if (lead < 0) return 'does not hold'
  if (noise && !noise.exceeds) return 'within run noise'
  if (noise?.asMeans && !noise.asMeans.exceeds) return 'within run noise by one reading of σ²'
  if (spread) return judgedBy(lead / twoSided, spread)
  if (noise) return 'beyond run noise, noise of questions not known'
  return isCounted ? 'holds' : 'in this order in print, noise not known'
}

const [oneSided, twoSided] = [normalBound(0.9), normalBound(0.95)]

/** What lies beyond the noise by the most and by the fewest questions that shares may be of. */
function judgedBy(reach: number, [least, most]: readonly [number, number]): CellVerdict {
  if (reach > Math.sqrt(most)) return 'holds'
  return reach > Math.sqrt(least) ? 'in this order in print, noise not known' : 'within binomial noise'
}

const isScore = ({ columns }: PaperTable, column: string): boolean => 'scorer' in (columns[column] ?? {})

/** The variance of a difference by its questions, least and most; undefined where the table does not tell. */
function spreadOf(
  paper: PaperTable,
  pair: ClaimedPair,
  shares: readonly AuditedShare[],
): readonly [least: number, most: number] | undefined {
  const sides = [pair.first, pair.second].flatMap((side) => {
    const best = pair.kind === 'lead' ? bestRival(paper, side, pair.rivals) : undefined
    return best ? [side, { ...side, row: best.row }] : [side]
  })
  const found = sides.map(({ row, measure }) =>
    typeof measure === 'string' ? varianceOfQuestions(paper, row, measure, shares) : undefined,
  )
  const known = found.filter((one) => one !== undefined)
  if (known.length < found.length) return undefined
  return [known.reduce((sum, [least]) => sum + least, 0), known.reduce((sum, [, most]) => sum + most, 0)]
}

/** What floating point adds to sums and differences of printed numbers. */
const rounding = 1e-9

/** Whether a quotient that the cells allow is one that the printed ones may have been rounded from. */
function ratioHolds(
  paper: PaperTable,
  { first, second, range: [from, to] }: Extract<ClaimedPair, { kind: 'times' }>,
  a: number,
  b: number,
): boolean {
  // what rounding hides of a sum of printed numbers
  const hidden = ({ measure }: Side): number =>
    columnsOf(measure).reduce((sum, column) => {
      const places = paper.columns[column]?.decimals
      return sum + (places === undefined ? 0 : 10 ** -places / 2)
    }, 0)
  const most = (a + hidden(first)) / (b - hidden(second))
  const least = (a - hidden(first)) / (b + hidden(second))
  return most >= from - rounding && least <= to + rounding
}

const rankOf = (verdict: CellVerdict): number => verdicts.indexOf(verdict)

const worst = (pairs: readonly Pick<AuditedPair, 'verdict'>[]): CellVerdict =>
  verdicts.find((verdict) => pairs.some((pair) => pair.verdict === verdict)) ?? 'no number'

/**
 * The variance of a share by its questions and runs: p (1 - p) / n with one right and one wrong answer more (Agresti
 * and Caffo 2000), by the most and the fewest questions that the printed shares allow; undefined for no share of known
 * questions.
 */
export function varianceOfQuestions(
  paper: PaperTable,
  row: string,
  column: string,
  shares: readonly AuditedShare[],
): readonly [least: number, most: number] | undefined {
  const [cell, where] = [cellAt(paper, row, column), paper.columns[column]]
  if (!cell || !where || !('scorer' in where)) return undefined
  const asked = paper.runs[paper.rows[row]?.runs[where.run] ?? where.run]?.questions
  const counted = where.unit === 'count' && where.subset === 'all' && asked !== undefined ? [asked] : []
  const numbers = shares.find(({ of }) => of === where.shareOf)?.fits ?? counted
  if (numbers.length === 0) return undefined
  const runs = meanOfRuns(paper, row, column)
  const varianceAt = (n: number): number => {
    const whole = where.unit === 'count' ? n : where.unit === 'percent' ? 100 : 1
    const share = ((cell.value / whole) * n + 1) / (n + 2)
    const ofOneRun = (whole ** 2 * share * (1 - share)) / n
    // of several runs the questions stay the same, and what runs add is averaged
    return runs ? Math.max(0, ofOneRun - runs.variance) + runs.variance / runs.runs : ofOneRun
  }
  return [varianceAt(Math.max(...numbers)), varianceAt(Math.min(...numbers))]
}
