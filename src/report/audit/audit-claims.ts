import { runNoise, type RunNoise } from '../../math/audit.ts'
import { byMeasure, columnsOf, pairsOf, saidOf, measureName, type ClaimedPair, type Side } from '../paper/claims.ts'
import { directionOfMeasure, rankedIn, type PaperTable } from '../paper/paper-table.ts'
import { marginOf } from '../paper/margins.ts'
import { cellAt, meanOfRuns } from './cells.ts'

/**
 * What the paper's cells say of a claim, the worst of its pairs. `does not hold`: the cells are the other way round.
 * `within rounding`: the same number is printed for both. `within run noise`: as claimed, but runs alone explain the
 * difference. `no number`: a cell is empty, or the table has none for it.
 */
type CellVerdict = 'does not hold' | 'no number' | 'within rounding' | 'within run noise' | 'holds'

/** Two cells and what is said of them, such as "A above B". */
export interface AuditedPair {
  readonly said: string
  /** The column, or the columns that are added up. */
  readonly column: string
  readonly values: readonly [first: number | null, second: number | null]
  /** Where variances over runs are printed. */
  readonly noise?: RunNoise
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

/** The claims of a table in its order; one of most columns holds where more than half of them bear it out. */
export const auditClaims = (paper: PaperTable): readonly AuditedClaim[] =>
  paper.claims.map((claim) => {
    const about = { claim: claim.claim, place: claim.place }
    if ('without' in claim) return { ...about, verdict: 'no number', pairs: [], reason: claim.without }
    const found = pairsOf(claim, rankedIn(paper)).map((pair) => ({ ...pair, audited: auditPair(paper, pair) }))
    const pairs = found.map(({ audited }) => audited)
    if (!('mostly' in claim) || !claim.mostly) return { ...about, verdict: worst(pairs), pairs }
    const columns = byMeasure(found).map((group) => worst(group.map(({ audited }) => audited)))
    const borneOut = columns.filter((verdict) => verdict === 'holds' || verdict === 'within run noise').length
    return { ...about, verdict: 2 * borneOut > columns.length ? 'holds' : 'does not hold', pairs }
  })

function auditPair(paper: PaperTable, pair: ClaimedPair): AuditedPair {
  const sign = directionOfMeasure(paper, pair.first.measure)
  const values = [valueOf(paper, pair.first, pair), valueOf(paper, pair.second, pair)] as const
  const noise = pair.kind === 'better' ? noiseOf(paper, pair) : undefined
  const about = { said: saidOf(pair, sign), column: measureName(pair.first.measure), values }
  const verdict = verdictOf(paper, pair, values, noise)
  return { ...about, ...(noise && { noise }), verdict }
}

/** The number of a side: of columns that are added up their sum, of a lead how far the row is above the best rival. */
function valueOf(paper: PaperTable, side: Side, pair: ClaimedPair): number | null {
  const numbers = columnsOf(side.measure).map((column) => cellAt(paper, side.row, column)?.value)
  const known = numbers.filter((one) => one !== undefined)
  if (known.length < numbers.length) return null
  const own = known.reduce((sum, one) => sum + one, 0)
  if (pair.kind !== 'lead') return own
  const sign = directionOfMeasure(paper, side.measure)
  const rivals = pair.rivals.flatMap((row) => valueOf(paper, { ...side, row }, { ...pair, kind: 'better' }) ?? [])
  return rivals.length < pair.rivals.length ? null : sign * own - Math.max(...rivals.map((one) => sign * one))
}

/** The noise between two cells of one column; undefined where the paper prints no variance of one of them. */
function noiseOf(paper: PaperTable, { first, second }: ClaimedPair): RunNoise | undefined {
  const [a, b] = [first, second].map(({ row, measure }) =>
    typeof measure === 'string' ? meanOfRuns(paper, row, measure) : undefined,
  )
  return a && b && runNoise(a, b)
}

function verdictOf(
  paper: PaperTable,
  pair: ClaimedPair,
  [a, b]: AuditedPair['values'],
  noise: RunNoise | undefined,
): CellVerdict {
  if (a === null || b === null) return 'no number'
  const sign = directionOfMeasure(paper, pair.first.measure)
  if (pair.kind === 'times') return ratioHolds(paper, pair, a, b) ? 'holds' : 'does not hold'
  if (pair.kind === 'same' || pair.kind === 'not worse') {
    const behind = pair.kind === 'same' ? Math.abs(a - b) : sign * (b - a)
    return behind <= marginOf(paper, pair.first.measure, pair.margin, b) + rounding ? 'holds' : 'does not hold'
  }
  const lead = pair.kind === 'lead' ? a - b : sign * (a - b)
  if (Math.abs(lead) <= rounding) return 'within rounding'
  if (lead < 0) return 'does not hold'
  return noise && !noise.exceeds ? 'within run noise' : 'holds'
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

const worstFirst = ['does not hold', 'no number', 'within rounding', 'within run noise', 'holds'] as const

const worst = (pairs: readonly Pick<AuditedPair, 'verdict'>[]): CellVerdict =>
  worstFirst.find((verdict) => pairs.some((pair) => pair.verdict === verdict)) ?? 'no number'
