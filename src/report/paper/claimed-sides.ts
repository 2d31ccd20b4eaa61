import { columnsOf, type ClaimedPair, type Side } from './claims.ts'
import { findRow, findScore, tokensOf, type Ran, type ScoresOfRun } from './compare.ts'
import { columnNamed, directionOfMeasure, rowNamed, type PaperTable } from './paper-table.ts'
import type { QuestionScores } from '../table/estimate.ts'

/** A number of ours in a column, in fractions or tokens. */
export interface OurSide {
  readonly value: number | undefined
  readonly error: number | null
  /** Null of tokens. */
  readonly scores: readonly QuestionScores[] | null
  /** Whether its repeats have indexes of their own. */
  readonly lucky: boolean
  readonly run: ScoresOfRun | undefined
  /** Why it cannot be there. */
  readonly missing?: string
  /** Why it says nothing of the paper's. */
  readonly flaws: string[]
}

export interface OurSides {
  readonly first: OurSide
  readonly second: OurSide
  /** Of a lead, the best rivals of both. */
  readonly rivals?: readonly [OurSide, OurSide]
  readonly all: readonly OurSide[]
}

/** The sides of a pair; undefined where a run of it was not asked for. */
export function sidesOf(paper: PaperTable, runs: ReadonlyMap<string, Ran>, pair: ClaimedPair): OurSides | undefined {
  const [first, second] = [ourSide(paper, runs, pair.first), ourSide(paper, runs, pair.second)]
  if (!first || !second) return undefined
  if (pair.kind !== 'lead') return { first, second, all: [first, second] }
  const rivalsOf = (side: Side): readonly OurSide[] =>
    pair.rivals.flatMap((row) => ourSide(paper, runs, { ...side, row }) ?? [])
  const [own, other] = [rivalsOf(pair.first), rivalsOf(pair.second)]
  const sign = directionOfMeasure(paper, pair.first.measure)
  const best = (sides: readonly OurSide[]): OurSide =>
    sides.reduce((a, b) => (sign * (b.value ?? -sign * Infinity) > sign * (a.value ?? -sign * Infinity) ? b : a))
  return { first, second, rivals: [best(own), best(other)], all: [first, second, ...own, ...other] }
}

function ourSide(paper: PaperTable, runs: ReadonlyMap<string, Ran>, { row, measure }: Side): OurSide | undefined {
  const parts = columnsOf(measure).map((name) => ourPart(paper, runs, row, name))
  const known = parts.filter((part) => part !== undefined)
  const [first] = known
  if (!first || known.length < parts.length) return undefined
  if (known.length === 1) return first
  const values = known.flatMap(({ value }) => value ?? [])
  return {
    ...first,
    value: values.length < known.length ? undefined : values.reduce((sum, one) => sum + one, 0),
    flaws: known.flatMap(({ flaws }) => flaws),
  }
}

function ourPart(paper: PaperTable, runs: ReadonlyMap<string, Ran>, row: string, column: string): OurSide | undefined {
  const [where, one] = [columnNamed(paper, column), rowNamed(paper, row)]
  const name = one.runs[where.run] ?? where.run
  const ran = runs.get(name)
  if (!ran) return undefined
  const nothing = { value: undefined, error: null, scores: null, lucky: false, run: undefined, flaws: [] }
  if ('missing' in ran) return { ...nothing, missing: `the run "${name}" lacks something that it needs` }
  if (one.method === undefined) return { ...nothing, missing: `gembench has no method for "${row}" yet` }
  const own = { method: one.method, variant: one.variant }
  const found = findRow(ran.table, name, own)
  const flawed = (...flaws: readonly (string | undefined)[]): string[] =>
    [ran.incomparable, one.differs, ...flaws].filter((flaw) => flaw !== undefined)
  if (typeof found === 'string') return { ...nothing, flaws: flawed(found) }
  if ('tokens' in where) {
    const value = tokensOf(ran.table, own, where)
    return { ...nothing, value, flaws: flawed(found.failure) }
  }
  const score = findScore(ran.table, found, where)
  if (typeof score === 'string') return { ...nothing, flaws: flawed(score) }
  const { mean, error } = score.cell
  const scores = ran.scores?.of(own, where) ?? []
  const lucky = ran.scores?.hasOwnIndexes(own) === true
  return { value: mean, error, scores, lucky, run: ran.scores, flaws: flawed(score.failure) }
}
