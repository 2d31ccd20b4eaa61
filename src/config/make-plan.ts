import { scrubError } from '../basics/secrets.ts'
import { rowNamed, nearest } from '../text/names.ts'
import {
  change,
  child,
  descend,
  emptyMapping,
  isExpanded,
  writtenText,
  type ReportError,
  type Located,
  type LocatedEntry,
} from './located-value.ts'
import type { Menus, Plan, PlannedCompare, ReadSettings } from './plan.ts'
import { parseLocated } from './parse-located.ts'
import { expandEnvironment, recordOf } from './secrets.ts'
import { type Config, budgetOf, configSchema } from './schema.ts'
import { train, trainingOf } from './schema-parts.ts'
import type { Variant } from './vary.ts'
import { planDataset, planMethods, planModels, planScorers } from './plan-plug-ins.ts'
import { planPrompts, promptsRecord } from './plan-prompts.ts'
import type { Row } from '../records.ts'
import type { PlanContext } from './select-plug-in.ts'

/**
 * The plan of one run of a config, everything checked, and how the rows of all runs are compared. Mistakes are
 * reported; undefined where there is no plan for them.
 */
export async function makePlan(
  { node, varied }: Variant,
  { environment, methods: asked = [] }: Pick<ReadSettings, 'environment' | 'methods'>,
  menus: Menus,
  report: ReportError,
): Promise<
  { readonly plan: Plan; readonly compareOf: (rows: readonly Row[]) => PlannedCompare | undefined } | undefined
> {
  const root = labelsAsWritten(withOwnData(expandEnvironment(node, environment, report), report))
  const context = { menus, report }
  const config = parseLocated(configSchema, { ...context, node: root, path: [], besides: [] })
  const name = child(root, 'name')
  if (name && isExpanded(name))
    report(
      name.at,
      'name: must not hold a variable of the environment, since it names a folder; write it out, or give it with --set name=…',
    )
  const dataset = await planDataset(root, context)
  const models = await planModels(root, context)
  const budget = config && budgetOf(config)
  const methods = await planMethods({ node: root, varied }, { asked, budget }, context)
  const scorers = await planScorers(root, context)
  const prompts = await planPrompts(root, context)
  if (!config || !budget || !dataset || !models || root.kind !== 'mapping') return undefined
  const { answers, chunks, concurrency, limits, repeats, seed, train: training } = config
  const judgeRuns = config.judgeRuns ?? (config.scorers ? 5 : 1)
  const record = { ...recordOf(root, config) }
  delete record.$schema
  const plan: Plan = {
    name: config.name,
    chunks,
    budget,
    judgeRuns,
    seed,
    concurrency,
    limits,
    train: trainingOf(training ?? train.parse({})),
    repeats: typeof repeats === 'number' ? repeats : repeats.count,
    indexPerRepeat: typeof repeats === 'number' || repeats.index,
    ...(config.budget.passages === undefined && { usualPassages: true as const }),
    ...(answers && { answers }),
    dataset: dataset.planned,
    models: models.planned,
    prompts,
    methods: methods.planned,
    ...(scorers && { scorers: scorers.planned }),
    varied,
    asked: methods.asked,
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
  return { plan, compareOf: (rows) => planCompare(root, config.compare, rows, context) }
}

/** How rows are to be compared; a baseline that is no row is reported. Undefined where the config does not say. */
function planCompare(
  root: Located,
  compare: Config['compare'],
  rows: readonly Row[],
  { report }: PlanContext,
): PlannedCompare | undefined {
  if (!compare) return undefined
  const { baseline: name, metric, margin } = compare
  const nodeOf = (key: string): Located | undefined => child(child(root, 'compare'), key)
  const baseline = name === undefined ? undefined : rowNamed(name, rows)
  if (typeof baseline === 'string') {
    report(nodeOf('baseline')?.at ?? root.at, `compare.baseline: ${scrubError(baseline)}`)
    return undefined
  }
  return {
    ...(baseline && { baseline }),
    ...(metric !== undefined && {
      metric: {
        name: metric,
        shown: writtenText(nodeOf('metric')) ?? metric,
        at: nodeOf('metric')?.at.text ?? root.at.text,
      },
    }),
    ...(margin !== undefined && { margin }),
  }
}

/** Keys of a dataset that are not options of `files`. */
const besides = ['use', 'path', 'split', 'limit', 'onBadRecord', 'options']

/**
 * The config with `dataset: { documents, questions, … }` written out as the dataset `files`. Reports documents that are
 * no path.
 */
function withOwnData(root: Located, report: ReportError): Located {
  const dataset = child(root, 'dataset')
  if (root.kind !== 'mapping' || dataset?.kind !== 'mapping') return root
  const { entries } = dataset
  const use = child(dataset, 'use')
  if (use && !(entries.has('documents') && use.kind === 'scalar' && use.value === 'files')) return root
  const name = entries.has('documents') ? 'documents' : nearest('documents', entries.keys())
  const documents = entries.get(name ?? 'questions')
  if (!documents) return root
  if (name !== 'documents')
    report(
      documents.key,
      `"dataset.documents" is missing: the folder of your documents${name === undefined ? '' : `; rename "${name}"`}`,
    )
  if (entries.has('path')) report(documents.key, 'dataset.documents and dataset.path name the same: remove one')
  if (documents.value.kind !== 'scalar' || typeof documents.value.value !== 'string' || documents.value.value === '')
    report(documents.value.at, 'dataset.documents must be the path of a folder or file')
  const own = child(dataset, 'options') ?? emptyMapping(dataset.at)
  const beside = [...entries].filter(([key]) => key !== (name ?? 'documents') && !besides.includes(key))
  const options = own.kind === 'mapping' ? { ...own, entries: new Map([...own.entries, ...beside]) } : own
  const entryOf = (value: Located): LocatedEntry => ({ key: documents.key, value })
  const written = new Map([
    ...[...entries].filter(([key]) => besides.includes(key)),
    ['use', entryOf({ kind: 'scalar', at: dataset.at, value: 'files' })] as const,
    ['path', entryOf(documents.value)] as const,
    ['options', entryOf(options)] as const,
  ])
  const plain = { ...dataset, entries: written }
  return { ...root, entries: new Map(root.entries).set('dataset', { key: dataset.at, value: plain }) }
}

/** The config in which labels of numbers, and of true and false, are texts as they were written: 007, 1.10. */
function labelsAsWritten(root: Located): Located {
  const labels = ['methods', 'scorers'].flatMap((kind) => {
    const list = child(root, kind)
    return list?.kind === 'list' ? list.items.map((_, index) => [kind, String(index), 'label']) : []
  })
  return [...labels, ['compare', 'baseline']].reduce<Located>((whole, path) => {
    const label = descend(whole, path)
    if (label?.kind !== 'scalar' || label.source === undefined) return whole
    const { at, source: value } = label
    return change(whole, { at, path, value: () => ({ kind: 'scalar', at, value }) }, () => undefined)
  }, root)
}
