import { itemAt } from '../basics/collections.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from '../config/index.ts'
import type { VariedValue, Manifest } from '../records.ts'
import { tableOf } from '../report/table/table.ts'
import {
  expectedRun,
  keptCalls,
  openResults,
  prepare,
  type Prepared,
  type Settings,
  type ExpectedRun,
  notesOnLanguage,
} from '../run/index.ts'
import { hashOf } from '../text/hash.ts'
import type { AnswersWanted, Estimate } from '../types.ts'
import type { RunConfig } from './config.ts'
import { type Costs, countedBy, eachOf, planLines, type PlanLines, summed, type Timed } from './plan-lines.ts'
import { openConfig, type RunSettings } from './open-config.ts'
import { counted } from '../report/render/amounts.ts'
import { rowName } from '../text/names.ts'

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

export async function plan(
  config: RunConfig | string | readonly string[],
  settings: Omit<RunSettings, 'progress' | 'workers' | 'spend' | 'cache'> = {},
): Promise<PlanResult> {
  const opened = await openConfig(config, { ...settings, cache: false })
  return costsOfPlans(opened.plans, opened.settings)
}

/** The same of plans; `cached`: whether the runs will have a cache. */
export async function costsOfPlans(plans: readonly Plan[], settings: Settings, cached = true): Promise<PlanResult> {
  const runs: PlannedRun[] = []
  for (const plan of plans) runs.push(await costsOfRun(plan, settings))
  return { runs, together: sumOfRuns(cached ? indexedOnce(plans, runs) : runs) }
}

async function costsOfRun(plan: Plan, settings: Settings): Promise<PlannedRun> {
  const prepared = await prepare(plan, settings)
  const { hash, survey, methods, models, style } = prepared
  const described = models.describe()
  const window = models.window('answer')
  const { expected, kept } = await lookedUp(plan, prepared, settings).finally(() => prepared.close())
  const earlier = await timesOf(join(settings.results, `${plan.name}-${hash}`))
  const { name, varied } = plan
  return {
    ...{ name, hash, ...(varied.length > 0 && { varied }) },
    trials: survey.questions * methods.length * plan.repeats,
    answers: style,
    ...planLines(expected, described, earlier, kept),
    warnings: [...notesOnLanguage(prepared), ...planWarnings(expected.rows, window, described)],
  }
}

async function lookedUp(plan: Plan, prepared: Prepared, settings: Settings) {
  const expected = await expectedRun(prepared)
  return { expected, kept: await keptCalls(plan, prepared, settings) }
}

/** What an earlier run of the same setting spent, and its time of embedding calls. */
async function timesOf(folder: string): Promise<readonly Timed[]> {
  if (!existsSync(join(folder, 'manifest.json'))) return []
  const results = await openResults(folder, '')
  const embedding = new Map<string, number>()
  for await (const { method, variant, phase, embeddingMilliseconds = 0 } of results.meter()) {
    const key = JSON.stringify([method, variant, phase])
    embedding.set(key, (embedding.get(key) ?? 0) + embeddingMilliseconds)
  }
  return (await tableOf(results.manifest, results)).usage.map((cell) => ({
    ...cell,
    embeddingMilliseconds: embedding.get(JSON.stringify([cell.method, cell.variant, cell.phase])) ?? 0,
  }))
}

/** The runs without the cost of an index that an earlier one builds of the same calls: its budget alone is another. */
function indexedOnce(plans: readonly Plan[], runs: readonly PlannedRun[]): readonly PlanLines[] {
  const built = new Set<string>()
  return runs.map((run, at) => {
    const key = hashOf({ ...itemAt(plans, at).record, budget: null })
    const index = run.together.find(({ phase }) => phase === 'index')
    if (!index || !built.has(key)) {
      built.add(key)
      return run
    }
    const less = (from: Estimate | null | undefined, other: Estimate | null | undefined): Estimate | null =>
      eachOf((end) => from && other && Math.max(0, from[end] - other[end])) ?? null
    const without = <L extends Costs>(line: L): L => {
      const [usd, seconds] = [less(line.usd, index.usd), less(line.seconds, index.seconds)]
      return {
        ...{ ...line, ...countedBy((field) => less(line[field], index[field])) },
        ...(usd && { usd }),
        ...(seconds && { seconds }),
      }
    }
    const together = run.together.map((line) => (['index', 'all'].includes(line.phase) ? without(line) : line))
    return { ...run, together }
  })
}

/** Whether a key is the budget, of which no index knows. */
export const isBudget = (option: string): boolean => option.split('.')[0] === 'budget'

/** What several runs cost together, by phase and in all. */
const sumOfRuns = (runs: readonly PlanLines[]): PlanLines['together'] =>
  (runs[0]?.together ?? []).map(({ phase }) => {
    const lines = runs.flatMap(({ together }) => together.filter((line) => line.phase === phase))
    const together = countedBy((field) => summed(lines.map((line) => line[field])) ?? null)
    const [usd, seconds] = [summed(lines.map((line) => line.usd)), summed(lines.map((line) => line.seconds))]
    return { phase, ...together, ...(usd && { usd }), ...(seconds && { seconds }) }
  })

/** What a person should know before a run: prompts beyond a window, and models whose calls have no price. */
const planWarnings = (
  rows: ExpectedRun['rows'],
  window: number | undefined,
  models: Manifest['models'],
): readonly string[] => [...windowWarnings(rows, window), ...priceWarnings(models)]

/** Tokens that the windows of most models hold, where the config does not say the model's. */
const usualWindow = 128_000

/** Rows whose prompts are longer than the window of the model that answers. */
const windowWarnings = (rows: ExpectedRun['rows'], window: number | undefined): readonly string[] =>
  rows.flatMap(({ phases: { answer }, ...row }) => {
    const tokens = answer && answer.calls.expected > 0 ? answer.promptTokens.expected / answer.calls.expected : 0
    if (tokens <= (window ?? usualWindow)) return []
    const prompt = `${rowName(row)}: a prompt has about ${counted(Math.round(tokens))} tokens in the mean`
    return [
      window === undefined
        ? `${prompt}; many models take no more than ${counted(usualWindow)} (set window of the model), and longer ones are failed calls`
        : `${prompt}, and the model takes ${counted(window)} (window): such calls fail; leave the row out, or cut its context`,
    ]
  })

/** Models behind a server whose calls cannot be counted in dollars. */
function priceWarnings(models: Manifest['models']): readonly string[] {
  const without = Object.entries(models).flatMap(([role, { baseUrl, price }]) =>
    baseUrl !== undefined && !price ? [`models.${role}`] : [],
  )
  return without.length === 0
    ? []
    : [
        `${without.join(', ')}: no price is set, so that there are no dollars; price: { prompt, completion } in dollars per million tokens`,
      ]
}
