import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRegularFile } from '../../basics/files.ts'
import { mapRoles } from '../../basics/roles.ts'
import type { Plan, Planned } from '../../config/index.ts'
import { ModelError } from '../../errors.ts'
import type { ProviderKind } from '../../models/index.ts'
import type { IndexLine, ModelRecord, Row, TrialLine } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'
import type { Phase } from '../../types.ts'
import { startsProcesses } from '../prepare/method-entries.ts'
import type { Prepared } from '../prepare/prepare.ts'
import { keptKind, ownModels } from '../replay/recorded-models.ts'
import { readTrials } from '../results/read-lines.ts'
import { openRunFolder } from '../results/results.ts'
import { run } from '../run.ts'
import type { Settings } from '../settings.ts'
import { phases } from './expected-run.ts'

/** Of the calls of a row in a phase, those that the cache holds: at least, and how many are surely missing. */
export interface KeptCalls extends Row {
  readonly phase: Phase
  readonly kept: number
  readonly missing: number
  /** Whether calls follow from a missing reply, or were not looked up: then more than `kept` may be there. */
  readonly open: boolean
}

const secondsAtMost = 60

/**
 * Asks the questions of a plan of models that answer from the cache alone, so that each chain of calls is followed up
 * to its first missing reply. What this package computes on this computer is computed; plug-ins and programs are not
 * run. Undefined where no model is behind a server; nothing is kept where there is no cache.
 */
export async function keptCalls(
  plan: Plan,
  { methods, models: opened }: Pick<Prepared, 'methods' | 'models'>,
  settings: Settings,
): Promise<readonly KeptCalls[] | undefined> {
  const identities = opened.identify()
  if (!Object.values(identities).some(({ baseUrl }) => baseUrl !== undefined)) return undefined
  const asked = methods.filter((entry) => !startsProcesses(entry) && !entry.guarded)
  const isAsked = (_: unknown, place: number): boolean => asked.some((entry) => entry === methods[place])
  const isThere = isRegularFile(join(settings.cacheFolder, 'calls', 'calls.log'))
  const none = methods.flatMap(({ row }) =>
    phases.map((phase) => ({ ...row, phase, kept: 0, missing: 0, open: isThere })),
  )
  if (!isThere || asked.length === 0) return none
  const { planned, objects } = silentModels(plan.models, identities)
  const results = await mkdtemp(join(tmpdir(), 'gembench-plan-'))
  const late = AbortSignal.timeout(1000 * secondsAtMost)
  try {
    const known = { datasets: new Map(), methods: new Map(), scorers: new Map(), ...settings.objects, models: objects }
    await run(
      { ...plan, methods: plan.methods.filter(isAsked), models: planned },
      {
        ...{ ...settings, results, cache: true, addsNone: true, objects: known, warn: () => undefined },
        signal: AbortSignal.any([settings.signal, late]),
      },
    ).catch((error: unknown) => {
      if (!late.aborted) throw error
    })
    const [name] = await readdir(results)
    const found = name === undefined ? [] : await keptIn(join(results, name), plan, late.aborted)
    return none.map((one) => found.find((other) => isSame(one, other)) ?? one)
  } finally {
    await rm(results, { recursive: true, force: true })
  }
}

const isSame = (one: KeptCalls, { method, variant, phase }: KeptCalls): boolean =>
  one.method === method && one.variant === variant && one.phase === phase

function silentModels(planned: Plan['models'], identities: Readonly<Partial<Record<string, ModelRecord>>>) {
  const objects = new Map<string, { readonly item: ProviderKind; readonly digest: string }>()
  const plannedAs = (own: Planned, role: string): Planned => {
    // models of this package are asked as they are
    const record = identities[role] ?? identities['complete']
    if (!record || ownModels.includes(record.provider)) return own
    const object = canonicalJson(record)
    objects.set(object, { item: silentKind(record), digest: '' })
    return { use: record.provider, options: {}, record: {}, object }
  }
  return { planned: mapRoles(planned, plannedAs), objects }
}

/** Is never reached, so that all calls which the cache holds are taken from there. */
const silentKind = (record: ModelRecord): ProviderKind => keptKind(record, notKept, async () => ({}))

const notKept = (): Promise<never> => Promise.reject(new ModelError('server', 'this call is not in the cache'))

/** Counts what the lines of a run from the cache alone show. */
async function keptIn(folder: string, plan: Plan, isCut: boolean): Promise<readonly KeptCalls[]> {
  const results = await openRunFolder(folder)
  if (!results) return []
  const failures = new Map<string, number>()
  const count = (line: IndexLine | TrialLine): void => {
    if (!line.failure) return
    const key = JSON.stringify([line.methodId, line.line === 'index' ? 'built' : line.failure.phase])
    failures.set(key, (failures.get(key) ?? 0) + 1)
  }
  for await (const line of readTrials(folder)) count(line)
  const scoresLost = new Map<string, number>()
  for await (const { methodId, failure } of results.scores())
    if (failure) scoresLost.set(methodId, (scoresLost.get(methodId) ?? 0) + 1)
  const kept = new Map<string, number>()
  for await (const { method, variant, phase, cached } of results.meter()) {
    const key = JSON.stringify([method, variant, phase])
    kept.set(key, (kept.get(key) ?? 0) + cached)
  }
  const judgesOnce = results.manifest.scorers.every(({ judge, use }) => !judge || use === 'correct')
  return results.manifest.methods.flatMap(({ method, variant, id }) => {
    const failed = (at: string): number => failures.get(JSON.stringify([id, at])) ?? 0
    const [built, index] = [failed('built'), failed('index')]
    const [retrieve, answer] = [failed('retrieve'), failed('answer')]
    const lost = (scoresLost.get(id) ?? 0) * plan.judgeRuns
    const known: Readonly<Record<Phase, Pick<KeptCalls, 'missing' | 'open'>>> = {
      index: { missing: built, open: built > 0 },
      retrieve: { missing: retrieve, open: index + retrieve > 0 },
      answer: { missing: answer, open: index + retrieve > 0 },
      judge: { missing: lost, open: index + retrieve + answer > 0 || (lost > 0 && !judgesOnce) },
    }
    return phases.map((phase): KeptCalls => {
      const { missing, open } = known[phase]
      const key = JSON.stringify([method, variant, phase])
      return { method, variant, phase, kept: kept.get(key) ?? 0, missing, open: open || isCut }
    })
  })
}
