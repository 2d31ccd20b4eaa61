import { plural, present } from '../../text/amounts.ts'
import { alpha } from '../compare/compare-pair.ts'
import { tableOf } from '../render/text-table.ts'
import type { TitledTable } from './comparison-tables.ts'
import type { JudgedClaim, JudgedPair } from './judge-claims.ts'

/** A claim in three lines: what the paper says, our runs, the paper's own numbers. */
export const claimLines = (claim: JudgedClaim): readonly string[] => [
  `${claim.claim} (${claim.place})`,
  `  our runs: ${ourRuns(claim)}`,
  `  paper's numbers: ${claim.printed}`,
]

function ourRuns({ outcome, ourOutcome, reason, columns, pairs }: JudgedClaim): string {
  const [pair] = pairs
  const details = present(
    ourOutcome !== undefined && `our numbers alone: ${ourOutcome}`,
    pair === undefined && reason,
    pair !== undefined && (pairs.length === 1 ? pairText(pair) : pairCounts(pairs)),
    columns && `${columns.judged} of ${plural(columns.of, 'column')}`,
  )
  return `${outcome}${details.length === 0 ? '' : `; ${details.join('; ')}`}`
}

function pairText(pair: JudgedPair): string {
  const p = pair.pAdjusted === null && pair.smallestP <= alpha ? '' : `, p ${adjustedP(pair)}`
  return `${pair.statement}: ${amountOf(pair)}${p}`
}

function pairCounts(pairs: readonly JudgedPair[]): string {
  const countOf = (outcome: JudgedPair['outcome']): number => pairs.filter((pair) => pair.outcome === outcome).length
  const contradicted = countOf('contradicted')
  return `${countOf('supported')} of ${pairs.length} pairs supported${contradicted > 0 ? `, ${contradicted} contradicted` : ''}`
}

/** The pairs of every claim. */
export const claimTables = (claims: readonly JudgedClaim[]): readonly TitledTable[] =>
  claims.flatMap(({ claim, pairs }) => {
    const isOneColumn = new Set(pairs.map((pair) => pair.column)).size === 1
    const table = tableOf(pairs, [
      { title: 'pair', cell: ({ statement }) => statement },
      !isOneColumn && { title: 'column', cell: ({ column }) => column },
      { title: 'difference', cell: amountOf },
      { title: 'higher : lower', cell: ({ win, loss }) => (win === undefined ? '–' : `${win} : ${loss}`) },
      { title: 'questions', cell: ({ questions }) => (questions === 0 ? '–' : questions) },
      { title: 'adjusted p', cell: adjustedP },
      { title: 'outcome', cell: (pair) => pair.outcome },
    ])
    return pairs.length === 0 ? [] : [{ title: claim, table }]
  })

/** A difference in fractions with its 95 % interval, in tokens, or a ratio. */
function amountOf({ difference, low, high, test }: JudgedPair): string {
  if (test === 'none') return difference.toLocaleString('en-US', { maximumFractionDigits: 2 })
  const withSign = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(4)}`
  return `${withSign(difference)}${low === null || high === null ? '' : ` (${withSign(low)} to ${withSign(high)})`}`
}

/** Adjusted p, or why it cannot reach the level; tokens are not tested. */
function adjustedP({ pAdjusted, smallestP, questions, clusters, test }: JudgedPair): string {
  if (smallestP > alpha)
    return `cannot reach ${alpha} with ${plural(clusters, clusters < questions ? 'cluster' : 'question')}`
  if (pAdjusted === null) return '–'
  return `${pAdjusted < 0.0001 ? '< 0.0001' : pAdjusted.toFixed(4)} (${test})`
}
