import { existsSync } from 'node:fs'
import { groupBy } from '../../../basics/collections.ts'
import type { Plan } from '../../../config/index.ts'
import { tasksOf } from '../../../define.ts'
import { UserError } from '../../../errors.ts'
import type { PaperRun, PaperTable } from '../../../report/paper/schema.ts'
import { prepare, withoutNetworks, type Settings } from '../../../run/index.ts'
import { plural } from '../../../text/amounts.ts'
import type { Readiness, ReadinessRequest } from './readiness.ts'

/** Line 1 of `reproduce`: which runs are comparable with the paper, which are not and why, and which cannot run. */
export function comparability(
  ready: ReadonlyMap<string, Readiness>,
  reasons: ReadonlyMap<string, string | undefined>,
): string {
  const labels = [...ready.keys()]
  const missing = labels.filter((label) => isMissing(ready.get(label)))
  const runnable = labels.filter((label) => !missing.includes(label))
  const byReason = groupBy(runnable, (label) => reasons.get(label) ?? '')
  const parts = Array.from(byReason, ([reason, names]) => {
    const scope = names.length === labels.length ? '' : ` (${namesOf(names)})`
    return reason === '' ? `Comparable with the paper${scope}.` : `Not comparable with the paper${scope}: ${reason}.`
  })
  return [...parts, ...(missing.length > 0 ? [`Cannot run: ${namesOf(missing)}.`] : [])].join(' ')
}

/** What is missing and how to get it: variables, downloads, anything else, and the offline variants. */
export function remedies(
  ready: ReadonlyMap<string, Readiness>,
  paper: Pick<PaperTable, 'runs'>,
  name: string,
  isOffline: boolean,
): readonly string[] {
  const lines = [...new Set([...ready.values()].flatMap((run) => ('missing' in run ? run.missing : [])))]
  const variables = [...new Set(lines.flatMap((line) => unsetVariable.exec(line)?.[1] ?? []))]
  const downloads = [...new Set(lines.flatMap((line) => download.exec(line)?.[1] ?? []))]
  const rest = lines.filter((line) => !unsetVariable.test(line) && !download.test(line))
  const hasOffline = !isOffline && Object.values(paper.runs).some(({ offline }) => offline.length > 0)
  return [
    ...(variables.length > 0 ? [`Set ${variables.join(', ')} in the environment or in .env.`] : []),
    ...(downloads.length > 0 ? [`Download the data: ${downloads.join('; ')}`] : []),
    ...rest,
    ...(hasOffline ? [`Without models: gembench reproduce ${name} --offline (not comparable with the paper)`] : []),
  ]
}

const isMissing = (run: Readiness | undefined): boolean => run !== undefined && 'missing' in run

function namesOf(names: readonly string[]): string {
  const separator = names.some((name) => name.includes(',')) ? '; ' : ', '
  return names.length > 3
    ? `${names.slice(0, 2).join(separator)} and ${plural(names.length - 2, 'other run')}`
    : names.join(separator)
}

/** The message of a config whose variable is not set; one with a hint at another variable stays as it is. */
const unsetVariable = /environment variable (\S+) is not set(?!.*did you mean)/
const download = /no such file or folder; download it with "([^"]+)"/

/** Why runs are not comparable with the paper, before any of them is paid for. Runs that cannot open become missing. */
export async function reasonsNotToCompare(
  { runs }: PaperTable,
  ready: Map<string, Readiness>,
  request: ReadinessRequest,
): Promise<ReadonlyMap<string, string>> {
  const reasons = new Map<string, string>()
  for (const [label, run] of ready) {
    if ('missing' in run) continue
    if (request.offline) {
      reasons.set(label, 'offline variants with other data or models')
      continue
    }
    const isUntrained = run.trainings?.some(({ file }) => !existsSync(file)) === true
    const conditions = await conditionsOf(isUntrained ? withoutNetworks(run.plan) : run.plan, request.settings)
    if ('missing' in conditions) ready.set(label, conditions)
    else {
      const reason = incomparableBecause(conditions, runs[label], request)
      if (reason !== undefined) reasons.set(label, reason)
    }
  }
  return reasons
}

interface Conditions {
  readonly dataset: string
  readonly questions: number
  /** Providers that are no language model. */
  readonly offline: readonly string[]
}

async function conditionsOf(
  plan: Plan,
  settings: Settings,
): Promise<Conditions | Extract<Readiness, { readonly missing: readonly string[] }>> {
  try {
    const prepared = await prepare(plan, settings)
    await prepared.close()
    const { dataset, statistics, models, style, methods, scorers } = prepared
    const isAsked =
      style !== 'none' ||
      methods.some(({ method, options }) => tasksOf(method, options).length > 0) ||
      scorers.some(({ scorer }) => scorer.judge)
    return { dataset: dataset.name, questions: statistics.questions, offline: isAsked ? models.offline() : [] }
  } catch (error) {
    if (error instanceof UserError) return { missing: error.message.split('\n') }
    throw error
  }
}

/** Why a run is not compared with the paper, every reason; undefined where it is. */
export function incomparableBecause(
  { dataset, questions, offline: providers }: Conditions,
  paperRun: PaperRun | undefined,
  { offline, limit }: ReadinessRequest,
): string | undefined {
  const reasons = providers.map((provider) => `"${provider}" is not a language model`)
  if (offline) reasons.unshift(`an offline variant on ${dataset}`)
  else if (paperRun?.questions !== undefined && questions !== paperRun.questions)
    reasons.push(`this run has ${plural(questions, 'question')}, the paper asked ${paperRun.questions}`)
  else if (limit !== undefined) reasons.push(`only the first ${plural(questions, 'question')}`)
  return reasons.length === 0 ? undefined : reasons.join('; ')
}
