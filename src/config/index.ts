import { resolve } from 'node:path'
import type { ZodType } from 'zod'
import { UserError } from '../errors.ts'
import { check, createErrorList, type ErrorList } from './check.ts'
import { expandVariables } from './environment.ts'
import { makePlan, planCompare, type Plan } from './plan.ts'
import type { Registries } from './plug-ins.ts'
import { dataOf, merge, oneLine, parseYaml, placedAt, put, readYaml, type Tree } from './tree.ts'
import { configRuns } from './vary.ts'

export { asksOf } from './environment.ts'
export type { Plan, PlannedCompare, PlannedMethod, PlannedScorer } from './plan.ts'
export type { PlannedPlugIn, PlugInSpec, Registries } from './plug-ins.ts'
export { configJsonSchema, datasetSection, defaultPassages, defaultSeed, type ConfigInput } from './schema.ts'

/** Changes of the command line to the config files. */
export interface ReadSettings {
  /** `a.b=c`, in order; the value is YAML. */
  readonly set?: readonly string[]
  readonly methods?: readonly string[]
  readonly limit?: number
  /** The base of relative paths of the command line. */
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Config files, later ones over earlier ones, or a value; `name` is shown for the file of a value. */
export type ConfigSource = readonly string[] | { readonly value: unknown; readonly name: string }

/**
 * Reads an experiment, and `--set` over all: a plan for each of its runs. Throws UserError with
 * `file:line:column: what is wrong; did you mean …` for each mistake, at most ten.
 */
export async function readConfigs(
  source: ConfigSource,
  settings: ReadSettings,
  registries: Registries,
): Promise<readonly Plan[]> {
  const errors = createErrorList()
  const { report, stop } = errors
  const context = { ...registries, environment: settings.environment, report }
  const tree = await readSource(source, settings, errors)
  expandVariables(tree, context)
  stop()
  const plans: Plan[] = []
  // every run is planned, so that the errors of all are reported, each once
  for (const run of configRuns(tree, report)) {
    const plan = await makePlan(run, settings.methods ?? [], context)
    if (plan) plans.push(plan)
  }
  stop()
  const compare = planCompare(tree, plans, report)
  stop()
  const sources = 'value' in source ? [] : source.map((file) => resolve(settings.cwd, file))
  return plans.map((plan) => ({ ...plan, ...(compare && { compare }), sources }))
}

/** Reads an experiment of one run. Throws UserError as `readConfigs` does, and where it has several. */
export async function readConfig(...config: Parameters<typeof readConfigs>): Promise<Plan> {
  const [plan, ...rest] = await readConfigs(...config)
  if (!plan) throw new Error('a config has no run')
  if (rest.length === 0) return plan
  const names = plan.variedValues.map(({ option }) => option)
  const cause = `the config has ${rest.length + 1} runs, since "vary" names ${names.join(', ')}`
  const example = `--set 'vary.${names[0] ?? ''}=[…]'`
  throw new UserError(`${cause}, and this command takes one: give each one value, as with ${example}`)
}

/** The merged config without plug-ins and defaults. Throws UserError as `readConfigs` does. */
export const writtenConfig = async (source: ConfigSource, settings: ReadSettings): Promise<unknown> =>
  dataOf(await readSource(source, settings, createErrorList()))

/** Reads a YAML or JSON file that a schema validates. Throws UserError with at most ten errors and their places. */
export async function readData<T>(file: string, cwd: string, schema: ZodType<T>): Promise<T> {
  const { report, stop } = createErrorList()
  const tree = await readYaml(resolve(cwd, file), file, report, cwd)
  const data = tree && check(schema, tree, [], { report })
  stop()
  if (data === undefined) throw new Error('an error in a file was not reported')
  return data
}

/** A config with the changes of the command line. */
async function readSource(source: ConfigSource, settings: ReadSettings, errors: ErrorList): Promise<Tree> {
  const { cwd } = settings
  if ('value' in source)
    return applyChanges(placedAt(source.value, { text: source.name, folder: cwd }), settings, errors)
  const trees = await Promise.all(source.map((file) => readYaml(resolve(cwd, file), file, errors.report)))
  errors.stop()
  const [first, ...rest] = trees.flatMap((tree) => tree ?? [])
  if (!first) throw new UserError('no config file is named; give one with --config FILE')
  const tree = rest.reduce(merge, first)
  return applyChanges({ ...tree, at: first.at }, settings, errors)
}

function applyChanges(tree: Tree, { set = [], limit, cwd }: ReadSettings, { report, stop }: ErrorList): Tree {
  let changedTree = tree
  for (const assignment of set) {
    const [key = '', ...values] = assignment.split('=')
    const value = values.join('=')
    // a value may be a key of a server, and is not shown
    const at = { text: `--set ${oneLine(key)}`, folder: cwd }
    const path = keyPath(key.trim())
    const part = value.trim() === '' ? placedAt('', at) : parseYaml(value, () => at, report)
    if (values.length === 0 || path.includes(''))
      report(at, 'must be key=value with names joined by single dots, as in --set budget.tokens=500')
    else if (part) changedTree = put(changedTree, path, part, report, merge)
  }
  const atLimit = { text: '--limit', folder: cwd }
  if (limit !== undefined) changedTree = put(changedTree, ['dataset', 'limit'], placedAt(limit, atLimit), report, merge)
  stop()
  return changedTree
}

/** The path of a dotted key; keys of `vary` contain dots themselves. */
function keyPath(key: string): string[] {
  const [first = '', ...rest] = key.split('.')
  return first === 'vary' && rest.length > 0 ? [first, rest.join('.')] : [first, ...rest]
}
