import type { Manifest, Row } from '../records.ts'
import { moneyOf, phases, type UsageCell } from '../report/gather/usage.ts'
import type { AtOnce, DryRun, DryUsage } from '../run/index.ts'
import { isRow } from '../report/compare/rows-to-compare.ts'
import type { Phase } from '../types.ts'

/** What a row is expected to cost in one phase. */
export interface PlanLine extends Costs {
  readonly method: string
  readonly variant: string
  readonly phase: Phase
}

/** Calls and tokens, null where unknown; dollars where prices are set; seconds where calls were timed. */
export interface Costs {
  readonly calls: number | null
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  readonly embeddedTokens: number | null
  readonly usd?: number
  readonly seconds?: number
}

/** A plan as numbers: rows by phase, and all of them together by phase and in all. */
export interface PlanLines {
  readonly rows: readonly PlanLine[]
  readonly together: readonly (Costs & { readonly phase: Phase | 'all' })[]
}

/** Prices what a run is expected to ask, and times it by the calls of an earlier run. */
export function planLines(
  { rows, together }: DryRun,
  models: Manifest['models'],
  previousUsage: readonly UsageCell[],
  atOnce: AtOnce,
): PlanLines {
  const costsOf = (phase: Phase, usage: DryUsage | undefined, row?: Row): Costs => {
    if (!usage) return countsOf(() => null)
    const usd = moneyOf(models, phase, { ...usage, estimated: 0 })
    const cells = previousUsage.filter((cell) => cell.phase === phase && cell.milliseconds > 0)
    const seconds = secondsOf(usage, cellsOf(cells, row), atOnce[phase])
    return {
      ...countsOf((field) => Math.round(usage[field])),
      ...(usd !== undefined && { usd }),
      ...(seconds !== undefined && { seconds }),
    }
  }
  const phaseCosts = phases.map((phase) => ({ phase, ...costsOf(phase, together[phase]) }))
  return {
    rows: rows.flatMap(({ method, variant, phases: usages }) =>
      phases.map((phase) => ({ method, variant, phase, ...costsOf(phase, usages[phase], { method, variant }) })),
    ),
    together: [...phaseCosts, { phase: 'all', ...sumOfCosts(phaseCosts) }],
  }
}

/** Costs whose counts are given by a function. */
const countsOf = (count: (field: keyof Costs & keyof DryUsage) => number | null): Costs => ({
  calls: count('calls'),
  promptTokens: count('promptTokens'),
  completionTokens: count('completionTokens'),
  embeddedTokens: count('embeddedTokens'),
})

function cellsOf(cells: readonly UsageCell[], row: Row | undefined): readonly UsageCell[] {
  const rowCells = row ? cells.filter((cell) => isRow(cell, row)) : cells
  return rowCells.length > 0 ? rowCells : cells
}

/** Calls as long as those of `cells` were in the mean; undefined where none were timed. */
function secondsOf(
  { calls, promptTokens }: DryUsage,
  cells: readonly UsageCell[],
  { complete, embed }: AtOnce[Phase],
): number | undefined {
  const timedCalls = cells.reduce((sum, cell) => sum + cell.calls, 0)
  const milliseconds = cells.reduce((sum, cell) => sum + cell.milliseconds, 0)
  if (calls === 0) return 0
  if (timedCalls === 0) return undefined
  const atOnce = promptTokens === 0 ? embed : complete
  return (calls * milliseconds) / timedCalls / atOnce / 1000
}

/** The sum of costs; null where one of them is unknown. */
export function sumOfCosts(all: readonly Costs[]): Costs {
  const sum = (field: keyof Costs): number | null =>
    all.reduce<number | null>((total, costs) => {
      const value = costs[field] ?? null
      return total === null || value === null ? null : total + value
    }, 0)
  const usd = sum('usd')
  const seconds = sum('seconds')
  return { ...countsOf(sum), ...(usd !== null && { usd }), ...(seconds !== null && { seconds }) }
}
