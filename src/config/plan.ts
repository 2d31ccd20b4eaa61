import { itemAt } from '../basics/collections.ts'
import { mapRoles, type ByRole, type ModelRole } from '../basics/roles.ts'
import type { CompareRecord, VariedValue } from '../records.ts'
import { findRow, nearest, unknownName, variantOf } from '../text/names.ts'
import type { Budget, PromptTemplates } from '../types.ts'
import { check } from './check.ts'
import { recordOf } from './environment.ts'
import {
  chooseLabelled,
  choosePlugIn,
  headOf,
  planOptions,
  planPrompts,
  type LabelledChoice,
  type PlanContext,
  type Planned,
  type PlannedPlugIn,
} from './plug-ins.ts'
import { budgetOf, compare, configSchema, defaultModels, rowBudgetSchema, train, type Config } from './schema.ts'
import {
  absolutePath,
  dataOf,
  nodeAt,
  oneLine,
  placedAt,
  placeOf,
  put,
  valueAt,
  without,
  type ReportError,
  type Tree,
} from './tree.ts'
import { methodVariants, type Variant } from './vary.ts'

/** A validated experiment: everything that a run needs. */
export interface Plan extends Readonly<
  Pick<Config, 'name' | 'answers' | 'chunks' | 'limits' | 'seed' | 'concurrency'>
> {
  readonly dataset: PlannedDataset
  readonly budget: Budget
  /** Present if the config does not set `budget.passages`. */
  readonly usesDefaultPassages?: true
  readonly models: ByRole<PlannedPlugIn>
  readonly prompts: PromptTemplates
  /** The varied keys of the config with their values in this run; empty for a config of one run. */
  readonly variedValues: readonly VariedValue[]
  readonly methods: readonly PlannedMethod[]
  /** Absent: the defaults for the kinds of the questions. */
  readonly scorers?: readonly PlannedScorer[]
  readonly compare?: PlannedCompare
  readonly repeats: number
  /** Whether each repeat builds its own index if the index depends on random numbers. */
  readonly indexPerRepeat: boolean
  readonly judgeRuns: number
  readonly train: NonNullable<Config['train']>
  /** Labels selected by `--methods`; null: all. */
  readonly selectedLabels: readonly string[] | null
  /** The config with its defaults, as written to the manifest; itself a valid config. */
  readonly record: Readonly<Record<string, unknown>>
  readonly sources: readonly string[]
}

/** The dataset, and its section: `path` is absolute, `limit` bounds the questions asked. */
export type PlannedDataset = PlannedPlugIn & Pick<DatasetSection, 'path' | 'limit' | 'onBadRecord'>

type DatasetSection = Exclude<Config['dataset'], string>

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

/** The comparison of rows. `at` is the place of the metric. */
export interface PlannedCompare extends Omit<CompareRecord, 'metric'> {
  readonly metric?: { readonly name: string; readonly at: string }
}

/** The plan of one run of a config, without `compare`, whose baseline may be a row of another run. */
export async function makePlan(
  { tree: source, variedValues }: Variant,
  selectedLabels: readonly string[],
  context: PlanContext,
): Promise<Plan | undefined> {
  const { report } = context
  const tree = expandDocuments(source, report)
  const config = check(configSchema, tree, [], context)
  const budget = config && budgetOf(config)
  const dataset = await planDataset(tree, config?.dataset, context)
  const models = await planModels(tree, context)
  const methods = await planMethods({ tree, variedValues }, selectedLabels, budget, context)
  const scorers = await planScorers(tree, context)
  const prompts = await planPrompts(tree, context)
  if (!config || !budget || !dataset || !models) return undefined
  const { name, answers, chunks, concurrency, limits, repeats, seed } = config
  const { $schema: _schema, ...record } = recordOf(dataOf(tree), config)
  return {
    name,
    answers,
    chunks,
    budget,
    seed,
    concurrency,
    limits,
    train: config.train ?? train.parse({}),
    judgeRuns: config.judgeRuns ?? (scorers ? 5 : 1),
    repeats: typeof repeats === 'number' ? repeats : repeats.count,
    indexPerRepeat: typeof repeats === 'number' || repeats.index,
    ...(config.budget.passages === undefined && { usesDefaultPassages: true }),
    dataset: dataset.plan,
    models: mapRoles(models, ({ plan }) => plan),
    prompts,
    methods: methods.rows,
    ...(scorers && { scorers: scorers.map(({ plan }) => plan) }),
    variedValues,
    selectedLabels: methods.selectedLabels,
    record: {
      ...record,
      dataset: dataset.entry,
      models: mapRoles(models, ({ entry }) => entry),
      ...(Object.keys(prompts).length > 0 && { prompts }),
      methods: methods.entries,
      ...(scorers && { scorers: scorers.map(({ entry }) => entry) }),
    },
    sources: [],
  }
}

/** Keys of the section of a dataset beside its options. */
const datasetKeys: readonly string[] = ['use', 'path', 'limit', 'onBadRecord']

async function planDataset(tree: Tree, section: Config['dataset'] | undefined, context: PlanContext) {
  const node = nodeAt(tree, ['dataset'])
  const choice = await choosePlugIn('dataset', node, ['dataset'], context)
  const result = choice && (await planOptions(choice, context))
  if (!node || !result) return undefined
  const { path, limit, onBadRecord } = typeof section === 'object' ? section : {}
  const plan = {
    ...result.plan,
    ...(path !== undefined && { path: absolutePath(path, node, ['path']) }),
    ...(limit !== undefined && { limit }),
    ...(onBadRecord && { onBadRecord }),
  }
  const entry = { ...headOf(node, datasetKeys), options: plan.record }
  return { plan, entry }
}

/** Plans a model for each role that is named; the complete model judges where no other does. */
async function planModels(tree: Tree, context: PlanContext): Promise<ByRole<Planned> | undefined> {
  const plans: { [Role in ModelRole]?: Planned } = {}
  const names: { readonly [Role in ModelRole]?: string } = defaultModels
  for (const role of ['complete', 'embed', 'judge', 'answer', 'rerank'] as const) {
    const node = nodeAt(tree, ['models', role]) ?? placedAt(names[role], placeOf(tree, ['models']))
    const model = await planModel(role, node, context)
    if (model) plans[role] = model
  }
  const { complete, embed, judge = complete } = plans
  return complete && embed && judge && { ...plans, complete, embed, judge }
}

/** The prices that a model needs if it has any, by ability. */
const prices = { complete: ['prompt', 'completion'], embed: ['embedding'], rerank: ['prompt'] } as const

async function planModel(role: ModelRole, section: Tree, context: PlanContext): Promise<Planned | undefined> {
  const ability = role === 'embed' || role === 'rerank' ? role : 'complete'
  const choice = await choosePlugIn('model', section, ['models', role], context)
  if (!choice) return undefined
  const { item, at, node } = choice
  if (!item.can?.includes(ability)) {
    const models = await context.models.all()
    const capable = models.filter(({ can }) => can?.includes(ability))
    const names = capable.map(({ name }) => name)
    const use = String(valueAt(node, ['use']))
    context.report(at, `models.${role}: "${use}" cannot ${ability} (can: ${names.join(', ')})`)
    return undefined
  }
  const price = nodeAt(node, ['price'])
  for (const kind of prices[ability])
    if (price?.entries?.has(kind) === false) context.report(price.at, `"models.${role}.price.${kind}" is missing`)
  return planOptions(choice, context)
}

/** Plans all variants of the methods: the rows, their form in the recorded config, and the labels of `--methods`. */
async function planMethods(
  run: Variant,
  selection: readonly string[],
  budget: Budget | undefined,
  context: PlanContext,
) {
  const fileFaults: Parameters<ReportError>[] = []
  const reportLater: ReportError = (...fault) => void fileFaults.push(fault)
  const methods = await chooseLabelled('method', run.tree, { ...context, reportFile: reportLater })
  const labels = methods.map(({ label }) => label)
  const isAll = selection.length === 0
  const unknown = selection.filter((name) => !labels.includes(name)).map(oneLine)
  // a file that cannot be loaded does not matter if --methods excludes its rows
  if (isAll || unknown.length > 0) for (const fault of fileFaults) context.report(...fault)
  // an invalid list is reported once, not for every name that refers to it
  if (methods.length === 0) return { rows: [], entries: [], selectedLabels: null }
  for (const name of unknown) {
    const hint = unknownName('method', name, labels)
    context.report(`--methods ${name}`, `the config has no such row; ${hint}`)
  }
  const silent = { ...context, report: () => undefined }
  const rows = await Promise.all(
    methodVariants(methods, run, context.report).map((variants, index) => {
      const method = itemAt(methods, index)
      const reportFile = isAll || selection.includes(method.label) ? context.report : silent.report
      return planRows(method, variants, run, budget, { ...context, reportFile })
    }),
  )
  // the options before vary is applied, which may lack one that it gives
  const sections = await Promise.all(methods.map((method) => planOptions(method, silent)))
  const entries = sections.map((section, index) => {
    const { node } = itemAt(methods, index)
    return section?.entry ?? recordOf(dataOf(node), {})
  })
  const selectedLabels = isAll ? null : labels.filter((label) => selection.includes(label))
  return { rows: rows.flat(), entries, selectedLabels }
}

/** The rows of a method, one for each of its variants. */
async function planRows(
  method: LabelledChoice,
  variants: readonly Variant[],
  run: Variant,
  runBudget: Budget | undefined,
  context: PlanContext,
): Promise<readonly PlannedMethod[]> {
  const { label, item, node } = method
  const rowBudget = rowBudgetSchema.safeParse(valueAt(node, ['budget'])).data
  const budget = rowBudget && runBudget && { ...runBudget, ...rowBudget }
  const rows: PlannedMethod[] = []
  for (const { tree, variedValues: changes } of variants) {
    const result = await planOptions({ ...method, node: tree }, context)
    if (!result) continue
    const variedValues = [...run.variedValues, ...changes]
    const variant = variantOf(variedValues)
    rows.push({ ...result.plan, label, variant, variedValues, ...(budget && { budget }) })
  }
  const sharedOptions = rows.length > 1 ? item.shares?.(rows.map(({ options }) => options)) : undefined
  if (!sharedOptions) return rows
  return rows.map((row) => ({
    ...row,
    options: { ...(row.options as object), ...sharedOptions },
    record: { ...row.record, ...sharedOptions },
  }))
}

/** Plans the scorers in order; undefined if the config names none. */
async function planScorers(tree: Tree, context: PlanContext) {
  if (!nodeAt(tree, ['scorers'])) return undefined
  const scorers = await chooseLabelled('scorer', tree, context)
  const results = await Promise.all(scorers.map((scorer) => planOptions(scorer, context)))
  return results.flatMap((result, index) =>
    result ? [{ plan: { ...result.plan, label: itemAt(scorers, index).label }, entry: result.entry }] : [],
  )
}

/** The comparison of a valid config. Reports an unknown baseline; undefined if the config has no `compare`. */
export function planCompare(tree: Tree, plans: readonly Plan[], report: ReportError): PlannedCompare | undefined {
  const { data } = compare.safeParse(valueAt(tree, ['compare']))
  if (!data) return undefined
  const { baseline: name, metric, margin } = data
  const methods = plans.flatMap((plan) => plan.methods)
  const rows = methods.map(({ label, variant }) => ({ method: label, variant }))
  const baseline = name === undefined ? undefined : findRow(name, rows)
  if (typeof baseline === 'string') {
    report(placeOf(tree, ['compare', 'baseline']), `compare.baseline: ${baseline}`)
    return undefined
  }
  const { text: at } = placeOf(tree, ['compare', 'metric'])
  return {
    ...(baseline && { baseline }),
    ...(metric !== undefined && { metric: { name: metric, at } }),
    ...(margin !== undefined && { margin }),
  }
}

/** The config with `{ documents, questions, … }` for a dataset written out as the dataset `files`. */
function expandDocuments(tree: Tree, report: ReportError): Tree {
  const section = nodeAt(tree, ['dataset'])
  const entries = section?.entries ?? new Map<string, Tree>()
  const use = entries.get('use')?.value
  const key = entries.has('documents') ? 'documents' : (nearest('documents', entries.keys()) ?? 'questions')
  const folder = entries.get(key)
  const isShort = use === undefined || (use === 'files' && key === 'documents')
  if (!section || !folder || !isShort) return tree
  const rename = key === 'questions' ? '' : `; rename "${key}"`
  const missing = `"dataset.documents" is missing: the folder of your documents${rename}`
  if (key !== 'documents') report(folder.keyAt, missing)
  if (entries.has('path')) report(folder.keyAt, 'dataset.documents and dataset.path name the same: remove one')
  let files = put(without(section, [key]), ['use'], placedAt('files', section.at), report)
  files = put(files, ['path'], folder, report)
  for (const [name, item] of entries) {
    if (datasetKeys.includes(name) || name === 'options' || (name === key && key !== 'questions')) continue
    files = put(without(files, [name]), ['options', name], item, report)
  }
  return put(tree, ['dataset'], files, report)
}
