import { dirname, join } from 'node:path'
import { readConfig, type Plan } from '../config/index.ts'
import { messageOf, UserError } from '../errors.ts'
import type { Experiment, PaperRun } from '../report/paper/paper-table.ts'
import { missingRequirements, menus, type Settings } from '../run/index.ts'

/** A run that can begin, or what it lacks, a line each with the remedy. */
export type Readiness = { readonly plan: Plan } | { readonly missing: readonly string[] }

/** What a paper's run is asked with besides its configs. */
export interface ReadinessRequest {
  /** The file of the paper's table: its configs are seen from there. */
  readonly file: string
  readonly offline: boolean
  readonly limit?: number
  readonly settings: Settings
}

/** Whether a run can begin; offline, its first offline variant that can, and nothing where it has none. */
export async function readiness(run: PaperRun, asking: ReadinessRequest): Promise<Readiness | undefined> {
  const found: Readiness[] = []
  for (const experiment of asking.offline ? run.offline : [run]) {
    const one = await check(experiment, asking)
    if ('plan' in one) return one
    found.push(run.needs === undefined || asking.offline ? one : { missing: [...one.missing, run.needs] })
  }
  return found[0]
}

async function check(experiment: Experiment, { file, limit, settings }: ReadinessRequest): Promise<Readiness> {
  const read = (more: readonly string[] = []): Promise<Plan> =>
    readConfig(
      experiment.configs.map((config) => join(dirname(file), config)),
      {
        set: [...experiment.set, ...more],
        cwd: process.cwd(),
        environment: process.env,
        ...(limit !== undefined && { limit }),
      },
      menus,
    )
  try {
    const plan = await read()
    const missing = await missingRequirements(plan, settings)
    return missing.length === 0 ? { plan } : { missing }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    // the data is looked for whatever the models lack
    const elsewhere = await read(offlineModels).then(
      (plan) => missingRequirements(plan, settings),
      () => [],
    )
    return { missing: [...error.message.split('\n'), ...elsewhere].map(messageOf) }
  }
}

const offlineModels = ['complete', 'answer', 'judge']
  .map((role) => `models.${role}=extractive`)
  .concat('models.embed=minilm')
