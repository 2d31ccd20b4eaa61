import { profiled, runAll, type Progress, type SeriesOutcome } from '../run/index.ts'
import type { OpenedConfig } from './open-config.ts'
import { writeTables, type WrittenTables } from './write-tables.ts'

/** What the runs of a config did, with their table as it was written. */
export interface RanPlans extends SeriesOutcome, WrittenTables {}

/** Runs the plans of a config and writes the tables of every results folder. Throws as `run` does. */
export async function runPlans({ plans, settings }: OpenedConfig, progress?: Progress): Promise<RanPlans> {
  const writeOwn = async (folder: string): Promise<void> => {
    if (plans.length > 1) await writeTables(folder)
  }
  const outcome = await runAll(plans, settings, progress, writeOwn)
  return { ...outcome, ...(await profiled(settings.profile, 'tables', '', () => writeTables(outcome.folder))) }
}
