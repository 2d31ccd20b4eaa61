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
import { changeEntries, placedAt, placeOf, put, replace, textAt, valueAt, type ReportError, type Tree } from './tree.ts'
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
  const config = check(configSchema, { tree, path: [], value: tree.value, report })
  const name = valueAt(tree.value, ['name'])
  if (isExpanded(valueAt(tree.raw, ['name']), name))
    report(
      placeOf(tree, ['name']),
      'name: must not hold a variable of the environment, since it names a folder; write it out, or give it with --set name=…',
    )
  const dataset = await planDataset(tree, context)
  const models = await planModels(tree, context)
  const budget = config && budgetOf(config)
  const methods = await planMethods({ tree, variedValues }, { selectedLabels, budget }, context)
  const scorers = await planScorers(tree, context)
  const prompts = await planPrompts(tree, registries.prompts, report)
  if (!config || !budget || !dataset || !models || !isObject(tree.raw)) return undefined
  const { answers, chunks, concurrency, limits, repeats, seed, train: training } = config
  const { $schema: _schema, ...record } = recordOf(tree.raw, config)
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
  const dataset = valueAt(tree.value, ['dataset'])
  if (!isObject(dataset)) return tree
  const { use, documents, path } = dataset
  if (use !== undefined && !(documents !== undefined && use === 'files')) return tree
  const name = documents === undefined ? nearest('documents', Object.keys(dataset)) : 'documents'
  const key = name ?? 'questions'
  const folder = dataset[key]
  if (folder === undefined) return tree
  const place = placeOf(tree, ['dataset', key], true)
  if (name !== 'documents')
    report(
      place,
      `"dataset.documents" is missing: the folder of your documents${name === undefined ? '' : `; rename "${name}"`}`,
    )
  if (path !== undefined) report(place, 'dataset.documents and dataset.path name the same: remove one')
  if (typeof folder !== 'string' || folder === '')
    report(placeOf(tree, ['dataset', key]), 'dataset.documents must be the path of a folder or file')
  const files = placedAt('files', placeOf(tree, ['dataset']))
  const isOption = (option: string): boolean => option !== (name ?? 'documents') && !datasetKeys.includes(option)
  const options = Object.keys(dataset).filter(isOption)
  return changeEntries(
    [
      { part: files, from: [], key: [], to: ['dataset', 'use'] },
      move(tree, key, ['path']),
      ...options.map((option) => move(tree, option, ['options', option])),
    ].reduce((result, part) => put(result, { ...part, join: replace }, report), tree),
    ['dataset'],
    (option, value) => (datasetKeys.includes(option) ? value : undefined),
  )
}

/** The config with `dataset.split` moved to `dataset.options.split`. */
function expandSplit(tree: Tree, report: ReportError): Tree {
  const split = valueAt(tree.value, ['dataset', 'split'])
  if (typeof split !== 'string') return tree
  if (valueAt(tree.value, ['dataset', 'options', 'split']) !== undefined)
    report(placeOf(tree, ['dataset', 'split']), 'dataset.split is set twice: here and in dataset.options; remove one')
  const movedTree = put(tree, { ...move(tree, 'split', ['options', 'split']), join: replace }, report)
  return changeEntries(movedTree, ['dataset'], (key, value) => (key === 'split' ? undefined : value))
}

/** Moves a key of the dataset. */
function move(tree: Tree, key: string, to: readonly string[]) {
  const from = ['dataset', key]
  return { part: tree, from, key: from, to: ['dataset', ...to] }
}
