import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../basics/plain-data.ts'
import { scrubError } from '../errors.ts'
import type { ByRole } from '../basics/roles.ts'
import type { CompareRecord, Row, VariedValue } from '../records.ts'
import type { AnswersWanted, Budget, PromptTemplate, PromptTemplates } from '../types.ts'
import { findRow, nearest, unknownName } from '../text/names.ts'
import { isFile } from '../basics/files.ts'
import { layouts, placeholdersIn } from '../text/placeholders.ts'
import { check } from './check.ts'
import { recordOf } from './environment.ts'
import {
  planDataset,
  planMethods,
  planModels,
  planScorers,
  type PlannedDataset,
  type PlannedMethod,
  type PlannedScorer,
} from './plan-parts.ts'
import { refuseVariable, type PlannedPlugIn, type Registries } from './plug-ins.ts'
import { budgetOf, configSchema, promptMessages, type Config } from './schema.ts'
import { train, trainingOf, type PlannedTraining } from './sections.ts'
import {
  absolutePath,
  changeEntries,
  nodeAt,
  placedAt,
  placeOf,
  put,
  rawAt,
  readYaml,
  textAt,
  type ReportError,
  type Tree,
} from './tree.ts'
import type { Variant } from './vary.ts'

/** A validated experiment: everything that a run needs. */
export interface Plan extends Readonly<Pick<Config, 'name' | 'chunks' | 'limits' | 'seed' | 'concurrency'>> {
  readonly dataset: PlannedDataset
  readonly budget: Budget
  /** Present if the config does not set `budget.passages`. */
  readonly usesDefaultPassages?: true
  /** The form of free answers; absent if the dataset decides. */
  readonly answers?: AnswersWanted
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
  readonly train: PlannedTraining
  /** Labels selected by `--methods`; null: all. */
  readonly selectedLabels: readonly string[] | null
  /** The config with its defaults, as written to the manifest; itself a valid config. */
  readonly record: Readonly<Record<string, unknown>>
  readonly sources: readonly string[]
}

export type PlannedChunks = Readonly<Config['chunks']>

export type Limits = Readonly<Config['limits']>

/** The comparison of rows. `sourceName` is the metric as written, `at` its place. */
export interface PlannedCompare extends Omit<CompareRecord, 'metric'> {
  readonly metric?: { readonly name: string; readonly sourceName: string; readonly at: string }
}

/** The plan of one run of a config without `compare`. */
export async function makePlan(
  { tree: source, variedValues }: Variant,
  selectedLabels: readonly string[],
  registries: Registries,
  report: ReportError,
): Promise<{ readonly plan: Plan; readonly compare: Config['compare'] } | undefined> {
  const tree = expandDataset(source, report)
  const context = { registries, report }
  const config = check(configSchema, { tree, report })
  refuseVariable(tree, ['name'], 'since it names a folder; write it out, or give it with --set name=…', report)
  const dataset = await planDataset(tree, config?.dataset, context)
  const models = await planModels(tree, context)
  const budget = config && budgetOf(config)
  const methods = await planMethods({ tree, variedValues }, { selectedLabels, budget }, context)
  const scorers = await planScorers(tree, context)
  const prompts = await planPrompts(tree, registries.prompts, report)
  const raw = rawAt(tree, [])
  if (!config || !budget || !dataset || !models || !isObject(raw)) return undefined
  const { answers, chunks, concurrency, limits, repeats, seed, train: training } = config
  const { $schema: _schema, ...record } = recordOf(raw, config)
  const plan: Plan = {
    name: config.name,
    chunks,
    budget,
    judgeRuns: config.judgeRuns ?? (config.scorers ? 5 : 1),
    seed,
    concurrency,
    limits,
    train: trainingOf(training ?? train.parse({})),
    repeats: typeof repeats === 'number' ? repeats : repeats.count,
    indexPerRepeat: typeof repeats === 'number' || repeats.index,
    ...(config.budget.passages === undefined && { usesDefaultPassages: true as const }),
    ...(answers && { answers }),
    dataset: dataset.plan,
    models: models.plan,
    prompts,
    methods: methods.plan,
    ...(scorers && { scorers: scorers.plan }),
    variedValues,
    selectedLabels: methods.selectedLabels,
    record: {
      ...record,
      dataset: dataset.entry,
      models: models.entry,
      ...(Object.keys(prompts).length > 0 && { prompts: promptsRecord(prompts) }),
      methods: methods.entry,
      ...(scorers && { scorers: scorers.entry }),
    },
    sources: [],
  }
  return { plan, compare: config.compare }
}

/** The comparison of rows. Reports an unknown baseline; undefined if the config has no `compare`. */
export function planCompare(
  tree: Tree,
  compare: Config['compare'],
  rows: readonly Row[],
  report: ReportError,
): PlannedCompare | undefined {
  if (!compare) return undefined
  const { baseline: name, metric, margin } = compare
  const baseline = name === undefined ? undefined : findRow(name, rows)
  if (typeof baseline === 'string') {
    report(placeOf(tree, ['compare', 'baseline']), `compare.baseline: ${scrubError(baseline)}`)
    return undefined
  }
  const path = ['compare', 'metric']
  return {
    ...(baseline && { baseline }),
    ...(metric !== undefined && {
      metric: { name: metric, sourceName: textAt(tree, path) ?? metric, at: placeOf(tree, path).text },
    }),
    ...(margin !== undefined && { margin }),
  }
}

const datasetKeys = ['use', 'path', 'split', 'limit', 'onBadRecord', 'options']

/**
 * The config with the short forms of a dataset written out: `{ documents, questions, … }` for the dataset `files`, and
 * `split` for `options.split`.
 */
function expandDataset(tree: Tree, report: ReportError): Tree {
  const files = expandDocuments(tree, report)
  const split = nodeAt(files, ['dataset', 'split'])
  if (typeof split?.value !== 'string') return files
  if (nodeAt(files, ['dataset', 'options', 'split']))
    report(split.at, 'dataset.split is set twice: here and in dataset.options; remove one')
  const withoutSplit = changeEntries(files, ['dataset'], (key, item) => (key === 'split' ? undefined : item))
  return put(withoutSplit, ['dataset', 'options', 'split'], split)
}

function expandDocuments(tree: Tree, report: ReportError): Tree {
  const entries = nodeAt(tree, ['dataset'])?.entries ?? new Map<string, Tree>()
  const use = entries.get('use')?.value
  const isShort = use === undefined || (use === 'files' && entries.has('documents'))
  const key = entries.has('documents') ? 'documents' : (nearest('documents', entries.keys()) ?? 'questions')
  const folder = entries.get(key)
  if (!folder || !isShort) return tree
  const rename = key === 'questions' ? '' : `; rename "${key}"`
  if (key !== 'documents') report(folder.keyAt, `"dataset.documents" is missing: the folder of your documents${rename}`)
  if (entries.has('path')) report(folder.keyAt, 'dataset.documents and dataset.path name the same: remove one')
  if (typeof folder.value !== 'string' || folder.value === '')
    report(folder.at, 'dataset.documents must be the path of a folder or file')
  let files = changeEntries(tree, ['dataset'], (option, item) => (datasetKeys.includes(option) ? item : undefined))
  files = put(files, ['dataset', 'use'], placedAt('files', placeOf(tree, ['dataset'])))
  files = put(files, ['dataset', 'path'], folder)
  for (const [option, item] of entries)
    if (!datasetKeys.includes(option) && (option !== key || key === 'questions'))
      files = put(files, ['dataset', 'options', option], item)
  return files
}

/**
 * The prompts that a config gives in place of the built-in ones: of a named set, of files (YAML, a list of messages
 * with `role` and `content`), or inline. Reports each error in a line with its place.
 */
async function planPrompts(
  tree: Tree,
  { tasks, folder }: Registries['prompts'],
  report: ReportError,
): Promise<PromptTemplates> {
  const section = nodeAt(tree, ['prompts'])
  const names = tasks.map(({ name }) => name)
  for (const [name, { keyAt }] of section?.entries ?? [])
    if (name !== 'use' && !names.includes(name)) report(keyAt, `prompts: ${unknownName('task', name, names)}`)
  const templates: Record<string, PromptTemplate> = {}
  for (const task of tasks) {
    const taskNode = section?.entries?.get(task.name)
    const node = taskNode ?? (section?.entries ? section.entries.get('use') : section)
    const prompt = node?.items ? node : await readPrompt(node, task.name, taskNode !== undefined, folder, report)
    const template = prompt && templateOf(prompt, task, report)
    if (template) templates[task.name] = template
  }
  return templates
}

/** The prompts of the recorded config, with `${` escaped. */
const promptsRecord = (prompts: PromptTemplates): PromptTemplates =>
  Object.fromEntries(
    Object.entries(prompts).map(([task, messages]) => [
      task,
      messages.map(({ role, content }) => ({ role, content: content.replaceAll('${', '$${') })),
    ]),
  )

/** The prompt of a task from the file that the config names for it, or from a set. */
async function readPrompt(
  node: Tree | undefined,
  task: string,
  isOwn: boolean,
  folder: string,
  report: ReportError,
): Promise<Tree | undefined> {
  if (!node || typeof node.value !== 'string') return undefined
  const { value, raw, at } = node
  const name = String(raw)
  const options = { order: at.order }
  if (isOwn && /[\\/.]/.test(name)) return readYaml(absolutePath(value, node, []), name, report, options)
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

/** The messages of a prompt. */
function templateOf(
  tree: Tree,
  task: Registries['prompts']['tasks'][number],
  report: ReportError,
): PromptTemplate | undefined {
  let faults = 0
  const reportFault: ReportError = (place, message) => {
    faults++
    report(place, `the prompt of ${task.name}: ${message}`)
  }
  if (!tree.items) reportFault(tree.at, 'must be a list of messages, each with role and content')
  const messages = tree.items && check(promptMessages, { tree, value: rawAt(tree, []), report: reportFault })
  if (!messages) return undefined
  if (messages.at(-1)?.role !== 'user') reportFault(tree.at, 'the last message must be one of the user')
  const fields = new Set<string>()
  for (const [index, { content }] of messages.entries()) {
    const place = placeOf(tree, [index, 'content'])
    const { placeholders, isBroken } = placeholdersIn(content)
    if (isBroken) reportFault(place, 'a placeholder is written {{field}} or {{field:layout}}')
    for (const { field, layout } of placeholders) {
      fields.add(field)
      if (!task.fields.includes(field)) reportFault(place, unknownName('placeholder', field, task.fields))
      else if (layout !== undefined && !layouts.some((name) => name === layout))
        reportFault(place, unknownName('layout', layout, layouts))
    }
  }
  for (const field of task.requiredFields)
    if (!fields.has(field)) reportFault(tree.at, `lacks the placeholder {{${field}}}`)
  return faults === 0 ? messages.map(({ role, content }) => ({ role, content: content.trimEnd() })) : undefined
}
