import { mapRoles, type ByRole, type ModelRole } from '../basics/roles.ts'
import type { VariedValue } from '../records.ts'
import { unknownName, variantOf } from '../text/names.ts'
import type { Budget, OnBadRecord } from '../types.ts'
import {
  checkOptions,
  recordOfOptions,
  selectLabels,
  selectPlugIn,
  type LabelledPlugIn,
  type PlanContext,
  type PlannedPlugIn,
} from './plug-ins.ts'
import { defaultModels, rowBudgetSchema, type Config } from './schema.ts'
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
interface PlanPart<T, R = unknown> {
  readonly plan: T
  readonly record: R
}

/** Plans the dataset. Reports errors; undefined if there are any. */
export async function planDataset(
  tree: Tree,
  section: Config['dataset'] | undefined,
  context: PlanContext,
): Promise<PlanPart<PlannedDataset> | undefined> {
  const choice = await selectPlugIn('dataset', tree, ['dataset'], context)
  const datasetPlan = choice && (await checkOptions(choice, tree, context))
  if (!datasetPlan) return undefined
  const { path, limit, onBadRecord } = typeof section === 'object' ? section : {}
  return {
    plan: {
      ...datasetPlan,
      ...(path !== undefined && { path: absolutePath(path, tree, ['dataset', 'path']) }),
      ...(limit !== undefined && { limit }),
      ...(onBadRecord !== undefined && { onBadRecord }),
    },
    record: { ...choice.record, options: datasetPlan.record },
  }
}

/** Plans a model for each role, by default the complete model. Reports errors; undefined if there are any. */
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
  return { plan: mapRoles(models, ({ plan }) => plan), record: mapRoles(models, ({ record }) => record) }
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
  if (!choice.item.can?.includes(ability)) {
    const models = await context.registries.models.all()
    const capable = models.flatMap(({ name, can }) => (can.includes(ability) ? name : []))
    context.report(
      choice.at,
      `${path.join('.')}: "${choice.record.use}" cannot ${ability} (can: ${capable.join(', ')})`,
    )
    return undefined
  }
  const price = nodeAt(treeWithDefault, [...path, 'price'])
  const missingPrices = price?.entries ? prices[ability].filter((kind) => !price.entries?.has(kind)) : []
  for (const kind of missingPrices)
    context.report(price?.at ?? choice.at, `"${[...path, 'price', kind].join('.')}" is missing`)
  const modelPlan = await checkOptions(choice, treeWithDefault, context)
  return modelPlan && missingPrices.length === 0
    ? { plan: modelPlan, record: { ...choice.record, ...modelPlan.record } }
    : undefined
}

/** Plans all variants of the methods, and the labels that `--methods` selects. Reports errors. */
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
  // a file that cannot be loaded does not matter if --methods excludes its rows
  const isLeftOut =
    selectedLabels.length > 0 && selectedLabels.every((name) => methods.some(({ label }) => label === name))
  if (!isLeftOut) for (const fault of loadFaults) context.report(...fault)
  // an invalid list is reported once, not for every name that refers to it
  if (methods.length === 0) return { plan: [], selectedLabels: null, record: [] }
  checkVariedOptions(run.tree, methods, context.report)
  const rows = await Promise.all(
    methods.map((method) => {
      const isRun = selectedLabels.length === 0 || selectedLabels.includes(method.label)
      const rowContext = isRun ? context : { ...context, reportFile: () => undefined }
      const variants = methodVariants(method, methods, run, context.report)
      return planVariants({ method, variants, run, budget }, rowContext)
    }),
  )
  return {
    plan: rows.flatMap(({ plan }) => plan),
    selectedLabels: selectedLabels.length === 0 ? null : orderSelectedLabels(selectedLabels, methods, context),
    record: rows.map(({ record }) => record),
  }
}

interface Row {
  readonly method: LabelledPlugIn
  readonly variants: readonly Variant[]
  readonly run: Variant
  /** The budget of the run. */
  readonly budget: Budget | undefined
}

/** Plans the rows of a method; its record has the options before `vary` is applied. */
async function planVariants(
  { method, variants, run, budget: runBudget }: Row,
  context: PlanContext,
): Promise<PlanPart<readonly PlannedMethod[]>> {
  const { label } = method
  const isVaried = variants.some(({ variedValues }) => variedValues.length > 0)
  const rowBudget = rowBudgetSchema.safeParse(method.record['budget']).data
  const budget = rowBudget && runBudget && { ...runBudget, ...rowBudget }
  const rows: PlannedMethod[] = []
  for (const { tree, variedValues: changes } of variants) {
    const row = await checkOptions(method, tree, context)
    const variedValues: readonly VariedValue[] = [...run.variedValues, ...changes]
    if (row) rows.push({ ...row, label, variant: variantOf(variedValues), variedValues, ...(budget && { budget }) })
  }
  const silent = { ...context, report: () => undefined }
  const baseOptions = isVaried ? await checkOptions(method, run.tree, silent) : rows[0]
  const record = { ...method.record, ...(baseOptions?.record ?? recordOfOptions(method, run.tree)) }
  const sharedOptions = rows.length > 1 ? (method.item.shares?.(rows.map(({ options }) => options)) ?? {}) : {}
  if (Object.keys(sharedOptions).length === 0) return { plan: rows, record }
  const completeRow = (row: PlannedMethod): PlannedMethod => ({
    ...row,
    options: { ...(row.options as object), ...sharedOptions },
    record: { ...row.record, ...sharedOptions },
  })
  return { plan: rows.map(completeRow), record }
}

function orderSelectedLabels(
  selectedLabels: readonly string[],
  methods: readonly LabelledPlugIn[],
  { report }: PlanContext,
): readonly string[] {
  const names = methods.map(({ sourceName }) => sourceName)
  const labels = methods.map(({ label }) => label)
  for (const name of selectedLabels.map(oneLine))
    if (!labels.includes(name))
      report(`--methods ${name}`, `the config has no such row; ${unknownName('method', name, names)}`)
  return labels.filter((label) => selectedLabels.includes(label))
}

/** Plans the scorers in order; undefined if the config names none. */
export async function planScorers(
  tree: Tree,
  context: PlanContext,
): Promise<PlanPart<readonly PlannedScorer[], readonly unknown[]> | undefined> {
  if (!nodeAt(tree, ['scorers'])) return undefined
  const scorerPlans: PlannedScorer[] = []
  const record: unknown[] = []
  for (const scorer of await selectLabels('scorer', tree, context)) {
    const options = await checkOptions(scorer, tree, context)
    if (!options) continue
    scorerPlans.push({ ...options, label: scorer.label })
    record.push({ ...scorer.record, ...options.record })
  }
  return { plan: scorerPlans, record }
}
