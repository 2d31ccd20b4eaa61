import { columnsOf, type ClaimedPair, type Side } from './claims.ts'
import { findRow, findScore, tokensOf, type RunResult, type ScoresOfRun } from './compare-cells.ts'
import { columnOf, directionOfMeasure, rowOf, type PaperTable } from './paper-table.ts'
import type { QuestionScores } from '../gather/estimate.ts'

/** Our value in a column, as a fraction or in tokens. */
export interface OurSide {
  readonly value: number | undefined
  readonly error: number | null
  /** Null for tokens. */
  readonly scores: readonly QuestionScores[] | null
  /** Whether each repeat has its own index. */
  readonly hasOwnIndexes: boolean
  readonly run: ScoresOfRun | undefined
  /** Why there is no value. */
  readonly missing?: string
  /** Why the value is not comparable with the paper's. */
  readonly flaws: string[]
}

export interface OurSides {
  readonly first: OurSide
  readonly second: OurSide
  /** Subtracted from each side: the best rival of a lead, the base of a gain. */
  readonly rivals?: readonly [OurSide, OurSide]
  readonly all: readonly OurSide[]
}

/** Undefined where a run of the pair was not requested. */
export function sidesOf(
  paper: PaperTable,
  runs: ReadonlyMap<string, RunResult>,
  pair: ClaimedPair,
): OurSides | undefined {
  const [first, second] = [ourSide(paper, runs, pair.first), ourSide(paper, runs, pair.second)]
  if (!first || !second) return undefined
  if (pair.kind === 'interaction') {
    const [firstBase, secondBase] = pair.bases
    const a = ourSide(paper, runs, { ...pair.first, row: firstBase })
    const b = ourSide(paper, runs, { ...pair.second, row: secondBase })
    return a && b && { first, second, rivals: [a, b], all: [first, second, a, b] }
  }
  if (pair.kind !== 'lead') return { first, second, all: [first, second] }
  const rivalsOf = (side: Side): readonly OurSide[] =>
    pair.rivals.flatMap((row) => ourSide(paper, runs, { ...side, row }) ?? [])
  const [firstRivals, secondRivals] = [rivalsOf(pair.first), rivalsOf(pair.second)]
  const sign = directionOfMeasure(paper, pair.first.measure)
  const best = (sides: readonly OurSide[]): OurSide =>
    sides.reduce((a, b) => (sign * (b.value ?? -sign * Infinity) > sign * (a.value ?? -sign * Infinity) ? b : a))
  return {
    first,
    second,
    rivals: [best(firstRivals), best(secondRivals)],
    all: [first, second, ...firstRivals, ...secondRivals],
  }
}

function ourSide(paper: PaperTable, runs: ReadonlyMap<string, RunResult>, { row, measure }: Side): OurSide | undefined {
  const parts = columnsOf(measure).map((name) => ourPart(paper, runs, row, name))
  const available = parts.filter((part) => part !== undefined)
  const [first] = available
  if (!first || available.length < parts.length) return undefined
  if (available.length === 1) return first
  const values = available.flatMap(({ value }) => value ?? [])
  return {
    ...first,
    value: values.length < available.length ? undefined : values.reduce((sum, value) => sum + value, 0),
    flaws: available.flatMap(({ flaws }) => flaws),
  }
}

function ourPart(
  paper: PaperTable,
  runs: ReadonlyMap<string, RunResult>,
  row: string,
  column: string,
): OurSide | undefined {
  const [where, paperRow] = [columnOf(paper, column), rowOf(paper, row)]
  const name = paperRow.runs[where.run] ?? where.run
  const outcome = runs.get(name)
  if (!outcome) return undefined
  const absent = { value: undefined, error: null, scores: null, hasOwnIndexes: false, run: undefined, flaws: [] }
  if ('missing' in outcome) return { ...absent, missing: `the run "${name}" lacks something that it needs` }
  if (paperRow.method === undefined) return { ...absent, missing: `gembench has no method for "${row}" yet` }
  const ourRow = { method: paperRow.method, variant: paperRow.variant }
  const rowMatch = findRow(outcome.table, name, ourRow)
  const flawsWith = (...flaws: readonly (string | undefined)[]): string[] =>
    [outcome.incomparable, paperRow.differs, ...flaws].filter((flaw) => flaw !== undefined)
  if (typeof rowMatch === 'string') return { ...absent, flaws: flawsWith(rowMatch) }
  if ('tokens' in where) {
    const value = tokensOf(outcome.table, ourRow, where)
    return { ...absent, value, flaws: flawsWith(rowMatch.failure) }
  }
  const score = findScore(outcome.table, rowMatch, where)
  if (typeof score === 'string') return { ...absent, flaws: flawsWith(score) }
  const { mean, error } = score.cell
  const scores = outcome.scores?.of(ourRow, where) ?? []
  const hasOwnIndexes = outcome.scores?.hasOwnIndexes(ourRow) === true
  return { value: mean, error, scores, hasOwnIndexes, run: outcome.scores, flaws: flawsWith(score.failure) }
}
