import { isObject } from '../basics/plain-data.ts'
import { scrubError } from '../errors.ts'
import type { Row } from '../records.ts'
import { nearest, findRow } from '../text/names.ts'
import { check } from './check.ts'
import { isExpanded, recordOf } from './environment.ts'
import { planDataset, planMethods, planModels, planScorers } from './plan-rows.ts'
import type { Registries, Plan, PlannedCompare } from './plan.ts'
import { planPrompts, promptsRecord } from './prompts.ts'
import { budgetOf, configSchema, type Config } from './schema.ts'
import { train, trainingOf } from './schema-parts.ts'
import { changeEntries, nodeAt, placedAt, placeOf, put, rawAt, textAt, type ReportError, type Tree } from './tree.ts'
import type { Variant } from './vary.ts'

/** The plan of one run of a config without `compare`. Reports errors; undefined if there are any. */
export async function makePlan(
  { tree: source, variedValues }: Variant,
  selectedLabels: readonly string[],
  registries: Registries,
  report: ReportError,
): Promise<{ readonly plan: Plan; readonly compare: Config['compare'] } | undefined> {
  const tree = expandSplit(expandOwnDocuments(source, report), report)
  const context = { registries, report }
  const config = check(configSchema, { tree, report })
  const name = nodeAt(tree, ['name'])
  if (name && isExpanded(name))
    report(
      name.at,
      'name: must not hold a variable of the environment, since it names a folder; write it out, or give it with --set name=…',
    )
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
      dataset: dataset.record,
      models: models.record,
      ...(Object.keys(prompts).length > 0 && { prompts: promptsRecord(prompts) }),
      methods: methods.record,
      ...(scorers && { scorers: scorers.record }),
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
 * The config with `dataset: { documents, questions, … }` expanded to the dataset `files`. Reports documents that are
 * no path.
 */
function expandOwnDocuments(tree: Tree, report: ReportError): Tree {
  const entries = nodeAt(tree, ['dataset'])?.entries
  const use = entries?.get('use')
  if (!entries || (use && !(entries.has('documents') && use.value === 'files'))) return tree
  const name = entries.has('documents') ? 'documents' : nearest('documents', entries.keys())
  const key = name ?? 'questions'
  const folder = entries.get(key)
  if (!folder) return tree
  const rename = name === undefined ? '' : `; rename "${name}"`
  if (name !== 'documents')
    report(folder.keyAt, `"dataset.documents" is missing: the folder of your documents${rename}`)
  if (entries.has('path')) report(folder.keyAt, 'dataset.documents and dataset.path name the same: remove one')
  if (typeof folder.value !== 'string' || folder.value === '')
    report(folder.at, 'dataset.documents must be the path of a folder or file')
  const dataset = changeEntries(tree, ['dataset'], (option, item) => (datasetKeys.includes(option) ? item : undefined))
  const files = put(dataset, ['dataset', 'use'], placedAt('files', placeOf(tree, ['dataset'])))
  return Array.from(entries).reduce(
    (result, [option, item]) => {
      if (datasetKeys.includes(option) || option === name) return result
      return put(result, ['dataset', 'options', option], item)
    },
    put(files, ['dataset', 'path'], folder),
  )
}

/** The config with `dataset.split` moved to `dataset.options.split`. */
function expandSplit(tree: Tree, report: ReportError): Tree {
  const split = nodeAt(tree, ['dataset', 'split'])
  if (typeof split?.value !== 'string') return tree
  if (nodeAt(tree, ['dataset', 'options', 'split']))
    report(split.at, 'dataset.split is set twice: here and in dataset.options; remove one')
  const withoutSplit = changeEntries(tree, ['dataset'], (key, item) => (key === 'split' ? undefined : item))
  return put(withoutSplit, ['dataset', 'options', 'split'], split)
}
