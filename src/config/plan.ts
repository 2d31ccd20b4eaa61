import { isObject } from '../basics/plain-data.ts'
import { mapRoles, type ByRole } from '../basics/roles.ts'
import type { CompareRecord, VariedValue } from '../records.ts'
import { findRow, nearest } from '../text/names.ts'
import type { AnswersWanted, Budget, PromptTemplates } from '../types.ts'
import { check } from './check.ts'
import { recordOf } from './environment.ts'
import {
  planDataset,
  planMethods,
  planModels,
  planPrompts,
  planScorers,
  withModels,
  type PlannedDataset,
  type PlannedMethod,
  type PlannedScorer,
} from './plan-parts.ts'
import { headOf, refuseVariable, type PlanContext, type PlannedPlugIn } from './plug-ins.ts'
import { budgetOf, configSchema, type Config } from './schema.ts'
import { compare as compareSection, train, trainingOf, type PlannedTraining } from './sections.ts'
import { nodeAt, placedAt, placeOf, put, valueAt, without, type ReportError, type Tree } from './tree.ts'
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
  const base = expandDataset(source, context.report)
  const config = check(configSchema, base, [], context)
  refuseVariable(base, ['name'], context.report)
  const tree = withModels(base)
  const dataset = await planDataset(tree, config?.dataset, context)
  const models = await planModels(tree, context)
  const budget = config && budgetOf(config)
  const methods = await planMethods({ tree, variedValues }, selectedLabels, budget, context)
  const scorers = await planScorers(tree, context)
  const prompts = await planPrompts(tree, context)
  const raw = valueAt(base, [])
  if (!config || !budget || !dataset || !models || !isObject(raw)) return undefined
  const { name, answers, chunks, concurrency, limits, repeats, seed, train: training } = config
  const { $schema: _schema, ...record } = recordOf(raw, config)
  return {
    name,
    chunks,
    budget,
    judgeRuns: config.judgeRuns ?? (scorers ? 5 : 1),
    seed,
    concurrency,
    limits,
    train: trainingOf(training ?? train.parse({})),
    repeats: typeof repeats === 'number' ? repeats : repeats.count,
    indexPerRepeat: typeof repeats === 'number' || repeats.index,
    ...(config.budget.passages === undefined && { usesDefaultPassages: true }),
    ...(answers && { answers }),
    dataset,
    models,
    prompts,
    methods: methods.rows,
    ...(scorers && { scorers: scorers.plans }),
    variedValues,
    selectedLabels: methods.selectedLabels,
    record: {
      ...record,
      dataset: {
        ...headOf(tree, ['dataset'], ['use', 'path', 'limit', 'onBadRecord']),
        options: dataset.record,
      },
      models: mapRoles(models, (model, role) => {
        const path = ['models', nodeAt(tree, ['models', role]) ? role : 'complete']
        return { ...headOf(tree, path, ['use']), ...model.record }
      }),
      ...(Object.keys(prompts).length > 0 && { prompts }),
      methods: methods.entries,
      ...(scorers && { scorers: scorers.entries }),
    },
    sources: [],
  }
}

/** The comparison of a valid config. Reports an unknown baseline; undefined if the config has no `compare`. */
export function planCompare(tree: Tree, plans: readonly Plan[], report: ReportError): PlannedCompare | undefined {
  const { data } = compareSection.safeParse(valueAt(tree, ['compare']))
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

const datasetKeys = ['use', 'path', 'split', 'limit', 'onBadRecord', 'options']

/**
 * The config with the short forms of a dataset written out: `{ documents, questions, … }` for the dataset `files`, and
 * `split` for `options.split`.
 */
function expandDataset(source: Tree, report: ReportError): Tree {
  const tree = expandDocuments(source, report)
  const split = nodeAt(tree, ['dataset', 'split'])
  if (typeof split?.value !== 'string') return tree
  if (nodeAt(tree, ['dataset', 'options', 'split']))
    report(split.at, 'dataset.split is set twice: here and in dataset.options; remove one')
  return put(without(tree, ['dataset'], ['split']), ['dataset', 'options', 'split'], split)
}

function expandDocuments(tree: Tree, report: ReportError): Tree {
  const entries = nodeAt(tree, ['dataset'])?.entries ?? new Map<string, Tree>()
  const use = entries.get('use')?.value
  const key = entries.has('documents') ? 'documents' : (nearest('documents', entries.keys()) ?? 'questions')
  const folder = entries.get(key)
  if (!folder || !(use === undefined || (use === 'files' && key === 'documents'))) return tree
  const rename = key === 'questions' ? '' : `; rename "${key}"`
  if (key !== 'documents') report(folder.keyAt, `"dataset.documents" is missing: the folder of your documents${rename}`)
  if (entries.has('path')) report(folder.keyAt, 'dataset.documents and dataset.path name the same: remove one')
  if (typeof folder.value !== 'string' || folder.value === '')
    report(folder.at, 'dataset.documents must be the path of a folder or file')
  const options = [...entries.keys()].filter((name) => !datasetKeys.includes(name))
  let files = without(tree, ['dataset'], options)
  files = put(files, ['dataset', 'use'], placedAt('files', placeOf(tree, ['dataset'])))
  files = put(files, ['dataset', 'path'], folder)
  for (const [name, item] of entries)
    if (options.includes(name) && (name !== key || key === 'questions'))
      files = put(files, ['dataset', 'options', name], item)
  return files
}
