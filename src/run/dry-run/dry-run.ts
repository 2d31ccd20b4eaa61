import { z } from 'zod'
import { inTemporaryFolder } from '../../basics/files.ts'
import type { Plan, PlannedMethod, PlannedPlugIn } from '../../config/index.ts'
import type { Row } from '../../records.ts'
import type { Kind, Phase } from '../../types.ts'
import { distinctEntries } from '../prepare/method-entries.ts'
import type { Prepared } from '../prepare/prepare.ts'
import { openResults } from '../results/series.ts'
import { run } from '../run.ts'
import { silent, type CallsSoFar, type Progress } from '../progress.ts'
import type { Settings } from '../prepare/settings.ts'
import { addUsage, eachNumber, extrapolate, noUsage, type DryUsage, type RowUsage } from './extrapolate.ts'
import { sampleData, type SampledData } from './sample-data.ts'
import { standIns } from './stand-ins.ts'

/** A row as if it made all its calls. */
interface DryRow extends Row {
  /** A phase whose usage is unknown is absent. */
  readonly phases: Partial<Record<Phase, DryUsage>>
  /** Why its dry run failed. */
  readonly failure?: string
}

/** What a run is expected to ask of models. */
export interface DryRun {
  readonly rows: readonly DryRow[]
  /** All known rows: calls that they share are made once. The judge's include its test on known claims. */
  readonly together: Readonly<Record<Phase, DryUsage>>
}

/** Limits of the sample, about. */
const most = { chunks: 200, questions: 40 }

/**
 * Runs a plan on a sample of its data with rule-based models, in a temporary folder, and scales what they were asked.
 * Programs, servers and plug-ins are run only where `asksPrograms`.
 */
export async function dryRun(prepared: Prepared, settings: Settings, asksPrograms: boolean): Promise<DryRun> {
  const { plan, methods, scorers } = prepared
  const { dataset, large, small } = await sampleData(prepared.corpora(), plan.chunks, most)
  const largeUsage = await measure(large, prepared, settings, asksPrograms)
  const smallUsage = small && (await measure(small, prepared, settings, asksPrograms))
  const scale = { dataset, large: large.size, ...(small && { small: small.size }), repeats: plan.repeats }
  const isJudgeKnown = asksPrograms || scorers.every(({ isExternal, scorer }) => !scorer.judge || !isExternal)
  const externalRows = asksPrograms ? [] : plan.methods.filter(isForeign)
  const unknown = externalRows.map(({ label, variant }) => keyOf(label, variant))
  const rows = methods.map(({ row, id }): DryRow & { readonly id: string } => {
    const key = keyOf(row.method, row.variant)
    const usage = largeUsage.rows.get(key)
    if (!usage || unknown.includes(key)) return { ...row, id, phases: {} }
    if (usage.failure !== undefined) return { ...row, id, phases: {}, failure: usage.failure }
    const { judge, ...phases } = extrapolate(usage, smallUsage?.rows.get(key), scale)
    return { ...row, id, phases: { ...phases, ...(isJudgeKnown && { judge }) } }
  })
  const distinct = distinctEntries(methods).flatMap(({ id }) => rows.find((row) => row.id === id) ?? [])
  const together = (phase: Phase): DryUsage =>
    eachNumber((field) => {
      const share = largeUsage.sentShare(phase, field)
      return distinct.reduce((sum, { phases }) => sum + share * (phases[phase]?.[field] ?? 0), 0)
    })
  return {
    rows: rows.map(({ id: _, ...row }) => row),
    together: {
      index: together('index'),
      retrieve: together('retrieve'),
      answer: together('answer'),
      judge: addUsage(together('judge'), largeUsage.judgeTests),
    },
  }
}

const isForeign = ({ use, file, object, of = [] }: PlannedPlugIn): boolean =>
  ['command', 'http'].includes(use) || file !== undefined || object !== undefined || of.some(isForeign)

const keyOf = (method: string, variant: string): string => JSON.stringify([method, variant])

/** Runs a plan on sampled data and adds up what each row used. */
const measure = (data: SampledData, prepared: Prepared, settings: Settings, asksPrograms: boolean) =>
  inTemporaryFolder(async (results) => {
    const { plan, objects } = dryPlan(data, prepared, settings, asksPrograms)
    const callCounts = new Map<string, () => CallsSoFar>()
    const progress: Progress = {
      ...silent,
      start(stage, _total, calls) {
        if (calls) callCounts.set(stage, calls)
      },
    }
    const warn = (): void => undefined
    const { folder } = await run(plan, { ...settings, results, cache: false, warn, objects, progress })
    return usageIn(folder, [...callCounts.values()])
  })

function dryPlan({ corpora }: SampledData, prepared: Prepared, settings: Settings, asksPrograms: boolean) {
  const { compare: _compare, scorers, ...plan } = prepared.plan
  const dataset = prepared.dataset
  const [vectors] = prepared.methods.flatMap(({ requires }) => requires.flatMap(({ vectors }) => vectors ?? []))
  const { models, objects } = standIns(plan.models, prepared.models.identify(), vectors?.dimensions)
  const item = {
    ...dataset,
    options: z.object({}),
    files: async () => [],
    names: () => [],
    unused: () => [],
    corpora: async function* () {
      yield* corpora
    },
  }
  const isRun = (plugIn: PlannedPlugIn): boolean => asksPrograms || !isForeign(plugIn)
  const dry: Plan = {
    ...plan,
    models,
    dataset: { use: dataset.name, options: {}, record: {}, object: dataset.name },
    answers: prepared.style,
    // a row that is not run stays as an opponent of the others
    methods: plan.methods.map((row) => (isRun(row) ? { ...row, ...inMemory(row) } : asRandom(row))),
    ...(scorers && { scorers: scorers.filter(isRun) }),
    repeats: Math.min(plan.repeats, 2),
  }
  return {
    plan: dry,
    objects: { ...settings.objects, provider: objects, dataset: new Map([[dataset.name, { item, digest: '' }]]) },
  }
}

const asRandom = ({ file: _file, object: _object, of: _of, ...row }: PlannedMethod): PlannedMethod => ({
  ...row,
  use: 'random',
  options: {},
})

/** Options without a database: the vectors are the same in memory. */
function inMemory({ options, of }: PlannedPlugIn): Pick<PlannedPlugIn, 'options' | 'of'> {
  const fields = Object(options) as object
  return {
    options: 'store' in fields ? { ...fields, store: 'memory' } : options,
    ...(of && { of: of.map((submethod) => ({ ...submethod, ...inMemory(submethod) })) }),
  }
}

/** What each row of a results folder used, and how much of all that was sent. */
async function usageIn(folder: string, callCounts: readonly (() => CallsSoFar)[]) {
  const results = await openResults(folder, '')
  const { methods, scorers } = results.manifest
  const byId = new Map(methods.map(({ id }) => [id, newUsage()]))
  const usageOf = (id: string): RowUsage => {
    const usage = byId.get(id)
    if (!usage) throw new Error(`a line of ${id}, which is no row`)
    return usage
  }
  const kinds = new Map<string, Kind>()
  const failed = new Map<RowUsage, string>()
  for await (const line of results.trials()) {
    const row = usageOf(line.methodId)
    if (line.line === 'index') {
      const repeat = line.repeat ? 'later' : 'first'
      row.index[repeat] = addUsage(row.index[repeat], line.usage)
      if (line.failure) row.failure ??= line.failure.message
    } else if (line.failure) failed.set(row, line.failure.message)
    else {
      const { kind } = line.question.reference
      kinds.set(line.id, kind)
      const noPhases = { retrieve: noUsage, answer: noUsage, judge: noUsage }
      const trials = row.trials.get(kind) ?? { count: 0, usage: noPhases }
      row.trials.set(kind, trials)
      trials.count++
      for (const phase of ['retrieve', 'answer'] as const)
        trials.usage[phase] = addUsage(trials.usage[phase], line.usage[phase])
    }
  }
  for (const [row, message] of failed) {
    if (row.trials.size === 0) row.failure ??= message
  }
  for await (const { methodId, trial, usage } of results.scores()) {
    const kind = kinds.get(trial)
    const trials = kind && usageOf(methodId).trials.get(kind)
    if (trials) trials.usage.judge = addUsage(trials.usage.judge, usage)
  }
  const all = [...byId.values()]
  return {
    rows: new Map(methods.map(({ method, variant, id }) => [keyOf(method, variant), usageOf(id)])),
    judgeTests: scorers.reduce((sum, { judgeTest }) => addUsage(sum, judgeTest?.usage ?? {}), noUsage),
    /** The share of what rows used that was sent: the rest was sent for another row or repeat. */
    sentShare(phase: Phase, field: keyof DryUsage): number {
      const name = wholeOf[field] ?? field
      const total = all.reduce((sum, row) => sum + sumOf(row, phase)[name], 0)
      const sentTotal = callCounts.reduce((sum, calls) => sum + (calls().sentUsage[phase]?.[name] ?? 0), 0)
      return total === 0 ? 1 : sentTotal / total
    },
  }
}

/** Fields that are parts of others, which are not counted apart among those sent. */
const wholeOf: Partial<Record<keyof DryUsage, 'promptTokens' | 'embeddedTokens'>> = {
  rankedTokens: 'promptTokens',
  unreadTokens: 'embeddedTokens',
}

const newUsage = (): RowUsage => ({ index: { first: noUsage, later: noUsage }, trials: new Map() })

/** All that a row used in a phase. */
const sumOf = ({ index, trials }: RowUsage, phase: Phase): DryUsage =>
  phase === 'index'
    ? addUsage(index.first, index.later)
    : [...trials.values()].reduce((sum, { usage }) => addUsage(sum, usage[phase]), noUsage)
