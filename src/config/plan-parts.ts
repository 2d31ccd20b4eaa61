import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { itemAt } from '../basics/collections.ts'
import { isFile } from '../basics/files.ts'
import type { ByRole, ModelRole } from '../basics/roles.ts'
import type { VariedValue } from '../records.ts'
import { unknownName, variantOf } from '../text/names.ts'
import { layouts, placeholdersIn } from '../text/placeholders.ts'
import type { Budget, PromptTemplate, PromptTemplates } from '../types.ts'
import { check, withoutKeys } from './check.ts'
import { expandVariables, recordOf } from './environment.ts'
import {
  chooseLabelled,
  choosePlugIn,
  headOf,
  planOptions,
  type LabelledChoice,
  type PlanContext,
  type PlannedPlugIn,
  type PromptTask,
} from './plug-ins.ts'
import { defaultModels, promptMessages, type Config } from './schema.ts'
import { rowBudgetSchema } from './sections.ts'
import { absolutePath, nodeAt, oneLine, readYaml, valueAt, withDefault, type ReportError, type Tree } from './tree.ts'
import { methodVariants, type Variant } from './vary.ts'

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

/** The dataset, and its section: `path` is absolute, `limit` bounds the questions asked. */
export type PlannedDataset = NonNullable<Awaited<ReturnType<typeof planDataset>>>

/** Plans the dataset. */
export async function planDataset(tree: Tree, section: Config['dataset'] | undefined, context: PlanContext) {
  const choice = await choosePlugIn('dataset', tree, ['dataset'], context)
  const plan = choice && (await planOptions(choice, tree, context))
  if (!plan) return undefined
  const { path, limit, onBadRecord } = typeof section === 'object' ? section : {}
  return {
    ...plan,
    ...(path !== undefined && { path: absolutePath(path, tree, ['dataset', 'path']) }),
    ...(limit !== undefined && { limit }),
    ...(onBadRecord && { onBadRecord }),
  }
}

/** A config with the models that it does not name. */
export function withModels(source: Tree): Tree {
  const { complete, embed } = defaultModels
  return withDefault(withDefault(source, ['models', 'complete'], complete), ['models', 'embed'], embed)
}

/** Plans a model for each role that is named; the complete model judges where no other does. */
export async function planModels(tree: Tree, context: PlanContext): Promise<ByRole<PlannedPlugIn> | undefined> {
  const plans: { [Role in ModelRole]?: PlannedPlugIn } = {}
  for (const role of ['complete', 'embed', 'judge', 'answer', 'rerank'] as const) {
    const plan = await planModel(role, tree, context)
    if (plan) plans[role] = plan
  }
  const { complete, embed, judge = complete } = plans
  return complete && embed && judge && { ...plans, complete, embed, judge }
}

/** The prices that a model needs if it has any, by ability. */
const prices = { complete: ['prompt', 'completion'], embed: ['embedding'], rerank: ['prompt'] } as const

async function planModel(role: ModelRole, tree: Tree, context: PlanContext): Promise<PlannedPlugIn | undefined> {
  const ability = role === 'embed' || role === 'rerank' ? role : 'complete'
  const path = ['models', role]
  const choice = await choosePlugIn('model', tree, path, context)
  if (!choice) return undefined
  if (!choice.item.can?.includes(ability)) {
    const models = await context.models.all()
    const capable = models.filter(({ can }) => can.includes(ability))
    const names = capable.map(({ name }) => name).join(', ')
    const use = String(headOf(tree, path, ['use'])['use'])
    context.report(choice.at, `models.${role}: "${use}" cannot ${ability} (can: ${names})`)
    return undefined
  }
  const price = nodeAt(tree, [...path, 'price'])
  for (const kind of prices[ability]) {
    if (price?.entries?.has(kind) !== false) continue
    context.report(price.at, `"models.${role}.price.${kind}" is missing`)
  }
  return planOptions(choice, tree, context)
}

/** Plans all variants of the methods: the rows, their form in the recorded config, and the labels of `--methods`. */
export async function planMethods(
  run: Variant,
  selection: readonly string[],
  budget: Budget | undefined,
  context: PlanContext,
) {
  const fileFaults: Parameters<ReportError>[] = []
  const collectFault: ReportError = (...fault) => void fileFaults.push(fault)
  const methods = await chooseLabelled('method', run.tree, { ...context, reportFile: collectFault })
  const labels = methods.map(({ label }) => label)
  const isAll = selection.length === 0
  // a file that cannot be loaded does not matter if --methods excludes its rows
  if (isAll || !selection.every((name) => labels.includes(name)))
    for (const fault of fileFaults) context.report(...fault)
  // an invalid list is reported once, not for every name that refers to it
  if (methods.length === 0) return { rows: [], entries: [], selectedLabels: null }
  for (const name of selection.map(oneLine))
    if (!labels.includes(name))
      context.report(`--methods ${name}`, `the config has no such row; ${unknownName('method', name, labels)}`)
  const silent = { ...context, report: () => undefined }
  const rows = await Promise.all(
    methodVariants(methods, run, context.report).map((variants, index) => {
      const method = itemAt(methods, index)
      const isRun = isAll || selection.includes(method.label)
      const reportFile = isRun ? context.report : silent.report
      return planRows(method, variants, run, budget, { ...context, reportFile })
    }),
  )
  const entries = methods.map(async ({ path, extraKeys, ...method }) => {
    // the options before vary is applied, which may lack one that it gives
    const plan = await planOptions({ ...method, path, extraKeys }, run.tree, silent)
    const record = plan?.record ?? recordOf(withoutKeys(valueAt(run.tree, path), extraKeys), {})
    return { ...headOf(run.tree, path, extraKeys), ...record }
  })
  return {
    rows: rows.flat(),
    entries: await Promise.all(entries),
    selectedLabels: isAll ? null : labels.filter((label) => selection.includes(label)),
  }
}

/** The rows of a method, one for each of its variants. */
async function planRows(
  method: LabelledChoice,
  variants: readonly Variant[],
  run: Variant,
  runBudget: Budget | undefined,
  context: PlanContext,
): Promise<readonly PlannedMethod[]> {
  const { label, item, path } = method
  const rowBudget = rowBudgetSchema.safeParse(valueAt(run.tree, [...path, 'budget'])).data
  const budget = rowBudget && runBudget && { ...runBudget, ...rowBudget }
  const rows: PlannedMethod[] = []
  for (const { tree, variedValues: changes } of variants) {
    const plan = await planOptions(method, tree, context)
    if (!plan) continue
    const variedValues = [...run.variedValues, ...changes]
    const variant = variantOf(variedValues)
    rows.push({ ...plan, label, variant, variedValues, ...(budget && { budget }) })
  }
  const sharedOptions = rows.length > 1 ? item.shares?.(rows.map(({ options }) => options)) : undefined
  if (!sharedOptions) return rows
  return rows.map((row) => ({
    ...row,
    options: { ...(row.options as object), ...sharedOptions },
    record: { ...row.record, ...sharedOptions },
  }))
}

/** Plans the scorers in order, with their form in the recorded config; undefined if the config names none. */
export async function planScorers(tree: Tree, context: PlanContext) {
  if (!nodeAt(tree, ['scorers'])) return undefined
  const plans: PlannedScorer[] = []
  const entries: Readonly<Record<string, unknown>>[] = []
  for (const scorer of await chooseLabelled('scorer', tree, context)) {
    const plan = await planOptions(scorer, tree, context)
    if (!plan) continue
    plans.push({ ...plan, label: scorer.label })
    entries.push({ ...headOf(tree, scorer.path, scorer.extraKeys), ...plan.record })
  }
  return { plans, entries }
}

/**
 * The prompts that a config gives in place of the built-in ones: of a named set, of files (YAML, a list of messages
 * with `role` and `content`), or inline. Reports each error in a line with its place.
 */
export async function planPrompts(tree: Tree, context: PlanContext): Promise<PromptTemplates> {
  const {
    prompts: { tasks },
    report,
  } = context
  const section = nodeAt(tree, ['prompts'])
  if (!section) return {}
  const names = tasks.map(({ name }) => name)
  for (const [name, { keyAt }] of section.entries ?? []) {
    if (name === 'use' || names.includes(name)) continue
    report(keyAt, `prompts: ${unknownName('task', name, names)}`)
  }
  const templates: Record<string, PromptTemplate> = {}
  for (const task of tasks) {
    const taskNode = section.entries?.get(task.name)
    const isOwn = taskNode !== undefined
    const node = taskNode ?? (section.entries ? section.entries.get('use') : section)
    const prompt = node?.items ? node : await readPrompt(node, task.name, isOwn, context)
    const reportOfTask: ReportError = (place, message) => report(place, `the prompt of ${task.name}: ${message}`)
    const messages = prompt && check(templateOf(task), prompt, [], { report: reportOfTask })
    if (!messages) continue
    templates[task.name] = messages.map(({ role, content }) => ({
      role,
      content: content.trimEnd(),
    }))
  }
  return templates
}

/** The prompt of a task from the file that the config names for it, or from a set. */
async function readPrompt(
  node: Tree | undefined,
  task: string,
  isOwn: boolean,
  context: PlanContext,
): Promise<Tree | undefined> {
  if (!node || typeof node.value !== 'string') return undefined
  const {
    prompts: { folder },
    report,
  } = context
  const { value: name, at } = node
  const options = { order: at.order }
  if (isOwn && /[\\/.]/.test(name))
    return readYaml(absolutePath(String(expandVariables(node, context)), node, []), name, report, options)
  const entries = await readdir(folder, { withFileTypes: true })
  const sets = entries.flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  const file = join(folder, name, `${task}.yaml`)
  if (!sets.includes(name))
    report(
      at,
      `prompts: ${unknownName('set', name, sets)}; a file is given by its path, as in ./${name || 'mine'}.yaml`,
    )
  else if (isFile(file)) return readYaml(file, file, report, options)
  else if (isOwn) report(at, `prompts.${task}: the set "${name}" has no prompt for this task`)
  return undefined
}

/** The messages of the prompt of a task, with its placeholders. */
const templateOf = ({ fields, requiredFields }: PromptTask) =>
  promptMessages.superRefine((messages, context) => {
    const add = (message: string, path: PropertyKey[] = []): void => {
      context.addIssue({ code: 'custom', path, message })
    }
    if (messages.at(-1)?.role !== 'user') add('the last message must be one of the user')
    const fieldNames = new Set<string>()
    for (const [index, { content }] of messages.entries()) {
      const path = [index, 'content']
      const { placeholders, isBroken } = placeholdersIn(content)
      if (isBroken) add('a placeholder is written {{field}} or {{field:layout}}', path)
      for (const { field, layout } of placeholders) {
        fieldNames.add(field)
        if (!fields.includes(field)) add(unknownName('placeholder', field, fields), path)
        else if (layout !== undefined && !layouts.some((name) => name === layout))
          add(unknownName('layout', layout, layouts), path)
      }
    }
    for (const field of requiredFields) {
      if (!fieldNames.has(field)) add(`lacks the placeholder {{${field}}}`)
    }
  })
