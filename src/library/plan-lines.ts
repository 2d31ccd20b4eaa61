import type { Manifest } from '../records.ts'
import { moneyOf, phases } from '../report/gather/usage.ts'
import type { DryRun, DryUsage } from '../run/index.ts'
import type { Phase } from '../types.ts'

/** What a row is expected to cost in one phase. */
export interface PlanLine extends Costs {
  readonly method: string
  readonly variant: string
  readonly phase: Phase
}

/** Calls and tokens, null where unknown; dollars where prices are set. */
export interface Costs {
  readonly calls: number | null
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  readonly embeddedTokens: number | null
  readonly usd?: number
}

/** A plan as numbers: rows by phase, and all of them together by phase and in all. */
export interface PlanLines {
  readonly rows: readonly PlanLine[]
  readonly together: readonly (Costs & { readonly phase: Phase | 'all' })[]
}

/** Prices what a run is expected to ask. */
export function planLines({ rows, together }: DryRun, models: Manifest['models']): PlanLines {
  const costsOf = (phase: Phase, usage: DryUsage | undefined): Costs => {
    if (!usage) return countsOf(() => null)
    const usd = moneyOf(models, phase, { ...usage, estimated: 0 })
    return { ...countsOf((field) => Math.round(usage[field])), ...(usd !== undefined && { usd }) }
  }
  const phaseCosts = phases.map((phase) => ({ phase, ...costsOf(phase, together[phase]) }))
  return {
    rows: rows.flatMap(({ method, variant, phases: usages }) =>
      phases.map((phase) => ({ method, variant, phase, ...costsOf(phase, usages[phase]) })),
    ),
    together: [...phaseCosts, { phase: 'all', ...sumOfCosts(phaseCosts) }],
  }
}

/** Costs whose counts are given by a function. */
export const countsOf = (count: (field: keyof Costs & keyof DryUsage) => number | null): Costs => ({
  calls: count('calls'),
  promptTokens: count('promptTokens'),
  completionTokens: count('completionTokens'),
  embeddedTokens: count('embeddedTokens'),
})

/** The sum of costs; null where one of them is unknown. */
export function sumOfCosts(all: readonly Costs[]): Costs {
  const sum = (field: keyof Costs): number | null =>
    all.reduce<number | null>((total, costs) => {
      const value = costs[field] ?? null
      return total === null || value === null ? null : total + value
    }, 0)
  const usd = sum('usd')
  return { ...countsOf(sum), ...(usd !== null && { usd }) }
}
