import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from '../config/index.ts'
import type { VariedValue } from '../records.ts'
import type { UsageCell } from '../report/gather/usage.ts'
import { tableOf } from '../report/table/table.ts'
import {
  dryRun,
  openResults,
  prepare,
  type Settings,
  notesOnLanguage,
  planWarnings,
  callsAtOnce,
} from '../run/index.ts'
import type { AnswersWanted } from '../types.ts'
import type { RunConfig } from '../run/run-config.ts'
import { planLines, type PlanLines, sumOfCosts } from './plan-lines.ts'
import { openConfig } from '../run/open-config.ts'
import type { RunSettings } from '../run/prepare/settings.ts'

/** A run and what it is expected to cost. */
export interface PlannedRun extends PlanLines {
  readonly name: string
  /** In the name of its results folder: `<name>-<hash>`. */
  readonly hash: string
  /** The keys of the config that are varied, with their values in this run; absent where the config is one run. */
  readonly varied?: readonly VariedValue[]
  readonly trials: number
  /** What a person should know before the run, such as a prompt that is longer than the model's window. */
  readonly warnings: readonly string[]
  /** How answers are asked for. */
  readonly answers: AnswersWanted
}

/** What a config is expected to cost. */
export interface PlanResult {
  readonly runs: readonly PlannedRun[]
  /** The sums of all runs, by phase and in all: calls that runs share are counted in each. */
  readonly together: PlanLines['together']
}

/** Settings of `plan`. */
export interface PlanSettings extends Omit<RunSettings, 'progress' | 'workers' | 'spend' | 'cache'> {
  /** Whether rows of programs, servers and plug-ins are run too; their usage is unknown otherwise. */
  readonly askPrograms?: boolean
}

/** Runs a config on a sample of its data with rule-based models. No model is called. Throws UserError as `run` does. */
export async function plan(
  config: RunConfig | string | readonly string[],
  { askPrograms = false, ...settings }: PlanSettings = {},
): Promise<PlanResult> {
  const openedConfig = await openConfig(config, { ...settings, cache: false })
  return costsOfPlans(openedConfig.plans, openedConfig.settings, askPrograms)
}

/** The expected costs of plans. */
export async function costsOfPlans(
  plans: readonly Plan[],
  settings: Settings,
  askPrograms = false,
): Promise<PlanResult> {
  const runs: PlannedRun[] = []
  for (const plan of plans) runs.push(await costsOfRun(plan, settings, askPrograms))
  return { runs, together: sumOfRuns(runs) }
}

async function costsOfRun(plan: Plan, settings: Settings, askPrograms: boolean): Promise<PlannedRun> {
  const prepared = await prepare(plan, settings)
  const { hash, statistics, methods, models, style } = prepared
  try {
    const estimate = await dryRun(prepared, settings, askPrograms)
    const previousUsage = await readPreviousUsage(join(settings.results, `${plan.name}-${hash}`))
    const { name, variedValues: varied } = plan
    return {
      name,
      hash,
      ...(varied.length > 0 && { varied }),
      trials: statistics.questions * methods.length * plan.repeats,
      answers: style,
      ...planLines(estimate, models.describe(), previousUsage, callsAtOnce(prepared)),
      warnings: [...notesOnLanguage(prepared), ...planWarnings(estimate.rows, prepared)],
    }
  } finally {
    await prepared.close()
  }
}

/** The usage of an earlier run of the same setting. */
async function readPreviousUsage(folder: string): Promise<readonly UsageCell[]> {
  if (!existsSync(join(folder, 'manifest.json'))) return []
  const results = await openResults(folder, '')
  return (await tableOf(results.manifest, results)).usage
}

const sumOfRuns = (runs: readonly PlanLines[]): PlanLines['together'] =>
  (runs[0]?.together ?? []).map(({ phase }) => ({
    phase,
    ...sumOfCosts(runs.flatMap(({ together }) => together.filter((line) => line.phase === phase))),
  }))
