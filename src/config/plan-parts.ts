import { mapRoles, type ByRole, type ModelRole } from '../basics/roles.ts'
import type { VariedValue } from '../records.ts'
import { unknownName, variantOf } from '../text/names.ts'
import type { Budget, OnBadRecord } from '../types.ts'
import {
  checkOptions,
  planPlugIn,
  recordOfOptions,
  selectLabels,
  selectPlugIn,
  type LabelledPlugIn,
  type PlanContext,
  type PlannedPlugIn,
} from './plug-ins.ts'
import { defaultModels, type Config } from './schema.ts'
import { rowBudgetSchema } from './sections.ts'
import { absolutePath, nodeAt, oneLine, withDefault, type ReportError, type Tree } from './tree.ts'
import { checkVariedOptions, methodVariants, type Variant } from './vary.ts'

/** A row of the table. `variant` lists the varied values: `chunks.size=100, components=2`; empty without any. */
export interface PlannedMethod extends PlannedPlugIn {
  readonly label: string
  readonly variant: string
  readonly variedValues: readonly VariedValue[]
  /** Absent if it is the budget of the plan. */
  readonly budget?: Budget
}

export interface PlannedScorer extends PlannedPlugIn {
  readonly label: string
}

/** `path` is absolute; `limit` bounds the questions asked. */
export interface PlannedDataset extends PlannedPlugIn {
  readonly path?: string
  readonly limit?: number
  readonly onBadRecord?: OnBadRecord
}

/** A part of the plan, and its form in the recorded config. */
interface PlanPart<T, E = unknown> {
  readonly plan: T
  readonly entry: E
}

/** Plans the dataset. */
export async function planDataset(
  tree: Tree,
  section: Config['dataset'] | undefined,
  context: PlanContext,
): Promise<PlanPart<PlannedDataset> | undefined> {
  const dataset = await planPlugIn('dataset', tree, ['dataset'], context)
  if (!dataset) return undefined
  const { plan, choice } = dataset
  const { path, limit, onBadRecord } = typeof section === 'object' ? section : {}
  return {
    plan: {
      ...plan,
      ...(path !== undefined && { path: absolutePath(path, tree, ['dataset', 'path']) }),
      ...(limit !== undefined && { limit }),
      ...(onBadRecord !== undefined && { onBadRecord }),
    },
    entry: { ...choice.record, options: plan.record },
  }
}

/** Plans a model for each role, by default the complete model. */
export async function planModels(
  tree: Tree,
  context: PlanContext,
): Promise<PlanPart<ByRole<PlannedPlugIn>, ByRole<unknown>> | undefined> {
  const isNamed = (role: ModelRole): boolean => nodeAt(tree, ['models', role]) !== undefined
  const complete = await planModel('complete', tree, context)
  const embed = await planModel('embed', tree, context)
  const judge = isNamed('judge') ? await planModel('judge', tree, context) : complete
  const answer = isNamed('answer') && (await planModel('answer', tree, context))
  const rerank = isNamed('rerank') && (await planModel('rerank', tree, context))
  if (!complete || !embed || !judge || answer === undefined || rerank === undefined) return undefined
  const models = { complete, embed, judge, ...(answer && { answer }), ...(rerank && { rerank }) }
  return { plan: mapRoles(models, ({ plan }) => plan), entry: mapRoles(models, ({ entry }) => entry) }
}

/** The prices that a model needs if it has any, by ability. */
const prices = { complete: ['prompt', 'completion'], embed: ['embedding'], rerank: ['prompt'] } as const

async function planModel(
  role: ModelRole,
  tree: Tree,
  context: PlanContext,
): Promise<PlanPart<PlannedPlugIn> | undefined> {
  const ability = role === 'embed' || role === 'rerank' ? role : 'complete'
  const path = ['models', role]
  const treeWithDefault = withDefault(tree, path, defaultModels[role === 'embed' ? 'embed' : 'complete'])
  const choice = await selectPlugIn('model', treeWithDefault, path, context)
  if (!choice) return undefined
  const { at, item, record } = choice
  if (!item.can?.includes(ability)) {
    const models = await context.registries.models.all()
    const capable = models.flatMap(({ name, can }) => (can.includes(ability) ? name : []))
    context.report(at, `${path.join('.')}: "${record.use}" cannot ${ability} (can: ${capable.join(', ')})`)
    return undefined
  }
  const price = nodeAt(treeWithDefault, [...path, 'price'])
  for (const kind of prices[ability])
    if (price?.entries?.has(kind) === false)
      context.report(price.at, `"${[...path, 'price', kind].join('.')}" is missing`)
  const plan = await checkOptions(choice, treeWithDefault, context)
  return plan && { plan, entry: { ...record, ...plan.record } }
}

/** Plans all variants of the methods, and the labels that `--methods` selects. */
export async function planMethods(
  run: Variant,
  { selectedLabels, budget }: { readonly selectedLabels: readonly string[]; readonly budget: Budget | undefined },
  context: PlanContext,
): Promise<
  PlanPart<readonly PlannedMethod[], readonly unknown[]> & { readonly selectedLabels: readonly string[] | null }
> {
  const loadFaults: Parameters<ReportError>[] = []
  const reportFile: ReportError = (...fault) => void loadFaults.push(fault)
  const methods = await selectLabels('method', run.tree, { ...context, reportFile })
  const labels = methods.map(({ label }) => label)
  // a file that cannot be loaded does not matter if --methods excludes its rows
  const isLeftOut = selectedLabels.length > 0 && selectedLabels.every((name) => labels.includes(name))
  if (!isLeftOut) for (const fault of loadFaults) context.report(...fault)
  // an invalid list is reported once, not for every name that refers to it
  if (methods.length === 0) return { plan: [], selectedLabels: null, entry: [] }
  checkVariedOptions(run.tree, methods, context.report)
  const rows = await Promise.all(
    methods.map((method) => {
      const isRun = selectedLabels.length === 0 || selectedLabels.includes(method.label)
      const variants = methodVariants(method, methods, run, context.report)
      return planVariants(method, variants, run, budget, isRun ? context : { ...context, reportFile: () => undefined })
    }),
  )
  const names = methods.map(({ sourceName }) => sourceName)
  for (const name of selectedLabels.map(oneLine))
    if (!labels.includes(name))
      context.report(`--methods ${name}`, `the config has no such row; ${unknownName('method', name, names)}`)
  return {
    plan: rows.flatMap(({ plan }) => plan),
    selectedLabels: selectedLabels.length === 0 ? null : labels.filter((label) => selectedLabels.includes(label)),
    entry: rows.map(({ entry }) => entry),
  }
}

/** Plans the rows of a method; its entry has the options before `vary` is applied. */
async function planVariants(
  method: LabelledPlugIn,
  variants: readonly Variant[],
  run: Variant,
  runBudget: Budget | undefined,
  context: PlanContext,
): Promise<PlanPart<readonly PlannedMethod[]>> {
  const { label, item } = method
  const rowBudget = rowBudgetSchema.safeParse(method.record['budget']).data
  const budget = rowBudget && runBudget && { ...runBudget, ...rowBudget }
  const rows: PlannedMethod[] = []
  for (const { tree, variedValues: changes } of variants) {
    const plan = await checkOptions(method, tree, context)
    const variedValues = [...run.variedValues, ...changes]
    if (plan) rows.push({ ...plan, label, variant: variantOf(variedValues), variedValues, ...(budget && { budget }) })
  }
  const isVaried = variants.some(({ variedValues }) => variedValues.length > 0)
  const silent = { ...context, report: () => undefined }
  const base = isVaried ? await checkOptions(method, run.tree, silent) : rows[0]
  const sharedOptions = rows.length > 1 ? item.shares?.(rows.map(({ options }) => options)) : undefined
  return {
    plan: sharedOptions ? rows.map((row) => withOptions(row, sharedOptions)) : rows,
    entry: { ...method.record, ...(base?.record ?? recordOfOptions(method, run.tree)) },
  }
}

const withOptions = (row: PlannedMethod, options: object): PlannedMethod => ({
  ...row,
  options: { ...(row.options as object), ...options },
  record: { ...row.record, ...options },
})

/** Plans the scorers in order; undefined if the config names none. */
export async function planScorers(
  tree: Tree,
  context: PlanContext,
): Promise<PlanPart<readonly PlannedScorer[], readonly unknown[]> | undefined> {
  if (!nodeAt(tree, ['scorers'])) return undefined
  const scorers = await selectLabels('scorer', tree, context)
  const parts = await Promise.all(
    scorers.map(async (scorer) => {
      const plan = await checkOptions(scorer, tree, context)
      return plan ? [{ plan: { ...plan, label: scorer.label }, entry: { ...scorer.record, ...plan.record } }] : []
    }),
  )
  return { plan: parts.flat().map(({ plan }) => plan), entry: parts.flat().map(({ entry }) => entry) }
}
