import { resolve } from 'node:path'
import { z, type ZodType } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { UserError } from '../errors.ts'
import { check } from './check.ts'
import { expandEnvironment, withoutSetSecret } from './environment.ts'
import { emptyErrorList, oneLine, type ErrorList, type ReportError } from './error-list.ts'
import { makePlan, planCompare } from './make-plan.ts'
import type { Menus, Plan, ReadSettings } from './plan.ts'
import { configSchema } from './schema.ts'
import { merge, mergeTrees, placedAt, put, type Tree } from './tree.ts'
import { configRuns } from './vary.ts'
import { parseYaml, readYaml } from './yaml.ts'

/**
 * Reads an experiment from YAML files, later ones over earlier ones, and `--set` over all: a plan for each of its runs.
 * Throws UserError with `file:line:column: what is wrong; did you mean …` for each mistake, at most ten.
 */
export async function readConfigs(
  sources: readonly string[],
  settings: ReadSettings,
  menus: Menus,
): Promise<readonly Plan[]> {
  const errors = emptyErrorList()
  const plans = await makePlans(await readFiles(sources, settings, errors), settings, menus, errors)
  return plans.map((plan) => ({ ...plan, sources: sources.map((source) => resolve(settings.cwd, source)) }))
}

/** What the files hold, before anything is loaded or filled in. Throws UserError as `readConfigs` does. */
export const writtenConfig = async (sources: readonly string[], settings: ReadSettings): Promise<unknown> =>
  (await readFiles(sources, settings, emptyErrorList())).written

/** Reads an experiment of one run. Throws UserError as `readConfigs` does, and where it has several. */
export const readConfig = async (...config: Parameters<typeof readConfigs>): Promise<Plan> =>
  onlyPlan(await readConfigs(...config))

/**
 * Reads an experiment from a value: a plan for each of its runs; `name` is shown for the file. Throws UserError as
 * `readConfigs` does.
 */
export async function readConfigValues(
  value: unknown,
  name: string,
  settings: ReadSettings,
  menus: Menus,
): Promise<readonly Plan[]> {
  const errors = emptyErrorList()
  const tree = placedAt(plain(value), { text: name, order: [1], folder: settings.cwd })
  return makePlans(withChanges(tree, settings, errors), settings, menus, errors)
}

/** Reads an experiment of one run from a value. Throws UserError as `readConfig` does. */
export const readConfigValue = async (...config: Parameters<typeof readConfigValues>): Promise<Plan> =>
  onlyPlan(await readConfigValues(...config))

/** The plan of a drawing of a text: defaults, changed by `--set`, where the method is named by its name. */
export async function readForText(method: string, settings: ReadSettings, menus: Menus): Promise<Plan> {
  const set = settings.set?.map((one) => {
    if (one.startsWith(`${method}.`)) return `methods.0${one.slice(method.length)}`
    if (/^(chunks|budget|limits|models|seed)\b|^[^=]*$/.test(one)) return one
    throw new UserError(
      `--set ${withoutSetSecret(one)}: does not apply to a text; with --text, set ${method}.option, or a key below chunks, budget, limits, models or seed`,
    )
  })
  const datasets = new Map([['text', { item: { name: 'text', options: z.strictObject({}) } }]])
  const objects = { datasets, methods: new Map(), scorers: new Map(), models: new Map() }
  const config = { name: 'text', dataset: 'text', methods: [method] }
  return readConfigValue(config, '--method', { ...settings, ...(set && { set }) }, { ...menus, objects })
}

/** A YAML or JSON file that fits a schema. Throws UserError with a line a mistake, with its place, at most ten. */
export async function readData<T>(file: string, cwd: string, schema: ZodType<T>): Promise<T> {
  const { report, stop } = emptyErrorList()
  const tree = await readYaml(resolve(cwd, file), file, [1], report, cwd)
  const data = tree && check(schema, { tree, path: [], value: tree.value, report })
  stop()
  if (data === undefined) throw new Error('an error in a file was not reported')
  return data
}

/** A mistake in several runs is one; every run is read, so that the mistakes of all are shown. */
async function makePlans(
  written: Tree,
  { environment, methods = [] }: ReadSettings,
  menus: Menus,
  { report, stop }: ErrorList,
): Promise<readonly Plan[]> {
  const tree = expandEnvironment(written, environment, report)
  // nothing can be looked for in a list or a text
  if (!isObject(tree.value)) check(configSchema, { tree, path: [], value: tree.value, report })
  stop()
  const made = []
  for (const run of configRuns(tree, report)) made.push(await makePlan(run, methods, menus, report))
  stop()
  const plans = made.map((one) => {
    if (!one) throw new Error('an error in a config was not reported')
    return one.plan
  })
  // a baseline may be of any run
  const rows = plans.flatMap((plan) => plan.methods.map(({ label: method, variant }) => ({ method, variant })))
  const compare = planCompare(tree, made[0]?.compare, rows, report)
  stop()
  return compare ? plans.map((plan) => ({ ...plan, compare })) : plans
}

function onlyPlan(plans: readonly Plan[]): Plan {
  const [plan, ...rest] = plans
  if (!plan) throw new Error('a config has no run')
  if (rest.length === 0) return plan
  const choice = plan.varied.map(({ option, text }) => ` --set 'vary.${option}=[${text}]'`).join('')
  throw new UserError(
    `the config has ${plans.length} runs, since "vary" names ${plan.varied.map(({ option }) => option).join(', ')}, and this command takes one: choose it, as with${choice}`,
  )
}

/** A value as JSON holds it: what it cannot hold is empty. */
const plain = (value: unknown = null): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, item: unknown) => (['function', 'bigint', 'symbol'].includes(typeof item) ? null : item)),
  )

async function readFiles(sources: readonly string[], settings: ReadSettings, errors: ErrorList): Promise<Tree> {
  const trees: Tree[] = []
  for (const [index, source] of sources.entries()) {
    const tree = await readYaml(resolve(settings.cwd, source), source, [index + 1], errors.report)
    if (tree) trees.push(tree)
  }
  const [first, ...rest] = trees
  if (sources.length === 0) throw new UserError('no config file is named; give one with --config FILE')
  const merged = first && rest.reduce(mergeTrees, first)
  if (!merged) errors.stop()
  if (!merged) throw new Error('an error in a file was not reported')
  return withChanges(merged, settings, errors)
}

/** A config with what the command line changes. */
function withChanges(tree: Tree, { set = [], limit, cwd }: ReadSettings, { report, stop }: ErrorList): Tree {
  const changes = set.flatMap((one) => readSet(one, cwd, report) ?? [])
  if (limit !== undefined) {
    const at = { text: `--limit ${limit}`, order: [Infinity], folder: cwd }
    changes.push({ part: placedAt(limit, at), to: ['dataset', 'limit'] })
  }
  stop()
  const changed = changes.reduce(
    (whole, { part, to }) => put(whole, { part, to, from: [], key: [], join: merge }, report),
    tree,
  )
  stop()
  return changed
}

/** What `--set a.b=c` asks for; the value is YAML. Undefined when it was not understood, and then reported. */
function readSet(
  set: string,
  folder: string,
  report: ReportError,
): { readonly part: Tree; readonly to: readonly string[] } | undefined {
  const shown = oneLine(withoutSetSecret(set))
  const at = { text: `--set ${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}`, order: [Infinity], folder }
  const [, key, text] = /^([^=]*)=(.*)$/s.exec(set) ?? []
  if (key === undefined || text === undefined) {
    report(at, 'must be key=value, as in --set budget.tokens=500')
    return undefined
  }
  const to = pathOf(key.trim())
  if (to.includes('')) {
    report(at, 'the key before "=" is incomplete; write names joined by single dots, as in budget.tokens')
    return undefined
  }
  const part = text.trim() === '' ? placedAt('', at) : parseYaml(text, () => at, report)
  // the name of a row is text as it is written: 007, 1.10
  const isLabel = ['label', 'baseline'].includes(to.at(-1) ?? '')
  const isText = isLabel && ['number', 'boolean'].includes(typeof part?.value)
  return part && { part: isText ? placedAt(text.trim(), at) : part, to }
}

/** The keys of `vary` hold dots themselves. */
function pathOf(key: string): string[] {
  const [first = '', ...rest] = key.split('.')
  return first === 'vary' && rest.length > 0 ? [first, rest.join('.')] : [first, ...rest]
}
