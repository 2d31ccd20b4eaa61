import { dirname, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import type { Change } from './source/merge.ts'
import { change, merge } from './source/merge.ts'
import type { ErrorList, ReportError } from './errors/error-list.ts'
import { emptyErrorList } from './errors/error-list.ts'
import { parseYaml } from './source/parse-yaml.ts'
import { locate, type Located } from './source/located-value.ts'
import { configRuns } from './plan/config-runs.ts'
import { makePlan } from './plan/make-plan.ts'
import type { Menus, Plan } from './plan/plan.ts'
import { readSet } from './source/read-set.ts'
import { readText } from './source/read-text.ts'

/** What a command line adds to the config files. */
export interface ReadSettings {
  /** `a.b=c`, in order; the value is YAML. */
  readonly set?: readonly string[]
  /** Labels of the methods to keep. */
  readonly methods?: readonly string[]
  readonly limit?: number
  /** Where relative paths of the command line start from. */
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * Reads an experiment from YAML files, later ones over earlier ones, and `--set` over all of them: a plan for each of its runs, several where
 * keys of the config are varied. Throws UserError with one line `file:line:column: what is wrong; did you mean …` for each mistake, at most ten.
 */
export async function readConfigs(
  sources: readonly string[],
  settings: ReadSettings,
  menus: Menus,
): Promise<readonly Plan[]> {
  const errors = emptyErrorList()
  const root = await readLayers(sources, settings, errors)
  const plans = await makePlans(root, settings, menus, errors)
  return plans.map((plan) => ({ ...plan, sources: sources.map((source) => resolve(settings.cwd, source)) }))
}

/** Reads an experiment of one run. Throws UserError as `readConfigs` does, and where it has several. */
export const readConfig = async (sources: readonly string[], settings: ReadSettings, menus: Menus): Promise<Plan> =>
  onlyPlan(await readConfigs(sources, settings, menus))

/** Reads an experiment of one run from a value in the form of a config; `name` stands in messages for the file. Throws UserError as `readConfig` does. */
export const readConfigValue = async (
  value: unknown,
  name: string,
  settings: ReadSettings,
  menus: Menus,
): Promise<Plan> => onlyPlan(await readConfigValues(value, name, settings, menus))

/** Reads an experiment from a value in the form of a config: a plan for each of its runs. Throws UserError as `readConfigs` does. */
export async function readConfigValues(
  value: unknown,
  name: string,
  settings: ReadSettings,
  menus: Menus,
): Promise<readonly Plan[]> {
  const errors = emptyErrorList()
  const changes = readChanges(settings, errors.report)
  errors.stop()
  const start = locate(value, { text: name, order: [1], folder: settings.cwd })
  const root = changes.reduce((node, wanted) => change(node, wanted, errors.report), start)
  errors.stop()
  return makePlans(root, settings, menus, errors)
}

/** A mistake in several runs is one; every run is read, so that the mistakes of all are told. */
async function makePlans(
  root: Located,
  settings: ReadSettings,
  menus: Menus,
  errors: ErrorList,
): Promise<readonly Plan[]> {
  const runs = configRuns(root, errors.report)
  const plans: Plan[] = []
  let refused: UserError | undefined
  for (const run of runs) {
    try {
      plans.push(await makePlan(run, runs, settings, menus, errors))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      refused = error
    }
  }
  errors.stop()
  if (refused) throw refused
  return plans
}

function onlyPlan(plans: readonly Plan[]): Plan {
  const [plan, ...others] = plans
  if (!plan) throw new Error('a config has no run')
  if (others.length === 0) return plan
  const one = plan.varied.map(({ option, text }) => ` --set 'vary.${option}=[${text}]'`).join('')
  throw new UserError(
    `the config has ${plans.length} runs, since "vary" names ${plan.varied.map(({ option }) => option).join(', ')}, and this command takes one: choose it, as with${one}`,
  )
}

/** The files, one over the other, and the command line over them. */
async function readLayers(sources: readonly string[], settings: ReadSettings, errors: ErrorList): Promise<Located> {
  let root: Located | undefined
  for (const [index, source] of sources.entries()) {
    const layer = await readFile(source, index, settings.cwd, errors.report)
    if (layer) root = merge(root, layer)
  }
  const changes = readChanges(settings, errors.report)
  errors.stop()
  if (!root) throw new UserError('no config file is named; give one with --config FILE')
  for (const wanted of changes) root = change(root, wanted, errors.report)
  errors.stop()
  return root
}

async function readFile(source: string, index: number, cwd: string, report: ReportError): Promise<Located | undefined> {
  const file = resolve(cwd, source)
  const text = await readText(file, source, report)
  const at = (line: number, column: number) => ({
    text: `${source}:${line}:${column}`,
    order: [index + 1, line, column],
    folder: dirname(file),
  })
  return text === undefined ? undefined : parseYaml(text, at, report)
}

function readChanges(settings: ReadSettings, report: ReportError): readonly Change[] {
  const changes = (settings.set ?? []).map((set) => readSet(set, settings.cwd, report))
  const { limit } = settings
  if (limit !== undefined) {
    const at = { text: `--limit ${limit}`, order: [Infinity], folder: settings.cwd }
    changes.push({ at, path: ['dataset', 'limit'], value: () => ({ kind: 'scalar', at, value: limit }) })
  }
  return changes.filter((wanted) => wanted !== undefined)
}
