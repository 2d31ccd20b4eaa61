import { holm } from '../../math/statistics/corrections.ts'
import type { Manifest, Row } from '../../records.ts'
import { alpha, comparePair, type ComparedPair, type Difference } from '../compare/compare-pair.ts'
import { gatherScores } from '../table/gather-scores.ts'
import { gatherTrials } from '../table/gather-trials.ts'
import type { Journals, Table } from '../table/table.ts'
import { type Ran, findRow, findScore } from './compare.ts'
import { pairsOf, type Claim } from './form.ts'
import type { PaperTable } from './paper-table.ts'

/**
 * `supported`: every pair differs as claimed. `contradicted`: a pair differs the other way. `undecided`: neither.
 * `not comparable` and `not run`: nothing can be said, for the reason given.
 */
export type ClaimVerdict = 'supported' | 'contradicted' | 'undecided' | 'not comparable' | 'not run'

/** A claim of a paper and what our run says of it. */
export interface JudgedClaim extends Pick<Claim, 'claim' | 'run' | 'scorer' | 'metric' | 'subset'> {
  readonly verdict: ClaimVerdict
  /** Why nothing can be said. */
  readonly reason?: string
  /** Those that could be tested. */
  readonly pairs: readonly JudgedPair[]
}

/** `above` minus `below`, in fractions; both are rows of the paper. p is adjusted by Holm over the claim. */
export interface JudgedPair extends Pick<Difference, 'difference' | 'error' | 'test' | 'p'> {
  readonly above: string
  readonly below: string
  readonly pAdjusted: number
  /** Questions that both rows have a score for, and their clusters. */
  readonly questions: number
  readonly clusters: number
  /** The smallest p that the pair could have after Holm's correction; above the level nothing can be concluded. */
  readonly smallestP: number
}

/** The pairs of rows that the claims about a run need tests of. */
export const pairsToTest = (paper: PaperTable, run: string): readonly RowPair[] =>
  paper.claims.filter((claim) => claim.run === run).flatMap((claim) => namedPairs(paper, claim).map(({ pair }) => pair))

/** What became of a run, and the tests of the pairs that claims are about. */
export type Tested = Ran & { readonly pairs?: readonly TestedPair[] }

/** The claims of a paper whose runs were asked for, in its order, each judged by the tests of its run. */
export const judgeClaims = (paper: PaperTable, runs: ReadonlyMap<string, Tested>): readonly JudgedClaim[] =>
  paper.claims.flatMap((one) => {
    const ran = runs.get(one.run)
    const { claim, run, scorer, metric, subset } = one
    return ran ? [{ claim, run, scorer, metric, subset, ...judgementOf(one, ran, paper) }] : []
  })

type Judgement = Pick<JudgedClaim, 'verdict' | 'reason' | 'pairs'>

function judgementOf(claim: Claim, ran: Tested, paper: PaperTable): Judgement {
  const notRun = (reason: string): Judgement => ({ verdict: 'not run', reason, pairs: [] })
  if ('missing' in ran) return notRun(`the run "${claim.run}" lacks something that it needs`)
  const rows = [...new Set(pairsOf(claim).flat())]
  const unknown = rows.find((row) => !ourRow(paper, row))
  if (unknown !== undefined) return notRun(`gembench has no method for "${unknown}" yet`)
  const pairs = testsOf(claim, paper, ran.pairs ?? [])
  const flaws = [ran.incomparable, ...rows.map((row) => flawOf(ran.table, claim, ourRow(paper, row)))]
  const reasons = flaws.filter((reason) => reason !== undefined)
  if (reasons.length === 0 && pairs.length < pairsOf(claim).length)
    reasons.push('two rows of a claim have no question in common')
  if (reasons.length > 0) return { verdict: 'not comparable', reason: reasons.join('; '), pairs }
  return { verdict: verdictOf(pairs), pairs }
}

/** Why a row cannot stand for the paper's: it is not in the run, has no such score, or something of it failed. */
function flawOf(table: Table, claim: Claim, row: Row | undefined): string | undefined {
  if (!row) return undefined
  const found = findRow(table, claim.run, row)
  if (typeof found === 'string') return found
  const score = findScore(table, found, claim)
  return typeof score === 'string' ? score : score.failure
}

function testsOf(claim: Claim, paper: PaperTable, tests: readonly TestedPair[]): readonly JudgedPair[] {
  const found = namedPairs(paper, claim).flatMap(({ above, below, pair }) => {
    const tested = tests.find((one) => keyOf(one) === keyOf(pair))?.tested
    return tested ? [{ above, below, tested }] : []
  })
  const adjusted = holm(found.map(({ tested }) => tested.p))
  // Holm gives no pair less than the smallest p of all times their number
  const least = found.length * Math.min(...found.map(({ tested }) => tested.smallestP))
  return found.map(
    ({ above, below, tested: { difference, error, test, p, questions, clusters, smallestP } }, index) => ({
      ...{ above, below, difference, error, test, p },
      pAdjusted: adjusted[index] ?? 1,
      ...{ questions, clusters, smallestP: Math.max(smallestP, Math.min(1, least)) },
    }),
  )
}

function verdictOf(pairs: readonly JudgedPair[]): ClaimVerdict {
  const significant = pairs.filter(({ pAdjusted }) => pAdjusted <= alpha)
  if (significant.some(({ difference }) => difference < 0)) return 'contradicted'
  return significant.length === pairs.length ? 'supported' : 'undecided'
}

/** The pairs of a claim by the paper's names and by our rows; those that gembench has a method for. */
function namedPairs(
  paper: PaperTable,
  claim: Claim,
): readonly { readonly above: string; readonly below: string; readonly pair: RowPair }[] {
  const { scorer, metric, subset } = claim
  return pairsOf(claim).flatMap(([above, below]) => {
    const [first, second] = [ourRow(paper, above), ourRow(paper, below)]
    return first && second ? [{ above, below, pair: { first, second, scorer, metric, subset } }] : []
  })
}

/** Our row of a row of the paper; undefined where gembench has no method for it. */
function ourRow({ rows }: PaperTable, name: string): Row | undefined {
  const { method, variant = '' } = rows[name] ?? {}
  return method === undefined ? undefined : { method, variant }
}

const keyOf = ({ first, second, scorer, metric, subset }: RowPair): string =>
  JSON.stringify([first.method, first.variant, second.method, second.variant, scorer, metric, subset])

/** Two rows of a run and the score to compare them on; `scorer` is the label of one. */
export interface RowPair {
  readonly first: Row
  readonly second: Row
  readonly scorer: string
  readonly metric: string
  readonly subset: string
}

/** A pair and its test; null where the run has not both rows, or no question has a score of both. */
export interface TestedPair extends RowPair {
  readonly tested: ComparedPair | null
}

/** Tests pairs of rows of a run, each by itself, without a correction. Reads trials and scores once. */
export async function comparePairs(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  pairs: readonly RowPair[],
): Promise<readonly TestedPair[]> {
  const { failures } = await gatherTrials(manifest, journals.trials())
  const { byQuestion, questions } = await gatherScores(manifest, journals.scores(), failures)
  const idOf = (row: Row): string | undefined =>
    manifest.methods.find(({ method, variant }) => method === row.method && variant === row.variant)?.id
  return pairs.map((pair) => {
    const [first, second] = [idOf(pair.first), idOf(pair.second)]
    const scorer = manifest.scorers.find((one) => one.scorer === pair.scorer)?.id
    if (first === undefined || second === undefined || scorer === undefined) return { ...pair, tested: null }
    const scoresOf = (id: string) => byQuestion(id, scorer, pair.metric, pair.subset)
    const tested = comparePair(scoresOf(first), scoresOf(second), questions, manifest.seed)
    return { ...pair, tested: tested ?? null }
  })
}
