import { itemAt } from '../basics/collections.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from '../config/index.ts'
import type { VariedValue, Manifest } from '../records.ts'
import { tableOf, type UsageCell } from '../report/table/table.ts'
import {
  dryRun,
  openResults,
  prepare,
  type DryRun,
  type Prepared,
  type Settings,
  notesOnLanguage,
} from '../run/index.ts'
import { hashOf } from '../text/hash.ts'
import type { AnswersWanted } from '../types.ts'
import type { RunConfig } from './config.ts'
import { type AtOnce, planLines, type PlanLines, sumOfCosts } from './plan-lines.ts'
import { openConfig, type RunSettings } from './open-config.ts'
import { counted, percent } from '../report/render/amounts.ts'
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

/** What `plan` takes besides the config. */
export interface PlanSettings extends Omit<RunSettings, 'progress' | 'workers' | 'spend' | 'cache'> {
  /** Whether rows of programs, servers and plug-ins are run too; their usage is unknown otherwise. */
  readonly askPrograms?: boolean
}

/** Runs a config on a sample of its data with rule-based models. No model is called. Throws UserError as `run` does. */
export async function plan(
  config: RunConfig | string | readonly string[],
  { askPrograms = false, ...settings }: PlanSettings = {},
): Promise<PlanResult> {
  const opened = await openConfig(config, { ...settings, cache: false })
  return costsOfPlans(opened.plans, opened.settings, { askPrograms })
}

/** The same of plans; `cached`: whether the runs will have a cache. */
export async function costsOfPlans(
  plans: readonly Plan[],
  settings: Settings,
  { cached = true, askPrograms = false }: { readonly cached?: boolean; readonly askPrograms?: boolean } = {},
): Promise<PlanResult> {
  const runs: PlannedRun[] = []
  for (const plan of plans) runs.push(await costsOfRun(plan, settings, askPrograms))
  return { runs, together: sumOfRuns(cached ? indexedOnce(plans, runs) : runs) }
}

async function costsOfRun(plan: Plan, settings: Settings, askPrograms: boolean): Promise<PlannedRun> {
  const prepared = await prepare(plan, settings)
  const { hash, survey, methods, models, style } = prepared
  try {
    const dry = await dryRun(prepared, settings, askPrograms)
    const earlier = await timesOf(join(settings.results, `${plan.name}-${hash}`))
    const { name, varied } = plan
    return {
      name,
      hash,
      ...(varied.length > 0 && { varied }),
      trials: survey.questions * methods.length * plan.repeats,
      answers: style,
      ...planLines(dry, models.describe(), earlier, atOnce(prepared)),
      warnings: [...notesOnLanguage(prepared), ...planWarnings(dry.rows, prepared)],
    }
  } finally {
    await prepared.close()
  }
}

/** Calls at the same time: a question, or an answer to be judged, mostly waits for one call at a time. */
function atOnce({ models, plan: { concurrency } }: Prepared): AtOnce {
  const bounded = (phase: 'retrieve' | 'answer' | 'judge') => {
    const { complete, embed } = models.atOnce(phase)
    return { complete: Math.min(complete, concurrency), embed: Math.min(embed, concurrency) }
  }
  const ofTrials = { retrieve: bounded('retrieve'), answer: bounded('answer'), judge: bounded('judge') }
  return { index: models.atOnce('index'), ...ofTrials }
}

/** What an earlier run of the same setting spent. */
async function timesOf(folder: string): Promise<readonly UsageCell[]> {
  if (!existsSync(join(folder, 'manifest.json'))) return []
  const results = await openResults(folder, '')
  return (await tableOf(results.manifest, results)).usage
}

/** The runs without the cost of an index that an earlier one builds of the same calls: its budget alone is another. */
function indexedOnce(plans: readonly Plan[], runs: readonly PlannedRun[]): readonly PlanLines[] {
  const built = new Set<string>()
  return runs.map((run, at) => {
    const key = hashOf({ ...itemAt(plans, at).record, budget: null })
    if (!built.has(key)) {
      built.add(key)
      return run
    }
    const free = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, usd: 0, seconds: 0 }
    const phases = run.together.filter(({ phase }) => phase !== 'index' && phase !== 'all')
    const all = sumOfCosts(phases)
    return { ...run, together: [{ phase: 'index', ...free }, ...phases, { phase: 'all', ...all }] }
  })
}

/** Whether a key is the budget, of which no index knows. */
export const isBudget = (option: string): boolean => option.split('.')[0] === 'budget'

/** What several runs cost together, by phase and in all. */
const sumOfRuns = (runs: readonly PlanLines[]): PlanLines['together'] =>
  (runs[0]?.together ?? []).map(({ phase }) => ({
    phase,
    ...sumOfCosts(runs.flatMap(({ together }) => together.filter((line) => line.phase === phase))),
  }))

/** What a person should know before a run. */
function planWarnings(rows: DryRun['rows'], { models }: Pick<Prepared, 'models'>): readonly string[] {
  const described = models.describe()
  return [
    ...rows.flatMap(({ failure, ...row }) =>
      failure === undefined
        ? []
        : [`${rowName(row)}: its usage is unknown, since it failed in the dry run: ${failure}`],
    ),
    ...windowWarnings(rows, models.window('answer')),
    ...unreadWarnings(rows, described.embed),
    ...priceWarnings(described),
  ]
}

/** Tokens that the windows of most models hold, where the config does not say the model's. */
const usualWindow = 128_000

/** Rows whose prompts are longer than the window of the model that answers. */
const windowWarnings = (rows: DryRun['rows'], window: number | undefined): readonly string[] =>
  rows.flatMap(({ phases: { answer }, ...row }) => {
    const tokens = answer && answer.calls > 0 ? answer.promptTokens / answer.calls : 0
    if (tokens <= (window ?? usualWindow)) return []
    const prompt = `${rowName(row)}: a prompt has about ${counted(Math.round(tokens))} tokens in the mean`
    return [
      window === undefined
        ? `${prompt}; many models take no more than ${counted(usualWindow)} (set window of the model), and longer ones are failed calls`
        : `${prompt}, and the model takes ${counted(window)} (window): such calls fail; leave the row out, or cut its context`,
    ]
  })

/** Rows whose index gives the embedder longer texts than it reads. */
const unreadWarnings = (rows: DryRun['rows'], { model, readsTokens }: Manifest['models']['embed']): readonly string[] =>
  rows.flatMap(({ phases: { index }, ...row }) => {
    if (!index || index.unreadTokens === 0 || readsTokens === undefined) return []
    const share = index.unreadTokens / (index.embeddedTokens + index.unreadTokens)
    return [
      `${rowName(row)}: ${model} reads ${counted(readsTokens)} tokens of a text, and not about ${percent(share)} of the tokens that the index embeds: set "chunks" so that no chunk is longer`,
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
