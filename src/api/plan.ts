import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from '../config/index.ts'
import type { Manifest, VariedValue } from '../records.ts'
import { tableOf, type UsageCell } from '../report/table/table.ts'
import { moneyOf, pricedModels } from '../report/table/usage.ts'
import { expectedRun, openResults, prepare, type ExpectedRun, type Settings } from '../run/index.ts'
import type { Estimate, ExpectedUsage, Phase } from '../types.ts'
import type { RunConfig } from './config.ts'
import { openConfig, type RunSettings } from './open-config.ts'

/** A run and what it is expected to cost. */
export interface PlannedRun extends PlanLines {
  readonly name: string
  /** In the name of its results folder: `<name>-<hash>`. */
  readonly hash: string
  /** The keys of the config that are varied, with their values in this run; absent where the config is one run. */
  readonly varied?: readonly VariedValue[]
  readonly trials: number
}

/** What a config is expected to cost. */
export interface PlanResult {
  readonly runs: readonly PlannedRun[]
  /** All runs together, by phase and in all. */
  readonly together: PlanLines['together']
}

export async function plan(
  config: RunConfig | string | readonly string[],
  settings: Omit<RunSettings, 'progress' | 'workers' | 'spend' | 'cache'> = {},
): Promise<PlanResult> {
  const opened = await openConfig(config, { ...settings, cache: false })
  return costsOfPlans(opened.plans, opened.settings)
}

/** The same of plans. */
export async function costsOfPlans(plans: readonly Plan[], settings: Settings): Promise<PlanResult> {
  const runs: PlannedRun[] = []
  for (const plan of plans) runs.push(await costsOfRun(plan, settings))
  return { runs, together: sumOfRuns(runs) }
}

async function costsOfRun(plan: Plan, settings: Settings): Promise<PlannedRun> {
  const prepared = await prepare(plan, settings)
  const { hash, survey, methods, models } = prepared
  const described = models.describe()
  const expected = await expectedRun(prepared).finally(() => prepared.close())
  const earlier = await usageOf(join(settings.results, `${plan.name}-${hash}`))
  const { name, varied } = plan
  return {
    ...{ name, hash, ...(varied.length > 0 && { varied }) },
    trials: survey.questions * methods.length * plan.repeats,
    ...planLines(expected, described, earlier),
  }
}

/** What an earlier run of the same setting spent; nothing where there is none. */
async function usageOf(folder: string): Promise<readonly UsageCell[]> {
  if (!existsSync(join(folder, 'manifest.json'))) return []
  const results = await openResults(folder, '')
  return (await tableOf(results.manifest, results)).usage
}

/** What a row is expected to cost in one phase. */
export interface PlanLine extends Costs {
  readonly method: string
  readonly variant: string
  readonly phase: Phase
}

/** Calls and tokens, null where not known; dollars where prices are set; seconds where calls were timed. */
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
function planLines(
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
const sumOfRuns = (runs: readonly PlanLines[]): PlanLines['together'] =>
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
