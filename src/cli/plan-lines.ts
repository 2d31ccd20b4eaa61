import type { Manifest } from '../records.ts'
import { moneyOf, pricedModels } from '../report/table/usage.ts'
import type { UsageCell } from '../report/table/table.ts'
import type { ExpectedRun } from '../run/index.ts'
import type { Estimate, ExpectedUsage, Phase } from '../types.ts'

/** What a row is expected to cost in one phase. */
export interface PlanLine extends Costs {
  readonly method: string
  readonly variant: string
  readonly phase: Phase
}

/** Calls and tokens, all null where they are not known; dollars where prices are set; seconds of the calls one after another where calls were timed. */
export interface Costs {
  readonly calls: Estimate | null
  readonly promptTokens: Estimate | null
  readonly completionTokens: Estimate | null
  readonly embeddedTokens: Estimate | null
  readonly usd?: Estimate
  readonly seconds?: Estimate
}

/** A plan as numbers: rows by phase, and all of them together by phase and in all. */
export interface PlanLines {
  readonly rows: readonly PlanLine[]
  readonly together: readonly (Costs & { readonly phase: Phase | 'all' })[]
}

/** Prices what a run is expected to ask, and times it by the calls of an earlier run of the same setting. */
export function planLines(
  { rows, together: { all, ...together } }: ExpectedRun,
  models: Manifest['models'],
  earlier: readonly UsageCell[],
): PlanLines {
  const prices = pricedModels(models)
  const priced = (phase: Phase, usage: ExpectedUsage | undefined): Pick<Costs, 'usd'> => {
    const usd = usage && eachOf((end) => moneyOf(prices, phase, pointOf(usage, end)))
    return usd ? { usd } : {}
  }
  const timed = (
    phase: Phase,
    usage: ExpectedUsage | undefined,
    cells: readonly UsageCell[],
  ): Pick<Costs, 'seconds'> => {
    const before = cells.filter((cell) => cell.phase === phase)
    const [calls, milliseconds] = [sumOf(before, 'calls'), sumOf(before, 'milliseconds')]
    const seconds =
      usage &&
      eachOf((end) =>
        usage.calls[end] === 0
          ? 0
          : calls === 0 || milliseconds === 0
            ? undefined
            : (usage.calls[end] * milliseconds) / calls / 1000,
      )
    return seconds ? { seconds } : {}
  }
  const inPhases = Object.entries(together).map(([name, usage]) => {
    const phase = name as Phase
    return { phase, ...costsOf(usage), ...priced(phase, usage), ...timed(phase, usage, earlier) }
  })
  return {
    rows: rows.flatMap(({ method, variant, phases }) =>
      Object.entries(phases).map(([name, usage]) => {
        const phase = name as Phase
        const own = earlier.filter((cell) => cell.method === method && cell.variant === variant)
        return { method, variant, phase, ...costsOf(usage), ...priced(phase, usage), ...timed(phase, usage, own) }
      }),
    ),
    together: [
      ...inPhases,
      {
        phase: 'all',
        ...costsOf(all),
        ...summed('usd', inPhases),
        ...summed('seconds', inPhases),
      },
    ],
  }
}

/** What several runs cost together, by phase and in all. */
export const sumOfRuns = (runs: readonly PlanLines[]): PlanLines['together'] =>
  (runs[0]?.together ?? []).map(({ phase }) => {
    const lines = runs.flatMap(({ together }) => together.filter((line) => line.phase === phase))
    const counted = (field: 'calls' | 'promptTokens' | 'completionTokens' | 'embeddedTokens'): Estimate | null =>
      lines.some((line) => line[field] === null)
        ? null
        : (eachOf((end) => lines.reduce((sum, line) => sum + (line[field]?.[end] ?? 0), 0)) ?? null)
    return {
      ...{ phase, calls: counted('calls'), promptTokens: counted('promptTokens') },
      ...{ completionTokens: counted('completionTokens'), embeddedTokens: counted('embeddedTokens') },
      ...{ ...summed('usd', lines), ...summed('seconds', lines) },
    }
  })

/** The sum over lines, where every one is known. */
function summed<F extends 'usd' | 'seconds'>(field: F, phases: readonly Costs[]): Partial<Record<F, Estimate>> {
  const sum = eachOf((end) =>
    phases.reduce<number | undefined>((total, phase) => {
      const value = phase[field]?.[end]
      return total === undefined || value === undefined ? undefined : total + value
    }, 0),
  )
  return sum ? ({ [field]: sum } as Partial<Record<F, Estimate>>) : {}
}

const costsOf = (usage: ExpectedUsage | undefined): Costs => ({
  calls: rounded(usage?.calls),
  promptTokens: rounded(usage?.promptTokens),
  completionTokens: rounded(usage?.completionTokens),
  embeddedTokens: rounded(usage?.embeddedTokens),
})

const rounded = (estimate: Estimate | undefined): Estimate | null =>
  estimate
    ? { low: Math.round(estimate.low), expected: Math.round(estimate.expected), high: Math.round(estimate.high) }
    : null

/** An estimate of its three numbers; undefined where one of them is. */
function eachOf(value: (end: keyof Estimate) => number | undefined): Estimate | undefined {
  const [low, expected, high] = [value('low'), value('expected'), value('high')]
  return low === undefined || expected === undefined || high === undefined ? undefined : { low, expected, high }
}

const pointOf = (usage: ExpectedUsage, end: keyof Estimate) => ({
  calls: usage.calls[end],
  promptTokens: usage.promptTokens[end],
  completionTokens: usage.completionTokens[end],
  embeddedTokens: usage.embeddedTokens[end],
  estimated: 0,
})

const sumOf = (cells: readonly UsageCell[], field: 'calls' | 'milliseconds'): number =>
  cells.reduce((sum, cell) => sum + cell[field], 0)
