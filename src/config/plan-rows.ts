import { mapRoles, type ByRole, type ModelRole } from '../basics/roles.ts'
import { isObject } from '../basics/plain-data.ts'
import type { VariedValue } from '../records.ts'
import { unknownName, variantOf } from '../text/names.ts'
import type { Budget } from '../types.ts'
import { oneLine, type ReportError } from './error-list.ts'
import type { Plan, Planned, PlannedDataset, PlannedMethod, PlannedScorer } from './plan.ts'
import {
  checkOptions,
  checkUnvaried,
  recordOfOptions,
  selectLabelled,
  selectPlugIn,
  type LabelledPlugIn,
  type PlanContext,
} from './plug-ins.ts'
import { defaultModels, ownBudget } from './schema.ts'
import { absolutePath, placeOf, valueAt, withDefault, type Tree } from './tree.ts'
import { checkVariedOptions, methodVariants, type Variant } from './vary.ts'

/** A part of the plan, and how it is written in the record of the config. */
interface Recorded<T, R = unknown> {
  readonly planned: T
  readonly record: R
}

/** The dataset. Undefined when it has mistakes, which are reported. */
export async function planDataset(tree: Tree, context: PlanContext): Promise<Recorded<PlannedDataset> | undefined> {
  const choice = await selectPlugIn('dataset', tree, ['dataset'], context)
  const planned = choice && (await checkOptions(choice, tree, context))
  if (!planned) return undefined
  const keyOf = (key: string): unknown => valueAt(tree.value, ['dataset', key])
  const [path, limit, onBadRecord] = [keyOf('path'), keyOf('limit'), keyOf('onBadRecord')]
  return {
    planned: {
      ...planned,
      ...(typeof path === 'string' && { path: absolutePath(path, tree, ['dataset', 'path']) }),
      ...(typeof limit === 'number' && { limit }),
      ...(onBadRecord !== undefined && { onBadRecord: onBadRecord === 'skip' ? 'skip' : 'stop' }),
    },
    record: { ...choice.record, options: planned.record },
  }
}

/** A model for each role, the complete model by default. Undefined, and reported, when a role has mistakes. */
export async function planModels(
  tree: Tree,
  context: PlanContext,
): Promise<Recorded<Plan['models'], ByRole<unknown>> | undefined> {
  const isNamed = (role: ModelRole): boolean => valueAt(tree.value, ['models', role]) !== undefined
  const complete = await planModel('complete', tree, context)
  const embed = await planModel('embed', tree, context)
  const judge = isNamed('judge') ? await planModel('judge', tree, context) : complete
  const answer = isNamed('answer') && (await planModel('answer', tree, context))
  const rerank = isNamed('rerank') && (await planModel('rerank', tree, context))
  if (!complete || !embed || !judge || answer === undefined || rerank === undefined) return undefined
  const all = { complete, embed, judge, ...(answer && { answer }), ...(rerank && { rerank }) }
  return { planned: mapRoles(all, ({ planned }) => planned), record: mapRoles(all, ({ record }) => record) }
}

/** The prices that a model must have where it has any. */
const prices = { complete: ['prompt', 'completion'], embed: ['embedding'], rerank: ['prompt'] } as const

async function planModel(role: ModelRole, tree: Tree, context: PlanContext): Promise<Recorded<Planned> | undefined> {
  const ability = role === 'embed' || role === 'rerank' ? role : 'complete'
  const path = ['models', role]
  const whole = withDefault(tree, path, defaultModels[role === 'embed' ? 'embed' : 'complete'])
  const choice = await selectPlugIn('model', whole, path, context)
  if (!choice) return undefined
  if (!choice.item.can?.includes(ability)) {
    const able = (await context.menus.models.all()).filter(({ can }) => can.includes(ability)).map(({ name }) => name)
    context.report(choice.at, `${path.join('.')}: "${choice.record.use}" cannot ${ability} (can: ${able.join(', ')})`)
    return undefined
  }
  const price = valueAt(whole.value, [...path, 'price'])
  const lacking = isObject(price) ? prices[ability].filter((kind) => !Object.hasOwn(price, kind)) : []
  for (const kind of lacking)
    context.report(placeOf(whole, [...path, 'price']), `"${[...path, 'price', kind].join('.')}" is missing`)
  const planned = await checkOptions(choice, whole, context)
  return planned && lacking.length === 0 ? { planned, record: { ...choice.record, ...planned.record } } : undefined
}

/** Every variant of the methods of a run, and the labels of those that are asked. Mistakes are reported. */
export async function planMethods(
  run: Variant,
  { asked, budget }: { readonly asked: readonly string[]; readonly budget: Budget | undefined },
  context: PlanContext,
): Promise<Recorded<readonly PlannedMethod[], readonly unknown[]> & Pick<Plan, 'asked'>> {
  const unloaded: Parameters<ReportError>[] = []
  const reportFile: ReportError = (...fault) => void unloaded.push(fault)
  const methods = await selectLabelled('method', run.tree, { ...context, reportFile })
  // a file that cannot be loaded is no mistake where only rows name it that --methods leaves out
  const isLeftOut = asked.length > 0 && asked.every((name) => methods.some(({ label }) => label === name))
  if (!isLeftOut) for (const fault of unloaded) context.report(...fault)
  // a misspelt list is one mistake, not one for every name that refers to it
  if (methods.length === 0) return { planned: [], asked: null, record: [] }
  checkVariedOptions(run.tree, methods, context.report)
  const rows = await Promise.all(
    methods.map((method) => {
      const isRun = asked.length === 0 || asked.includes(method.label)
      const rowContext = isRun ? context : { ...context, reportFile: () => undefined }
      const variants = methodVariants(method, methods, run, context.report)
      return planVariants({ method, variants, run, budget }, rowContext)
    }),
  )
  return {
    planned: rows.flatMap(({ planned }) => planned),
    asked: asked.length === 0 ? null : askedLabels(asked, methods, context),
    record: rows.map(({ record }) => record),
  }
}

interface Row {
  readonly method: LabelledPlugIn
  readonly variants: readonly Variant[]
  readonly run: Variant
  /** Of all rows. */
  readonly budget: Budget | undefined
}

/** The rows of a method; recorded are its options before they are varied, which may lack what is varied. */
async function planVariants(
  { method, variants, run, budget: ofAll }: Row,
  context: PlanContext,
): Promise<Recorded<readonly PlannedMethod[]>> {
  const isVaried = variants.some(({ varied }) => varied.length > 0)
  // of a value of which every variant has another; a missing one may be varied
  if (isVaried) checkUnvaried(method, run.tree, context)
  const given = ownBudget.safeParse(method.record['budget']).data
  const budget = given && ofAll && { ...ofAll, ...definedOf(given) }
  const rows: PlannedMethod[] = []
  for (const { tree, varied: changed } of variants) {
    const planned = await checkOptions(method, tree, context)
    const varied: readonly VariedValue[] = [...run.varied, ...changed]
    if (planned)
      rows.push({ ...planned, label: method.label, variant: variantOf(varied), varied, ...(budget && { budget }) })
  }
  const silent = { ...context, report: () => undefined }
  const base = isVaried ? await checkOptions(method, run.tree, silent) : rows[0]
  const record = { ...method.record, ...(base?.record ?? recordOfOptions(method, run.tree)) }
  const shared = rows.length > 1 ? (method.item.shares?.(rows.map(({ options }) => options)) ?? {}) : {}
  if (Object.keys(shared).length === 0) return { planned: rows, record }
  const planned = rows.map((row) => ({
    ...row,
    options: { ...(row.options as object), ...shared },
    record: { ...row.record, ...shared },
  }))
  return { planned, record }
}

const definedOf = (budget: Partial<Record<keyof Budget, number | undefined>>): Partial<Budget> =>
  Object.fromEntries(Object.entries(budget).filter(([, limit]) => limit !== undefined))

function askedLabels(
  asked: readonly string[],
  methods: readonly LabelledPlugIn[],
  context: PlanContext,
): readonly string[] {
  const names = methods.map(({ shown }) => shown)
  for (const name of asked)
    if (!methods.some(({ label }) => label === name))
      context.report(
        `--methods ${oneLine(name)}`,
        `the config has no such row; ${unknownName('method', oneLine(name), names)}`,
      )
  return methods.map(({ label }) => label).filter((label) => asked.includes(label))
}

/** The scorers, in order; undefined when the config names none. */
export async function planScorers(
  tree: Tree,
  context: PlanContext,
): Promise<Recorded<readonly PlannedScorer[], readonly unknown[]> | undefined> {
  if (valueAt(tree.value, ['scorers']) === undefined) return undefined
  const planned: PlannedScorer[] = []
  const record: unknown[] = []
  for (const scorer of await selectLabelled('scorer', tree, context)) {
    const options = await checkOptions(scorer, tree, context)
    if (!options) continue
    planned.push({ ...options, label: scorer.label })
    record.push({ ...scorer.record, ...options.record })
  }
  return { planned, record }
}
