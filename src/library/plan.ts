import { itemAt } from '../basics/collections.ts'
import type { Plan } from '../config/index.ts'
import type { VariedValue } from '../records.ts'
import { dryRun, prepare, type Settings, notesOnLanguage, planWarnings } from '../run/index.ts'
import { hashOf } from '../text/hash.ts'
import type { AnswersWanted } from '../types.ts'
import type { RunConfig } from '../run/run-config.ts'
import { countsOf, planLines, type PlanLines, sumOfCosts } from './plan-lines.ts'
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
  /** All runs together, by phase and in all; an index that runs of other budgets share is counted once. */
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
  return costsOfPlans(openedConfig.plans, openedConfig.settings, { askPrograms })
}

/** The expected costs of plans; `cached`: whether the runs will have a cache. */
export async function costsOfPlans(
  plans: readonly Plan[],
  settings: Settings,
  { cached = true, askPrograms = false }: { readonly cached?: boolean; readonly askPrograms?: boolean } = {},
): Promise<PlanResult> {
  const runs: PlannedRun[] = []
  for (const plan of plans) runs.push(await costsOfRun(plan, settings, askPrograms))
  return { runs, together: sumOfRuns(cached ? dropSharedIndexes(plans, runs) : runs) }
}

async function costsOfRun(plan: Plan, settings: Settings, askPrograms: boolean): Promise<PlannedRun> {
  const prepared = await prepare(plan, settings)
  const { hash, statistics, methods, models, style } = prepared
  try {
    const estimate = await dryRun(prepared, settings, askPrograms)
    const { name, variedValues: varied } = plan
    return {
      name,
      hash,
      ...(varied.length > 0 && { varied }),
      trials: statistics.questions * methods.length * plan.repeats,
      answers: style,
      ...planLines(estimate, models.describe()),
      warnings: [...notesOnLanguage(prepared), ...planWarnings(estimate.rows, prepared)],
    }
  } finally {
    await prepared.close()
  }
}

/** Sets index costs to zero where an earlier run differs only in its budget: its calls are cached. */
function dropSharedIndexes(plans: readonly Plan[], runs: readonly PlannedRun[]): readonly PlanLines[] {
  const seenKeys = new Set<string>()
  return runs.map((run, position) => {
    const key = hashOf({ ...itemAt(plans, position).record, budget: null })
    if (!seenKeys.has(key)) {
      seenKeys.add(key)
      return run
    }
    const noCosts = { ...countsOf(() => 0), usd: 0 }
    const phases = run.together.filter(({ phase }) => phase !== 'index' && phase !== 'all')
    const all = sumOfCosts(phases)
    return { ...run, together: [{ phase: 'index', ...noCosts }, ...phases, { phase: 'all', ...all }] }
  })
}

const sumOfRuns = (runs: readonly PlanLines[]): PlanLines['together'] =>
  (runs[0]?.together ?? []).map(({ phase }) => ({
    phase,
    ...sumOfCosts(runs.flatMap(({ together }) => together.filter((line) => line.phase === phase))),
  }))
