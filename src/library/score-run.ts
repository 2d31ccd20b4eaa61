import type { Plan } from '../config/index.ts'
import { UserError } from '../errors.ts'
import { rescore, type Results, type Settings } from '../run/index.ts'
import { variantOf } from '../text/names.ts'
import { writeTables } from './write-tables.ts'

/** The config of the run, or trust in what its folder names. */
interface ScoringSource {
  readonly plans?: readonly Plan[]
  readonly isTrusted?: boolean
}

/**
 * Scores the stored answers of a run again, or of all runs of a series, and writes their tables. Only judges are asked.
 * Throws UserError for scorers that the folder names without trust, and for a config of another run.
 */
export async function scoreRun(results: Results, settings: Settings, { plans, isTrusted = false }: ScoringSource) {
  const scores = { made: 0, failed: 0, skipped: 0 }
  for (const run of results.runs ?? [results]) {
    const plan = plans && planOfRun(plans, run)
    const { made, failed, skipped } = await rescore(run, settings, { isTrusted, ...(plan && { plan }) })
    scores.made += made
    scores.failed += failed
    scores.skipped += skipped
    if (run !== results) await writeTables(run.folder)
  }
  return { scores, ...(await writeTables(results.folder)) }
}

function planOfRun(plans: readonly Plan[], { folder, manifest }: Results): Plan {
  const variant = variantOf(manifest.varied ?? [])
  const plan = plans.length > 1 ? plans.find(({ variedValues }) => variantOf(variedValues) === variant) : plans[0]
  if (plan) return plan
  throw new UserError(
    `${folder}: the config has no run with ${variant || 'nothing varied'}; name the config of this run`,
  )
}
