import { resolve } from 'node:path'
import type { ZodType } from 'zod'
import { UserError } from '../errors.ts'
import { check, createErrorList, type ErrorList } from './check.ts'
import { expandVariables, withoutSetSecret } from './environment.ts'
import { makePlan, planCompare, type Plan } from './plan.ts'
import type { Registries } from './plug-ins.ts'
import { configSchema } from './schema.ts'
import { isSpelled, merge, oneLine, parseYaml, placedAt, put, readYaml, valueAt, type Tree } from './tree.ts'
import { configRuns } from './vary.ts'

export { asksOf } from './environment.ts'
export type { PlannedMethod, PlannedScorer } from './plan-parts.ts'
export type { Limits, Plan, PlannedChunks, PlannedCompare } from './plan.ts'
export type { ModelSpec, PlannedPlugIn, PlugInSpec, Registries } from './plug-ins.ts'
export { configJsonSchema, defaultSeed, type ConfigInput } from './schema.ts'
export { datasetSection, defaultPassages, type PlannedTraining } from './sections.ts'

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
  // a list or a text has no keys to plan
  if (!tree.entries) check(configSchema, tree, [], context)
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
  const { variedValues } = plan
  const names = variedValues.map(({ option }) => option)
  const flags = variedValues.map(({ option, text }) => `--set 'vary.${option}=[${text}]'`)
  const cause = `the config has ${rest.length + 1} runs, since "vary" names ${names.join(', ')}`
  throw new UserError(`${cause}, and this command takes one: choose it, as with ${flags.join(' ')}`)
}

/** The merged config without plug-ins and defaults. Throws UserError as `readConfigs` does. */
export const writtenConfig = async (source: ConfigSource, settings: ReadSettings): Promise<unknown> =>
  valueAt(await readSource(source, settings, createErrorList()), [])

/** The plan that draws the graph of the dataset `text`: defaults, changed by `--set`. */
export async function readForText(method: string, settings: ReadSettings, registries: Registries): Promise<Plan> {
  const set = settings.set?.map((assignment) => {
    if (assignment.startsWith(`${method}.`)) return `methods.0${assignment.slice(method.length)}`
    if (/^(chunks|budget|limits|models|seed)\b|^[^=]*$/.test(assignment)) return assignment
    throw new UserError(
      `--set ${withoutSetSecret(assignment)}: does not apply to a text; with --text, set ${method}.option, or a key below chunks, budget, limits, models or seed`,
    )
  })
  const source = { value: { name: 'text', dataset: 'text', methods: [method] }, name: '--method' }
  return readConfig(source, { ...settings, ...(set && { set }) }, registries)
}

/** Reads a YAML or JSON file that a schema validates. Throws UserError with at most ten errors and their places. */
export async function readData<T>(file: string, cwd: string, schema: ZodType<T>): Promise<T> {
  const { report, stop } = createErrorList()
  const tree = await readYaml(resolve(cwd, file), file, report, { folder: cwd })
  const data = tree && check(schema, tree, [], { report })
  stop()
  if (data === undefined) throw new Error('an error in a file was not reported')
  return data
}

/** A value as JSON; functions, bigints and symbols become null. */
function toPlainData(value: unknown = null): unknown {
  const isData = (item: unknown): boolean => !['function', 'bigint', 'symbol'].includes(typeof item)
  return JSON.parse(JSON.stringify(value, (_, item: unknown) => (isData(item) ? item : null)))
}

/** A config with the changes of the command line. */
async function readSource(source: ConfigSource, settings: ReadSettings, errors: ErrorList): Promise<Tree> {
  if ('value' in source) {
    const place = { text: source.name, order: 1, folder: settings.cwd }
    return applyChanges(placedAt(toPlainData(source.value), place), settings, errors)
  }
  const { cwd } = settings
  const trees = await Promise.all(
    source.map((file, index) => readYaml(resolve(cwd, file), file, errors.report, { order: index + 1 })),
  )
  errors.stop()
  const [first, ...rest] = trees.flatMap((tree) => tree ?? [])
  if (!first) throw new UserError('no config file is named; give one with --config FILE')
  const tree = rest.reduce(merge, first)
  return applyChanges({ ...tree, at: first.at }, settings, errors)
}

function applyChanges(tree: Tree, { set = [], limit, cwd }: ReadSettings, { report, stop }: ErrorList): Tree {
  const placeOf = (text: string) => ({ text, order: Infinity, folder: cwd })
  let changedTree = tree
  for (const assignment of set) {
    const text = oneLine(withoutSetSecret(assignment))
    const at = placeOf(`--set ${text.length > 80 ? `${text.slice(0, 79)}…` : text}`)
    const [, key, value] = /^([^=]*)=(.*)$/s.exec(assignment) ?? []
    const to = keyPath((key ?? '').trim())
    if (value === undefined) report(at, 'must be key=value, as in --set budget.tokens=500')
    else if (to.includes(''))
      report(at, 'the key before "=" is incomplete; write names joined by single dots, as in budget.tokens')
    else {
      const part = value.trim() === '' ? placedAt('', at) : parseYaml(value, () => at, report)
      const spelledPart = part && isSpelled(to.at(-1), part.value) ? placedAt(value.trim(), at) : part
      if (spelledPart) changedTree = put(changedTree, to, spelledPart, merge, report)
    }
  }
  if (limit !== undefined)
    changedTree = put(changedTree, ['dataset', 'limit'], placedAt(limit, placeOf(`--limit ${limit}`)))
  stop()
  return changedTree
}

/** The path of a dotted key; keys of `vary` contain dots themselves. */
function keyPath(key: string): string[] {
  const [first = '', ...rest] = key.split('.')
  return first === 'vary' && rest.length > 0 ? [first, rest.join('.')] : [first, ...rest]
}
