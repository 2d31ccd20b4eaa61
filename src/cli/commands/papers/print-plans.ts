import { existsSync } from 'node:fs'
import { groupBy, itemAt } from '../../../basics/collections.ts'
import { costsOfPlans } from '../../../library/plan.ts'
import { withoutNetworks, type Settings } from '../../../run/index.ts'
import { plural } from '../../../text/amounts.ts'
import { hashOf } from '../../../text/hash.ts'
import { exitCodes } from '../../ending.ts'
import { printJson, type JsonFlag } from '../../terminal/print.ts'
import { printCosts } from '../plan.ts'
import type { Readiness } from './ready-runs.ts'

export async function printPlans(
  ready: ReadonlyMap<string, Readiness>,
  settings: Settings,
  { json }: JsonFlag,
): Promise<void> {
  const runnable = [...ready].flatMap(([label, run]) => ('plan' in run ? [{ label, ...run }] : []))
  // several columns of a paper may share one run
  const distinct = [...groupBy(runnable, ({ plan }) => hashOf(plan.record)).values()]
  const plans = distinct.map(([{ label: first, plan, trainings }, ...duplicates]) => {
    const rest = ` and ${plural(duplicates.length, 'other')} that are the same run`
    const label = duplicates.length > 0 ? `${first}${rest}` : first
    const networkCount = trainings.filter(({ file }) => !existsSync(file)).length
    return { label, networkCount, plan: networkCount > 0 ? withoutNetworks(plan) : plan }
  })
  const { runs, together } = await costsOfPlans(
    plans.map(({ plan }) => plan),
    { ...settings, cache: false },
  )
  const labelledRuns = runs.map((run, index) => {
    const { label, networkCount } = itemAt(plans, index)
    if (networkCount === 0) return { ...run, label }
    const warning = `${label}: the calls to train ${plural(networkCount, 'network')} are not counted`
    return { ...run, label, networkCount, warnings: [...run.warnings, warning] }
  })
  if (json) printJson({ runs: labelledRuns, together })
  else if (runs.length > 0) printCosts({ runs: labelledRuns, together })
  process.exitCode = plans.length === 0 ? exitCodes.usage : exitCodes.done
}
