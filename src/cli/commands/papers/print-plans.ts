import { existsSync } from 'node:fs'
import pc from 'picocolors'
import { groupBy, itemAt } from '../../../basics/collections.ts'
import { costsOfPlans } from '../../../library/plan.ts'
import { rowToTrain, withoutNetworks, type Settings } from '../../../run/index.ts'
import { plural } from '../../../text/amounts.ts'
import { hashOf } from '../../../text/hash.ts'
import { exitCodes } from '../../ending.ts'
import { print, printJson, type JsonFlag } from '../../terminal/print.ts'
import { printCosts, reportPlan } from '../plan.ts'
import type { Readiness } from './ready-runs.ts'

export async function printPlans(
  ready: ReadonlyMap<string, Readiness>,
  settings: Settings,
  { json }: JsonFlag,
): Promise<void> {
  const runnable = [...ready].flatMap(([label, run]) => ('plan' in run ? [{ label, ...run }] : []))
  // several columns of a paper may share one run
  const distinct = [...groupBy(runnable, ({ plan }) => hashOf(plan.record)).values()]
  const costPlans = distinct.flatMap(([{ label: first, plan, trainings }, ...duplicates]) => {
    const label =
      duplicates.length > 0 ? `${first} and ${plural(duplicates.length, 'other')} that are the same run` : first
    const missing = trainings.filter(({ file }) => !existsSync(file))
    // trainings that differ only in the key `train` share their record graphs
    const graphs = groupBy(missing, (training) => hashOf({ ...training.plan.record, train: null }))
    return [
      ...Array.from(graphs.values(), ([{ plan: graph }]) => ({
        label: `${label}: record graphs to train ${plural(missing.length, 'network')} on`,
        plan: withoutNetworks({
          ...graph,
          selectedLabels: null,
          methods: [rowToTrain(graph, undefined)],
          scorers: [],
        }),
        // only the record graphs are counted
        isTraining: true,
      })),
      { label, plan: missing.length > 0 ? withoutNetworks(plan) : plan, isTraining: false },
    ]
  })
  const costs = await costsOfPlans(
    costPlans.map(({ plan }) => plan),
    { ...settings, cache: false },
    { cached: settings.cache },
  )
  const runs = costs.runs.map((run, index) => {
    const { label, isTraining } = itemAt(costPlans, index)
    if (!isTraining) return { ...run, label }
    const rows = run.rows.filter(isOfIndex)
    return { ...run, label, trials: 0, rows, together: run.together.filter(isOfIndex) }
  })
  const hasTrainings = costPlans.some(({ isTraining }) => isTraining)
  if (json) printJson({ runs, ...(!hasTrainings && { together: costs.together }) })
  else {
    for (const { label, trials, ...run } of runs)
      reportPlan(trials === 0 ? label : `${label}: ${plural(trials, 'trial')}`, run)
    if (hasTrainings)
      print(pc.dim('Networks that are not trained yet are left out: rows that differ in these alone are one.'))
    else if (runs.length > 1) printCosts('run', [], costs.together)
  }
  process.exitCode = costPlans.length === 0 ? exitCodes.usage : exitCodes.done
}

const isOfIndex = ({ phase }: { readonly phase: string }) => phase === 'index'
