import { resolve } from 'node:path'
import { UserError } from '../errors.ts'
import {
  change,
  emptyErrorList,
  locate,
  merge,
  oneLine,
  plainValue,
  type Change,
  type ErrorList,
  type Located,
  type ReportError,
} from './located-value.ts'
import { parseYaml, readYaml } from './parse-yaml.ts'
import { withoutSetSecret } from './secrets.ts'
import { configRuns } from './vary.ts'
import { makePlan } from './make-plan.ts'
import type { Menus, Plan, ReadSettings } from './plan.ts'
import { z, type ZodType } from 'zod'
import { parseLocated } from './parse-located.ts'

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
  const root = withChanges(await readLayers(sources, settings, errors), settings, errors)
  const plans = await makePlans(root, settings, menus, errors)
  return plans.map((plan) => ({ ...plan, sources: sources.map((source) => resolve(settings.cwd, source)) }))
}

/** What stands in the files, before anything is loaded or filled in. Throws UserError as `readConfigs` does. */
export async function writtenConfig(sources: readonly string[], settings: ReadSettings): Promise<unknown> {
  const errors = emptyErrorList()
  return plainValue(withChanges(await readLayers(sources, settings, errors), settings, errors))
}

/** Reads an experiment of one run. Throws UserError as `readConfigs` does, and where it has several. */
export const readConfig = async (...config: Parameters<typeof readConfigs>): Promise<Plan> =>
  onlyPlan(await readConfigs(...config))

/**
 * Reads an experiment from a value: a plan for each of its runs; `name` stands for the file. Throws UserError as
 * `readConfigs` does.
 */
export async function readConfigValues(
  value: unknown,
  name: string,
  settings: ReadSettings,
  menus: Menus,
): Promise<readonly Plan[]> {
  const errors = emptyErrorList()
  const root = locate(value, { text: name, order: [1], folder: settings.cwd })
  return makePlans(withChanges(root, settings, errors), settings, menus, errors)
}

/** Reads an experiment of one run from a value. Throws UserError as `readConfig` does. */
export const readConfigValue = async (...config: Parameters<typeof readConfigValues>): Promise<Plan> =>
  onlyPlan(await readConfigValues(...config))

/** A mistake in several runs is one; every run is read, so that the mistakes of all are told. */
async function makePlans(
  root: Located,
  settings: ReadSettings,
  menus: Menus,
  errors: ErrorList,
): Promise<readonly Plan[]> {
  const runs = configRuns(root, errors.report)
  const made: NonNullable<Awaited<ReturnType<typeof makePlan>>>[] = []
  for (const run of runs) {
    const plan = await makePlan(run, settings, menus, errors.report)
    if (plan) made.push(plan)
  }
  errors.stop()
  if (made.length < runs.length) throw new Error('an error in a config was not reported')
  // a baseline may be of any run
  const rows = made.flatMap(({ plan }) => plan.methods.map(({ label: method, variant }) => ({ method, variant })))
  const compare = made[0]?.compareOf(rows)
  errors.stop()
  return made.map(({ plan }) => (compare ? { ...plan, compare } : plan))
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

async function readLayers(
  sources: readonly string[],
  { cwd }: ReadSettings,
  { report }: ErrorList,
): Promise<Located | undefined> {
  let root: Located | undefined
  for (const [index, source] of sources.entries()) {
    const layer = await readYaml(resolve(cwd, source), source, [index + 1], report)
    if (layer) root = merge(root, layer)
  }
  return root
}

/** A config with what the command line changes. */
function withChanges(root: Located | undefined, { set = [], limit, cwd }: ReadSettings, errors: ErrorList): Located {
  const changes = set.flatMap((one) => readSet(one, cwd, errors.report) ?? [])
  if (limit !== undefined) {
    const at = { text: `--limit ${limit}`, order: [Infinity], folder: cwd }
    changes.push({ at, path: ['dataset', 'limit'], value: () => ({ kind: 'scalar', at, value: limit }) })
  }
  errors.stop()
  if (!root) throw new UserError('no config file is named; give one with --config FILE')
  const changed = changes.reduce((node, wanted) => change(node, wanted, errors.report), root)
  errors.stop()
  return changed
}

/** What `--set a.b=c` asks for; the value is YAML. Undefined when it was not understood, and then reported. */
function readSet(set: string, folder: string, report: ReportError): Change | undefined {
  const shown = oneLine(withoutSetSecret(set))
  const at = { text: `--set ${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}`, order: [Infinity], folder }
  const [, key, text] = /^([^=]*)=(.*)$/s.exec(set) ?? []
  if (key === undefined || text === undefined) {
    report(at, 'must be key=value, as in --set budget.tokens=500')
    return undefined
  }
  const path = pathOf(key.trim())
  if (path.includes('')) {
    report(at, 'the key before "=" is incomplete; write names joined by single dots, as in budget.tokens')
    return undefined
  }
  const value = text.trim() === '' ? ({ kind: 'scalar', at, value: '' } as const) : parseYaml(text, () => at, report)
  return value && { at, path, value: (old) => merge(old, value, path) }
}

/** The keys of `vary` hold dots themselves. */
function pathOf(key: string): string[] {
  const [first = '', ...rest] = key.split('.')
  return first === 'vary' && rest.length > 0 ? [first, rest.join('.')] : [first, ...rest]
}

/** A YAML or JSON file that fits a schema. Throws UserError with a line a mistake, with its place, at most ten. */
export async function readData<T>(file: string, cwd: string, schema: ZodType<T>): Promise<T> {
  const errors = emptyErrorList()
  const { report } = errors
  const root = await readYaml(resolve(cwd, file), file, [1], report, cwd)
  errors.stop()
  if (!root) throw new Error('an error in a file was not reported')
  const data = parseLocated(schema, { node: root, path: [], besides: [], report })
  errors.stop()
  if (data !== undefined) return data
  throw new Error('an error in a file was not reported')
}

/** The plan of a drawing of a text: defaults, changed by `--set`. Throws UserError as a config would. */
export async function readForText(method: string, settings: ReadSettings, menus: Menus): Promise<Plan> {
  const errors = emptyErrorList()
  const { set = [], cwd } = settings
  const changes = set.flatMap((one) => readChange(one, method, cwd, errors.report) ?? [])
  errors.stop()
  const at = { text: '--method', order: [0], folder: cwd }
  const start = locate({ name: 'text', dataset: 'text', methods: [method] }, at)
  const root = changes.reduce((node, wanted) => change(node, wanted, errors.report), start)
  const text = { item: { name: 'text', options: z.strictObject({}) } }
  const objects = { datasets: new Map([['text', text]]), methods: new Map(), scorers: new Map(), models: new Map() }
  return onlyPlan(await makePlans(root, settings, { ...menus, objects }, errors))
}

const keysOfText = ['chunks', 'budget', 'limits', 'models', 'seed']

/** A change of an option of the method, as `vary` names it, or of a key that says something about what is asked. */
function readChange(set: string, method: string, cwd: string, report: ReportError): Change | undefined {
  const wanted = readSet(set, cwd, report)
  const [first = '', ...rest] = wanted?.path ?? []
  if (!wanted || keysOfText.includes(first)) return wanted
  if (first === method && rest.length > 0) return { ...wanted, path: ['methods', '0', ...rest] }
  const keys = `${keysOfText.slice(0, -1).join(', ')} or ${keysOfText.at(-1)}`
  report(wanted.at, `does not apply to a text; with --text, set ${method}.option, or a key below ${keys}`)
  return undefined
}
