import { existsSync } from 'node:fs'
import pc from 'picocolors'
import { costsOfPlans } from '../../../api/plan.ts'
import type { Plan } from '../../../config/index.ts'
import { plural } from '../../../report/render/amounts.ts'
import { rowToTrain, withoutNetworks, type Settings } from '../../../run/index.ts'
import { hashOf } from '../../../text/hash.ts'
import { exitCodes } from '../../ending.ts'
import { print, printJson, type JsonFlag } from '../../terminal/print.ts'
import { reportPlan, reportSum } from '../plan.ts'
import type { Readiness } from './readiness.ts'

/** What each run that can begin is expected to cost, and the record graphs that networks are trained on before it. */
export async function printPlans(
  ready: ReadonlyMap<string, Readiness>,
  settings: Settings,
  { json }: JsonFlag,
): Promise<void> {
  const planned: { readonly label: string; readonly plan: Plan; readonly isTraining: boolean }[] = []
  let untrained = 0
  // several columns of a paper may be one run: it is made once
  const labels = new Map<string, string[]>()
  for (const [label, one] of ready) if ('plan' in one) addTo(labels, hashOf(one.plan.record), label)
  for (const [first, one] of ready) {
    if (!('plan' in one)) continue
    const [own, ...others] = labels.get(hashOf(one.plan.record)) ?? []
    if (own !== first) continue
    const label = others.length > 0 ? `${first} and ${plural(others.length, 'other')} that are the same run` : first
    const missing = (one.trainings ?? []).filter(({ file }) => !existsSync(file))
    untrained += missing.length
    // trainings that differ in how they train alone share their record graphs
    const graphs = new Map(missing.map(({ plan }) => [hashOf({ ...plan.record, train: null }), plan]))
    for (const plan of graphs.values()) {
      const methods = [rowToTrain(plan, undefined)]
      planned.push({
        label: `${label}: record graphs to train ${plural(missing.length, 'network')} on`,
        ...{ plan: withoutNetworks({ ...plan, asked: null, methods, scorers: [] }), isTraining: true },
      })
    }
    planned.push({ label, plan: missing.length > 0 ? withoutNetworks(one.plan) : one.plan, isTraining: false })
  }
  const costs = await costsOfPlans(
    planned.map(({ plan }) => plan),
    { ...settings, cache: false },
    settings.cache,
  )
  const runs = costs.runs.map((run, index) => {
    const { label = run.name, isTraining = false } = planned[index] ?? {}
    return isTraining
      ? { ...run, label, trials: 0, rows: run.rows.filter(isOfIndex), together: run.together.filter(isOfIndex) }
      : { ...run, label }
  })
  const together = runs.some(({ trials }) => trials === 0) ? undefined : costs.together
  if (json) printJson({ runs, ...(together && { together }) })
  else {
    for (const { label, trials, ...run } of runs)
      reportPlan(trials === 0 ? label : `${label}: ${plural(trials, 'trial')}`, run)
    if (together && runs.length > 1) reportSum(together)
    if (untrained > 0)
      print(
        pc.dim('Networks that are not trained yet are left out: rows that differ in these alone are summed up as one.'),
      )
  }
  process.exitCode = planned.length === 0 ? exitCodes.usage : exitCodes.done
}

function addTo(labels: Map<string, string[]>, key: string, label: string): void {
  labels.set(key, [...(labels.get(key) ?? []), label])
}

const isOfIndex = ({ phase }: { readonly phase: string }): boolean => phase === 'index'
