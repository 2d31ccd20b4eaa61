import { variantOf } from '../../basics/row-name.ts'
import type { ErrorList, ReportError } from '../errors/error-list.ts'
import { reportIssues } from '../errors/report-issues.ts'
import { recordOf } from '../record/record.ts'
import type { Config } from '../schema.ts'
import { configSchema } from '../schema.ts'
import { train, trainingOf } from '../train-schema.ts'
import { expandEnvironment } from '../source/expand-environment.ts'
import { child, isExpanded, plainValue, type Located } from '../source/located-value.ts'
import type { ConfigRun } from './config-runs.ts'
import { planCompare } from './plan-compare.ts'
import { withOwnData } from './own-data.ts'
import { planDataset } from './plan-dataset.ts'
import { planMethods, planScorers } from './plan-methods.ts'
import { planModels } from './plan-models.ts'
import type { Menus, Plan } from './plan.ts'

/**
 * The plan of one of the runs of a config: variables filled in, every plug-in found, every option checked. A baseline may be a row of any of
 * the runs. Throws UserError with the mistakes of the list.
 */
export async function makePlan(
  { root: written, varied }: ConfigRun,
  runs: readonly Pick<ConfigRun, 'varied'>[],
  settings: {
    readonly environment: Readonly<Record<string, string | undefined>>
    readonly methods?: readonly string[]
  },
  menus: Menus,
  errors: ErrorList,
): Promise<Plan> {
  const { root: filled, hide } = expandEnvironment(written, settings.environment, errors.report)
  const root = withOwnData(filled, errors.report)
  const context = { menus, hide, report: errors.report }
  const config = checkShape(root, context)
  const name = child(root, 'name')
  if (name && isExpanded(name))
    errors.report(
      name.at,
      'name: must not hold a variable of the environment, since it names a folder; write it out, or give it with --set name=…',
    )
  const dataset = await planDataset(root, context)
  const models = await planModels(root, context)
  const methods = await planMethods(root, { asked: settings.methods ?? [], varied }, context)
  const scorers = await planScorers(root, context)
  const rows = methods.methods.flatMap(({ label: method, varied: all }) =>
    runs.map((run) => ({ method, variant: variantOf([...run.varied, ...all.slice(varied.length)]) })),
  )
  const compare = rows.length === 0 ? undefined : planCompare(root, config?.compare, rows, context)
  errors.stop()
  if (!config || !dataset || !models || root.kind !== 'mapping')
    throw new Error('an error in a config was not reported')
  const { chunks, budget, answers, repeats, judgeRuns, seed, concurrency, limits, train: training } = config
  const record = { ...recordOf(root, config, hide) }
  delete record.$schema
  return {
    ...{ name: config.name, chunks, budget, judgeRuns, seed, concurrency, limits },
    train: trainingOf(training ?? train.parse({})),
    ...repeatsOf(repeats),
    ...(answers && { answers }),
    dataset: dataset.dataset,
    models: models.models,
    methods: methods.methods,
    ...(scorers && { scorers: scorers.scorers }),
    ...(compare && { compare }),
    varied,
    asked: methods.asked,
    record: {
      ...record,
      dataset: dataset.record,
      models: models.record,
      methods: methods.record,
      ...(scorers && { scorers: scorers.record }),
    },
    sources: [],
  }
}

const repeatsOf = (repeats: Config['repeats']): Pick<Plan, 'repeats' | 'indexPerRepeat'> =>
  typeof repeats === 'number'
    ? { repeats, indexPerRepeat: true }
    : { repeats: repeats.count, indexPerRepeat: repeats.index }

/** The config in the shape of the schema; undefined where it is not, which is reported. */
export function checkShape(
  root: Located,
  context: { readonly report: ReportError; readonly hide: (text: string) => string },
): Config | undefined {
  const result = configSchema.safeParse(plainValue(root))
  if (!result.success)
    reportIssues(result.error.issues, { ...context, node: root, schema: configSchema, path: [], besides: [] })
  return result.data
}
