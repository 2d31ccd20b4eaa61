import { valueOf } from '../basics/collections.ts'
import { mapRoles, type ByRole } from '../basics/roles.ts'
import type { VariedValue } from '../records.ts'
import { unknownName, variantOf } from '../text/names.ts'
import type { Budget } from '../types.ts'
import {
  absolutePath,
  child,
  descend,
  oneLine,
  type Located,
  type LocatedMapping,
  type ReportError,
} from './located-value.ts'
import { parseLocated } from './parse-located.ts'
import type { Plan, Planned, PlannedDataset, PlannedMethod, PlannedScorer } from './plan.ts'
import { recordOf } from './secrets.ts'
import { defaultModels, ownBudget } from './schema.ts'
import { checkOptions, selectLabelled, selectPlugIn, type LabelledPlugIn, type PlanContext } from './select-plug-in.ts'
import { methodVariants, type Variant } from './vary.ts'

/** A part of the plan, and how it stands in the record of the config. */
interface Recorded<T, R = unknown> {
  readonly planned: T
  readonly record: R
}

/** The dataset. Undefined when it has mistakes, which are reported. */
export async function planDataset(root: Located, context: PlanContext): Promise<Recorded<PlannedDataset> | undefined> {
  const node = child(root, 'dataset')
  if (descend(node, ['options', 'split']) && child(node, 'split'))
    context.report(
      descend(node, ['split'])?.at ?? root.at,
      'dataset.split is set twice: here and in dataset.options; remove one',
    )
  const choice = await selectPlugIn('dataset', node, ['dataset'], context)
  const planned = choice && (await checkOptions(choice, choice.options, context))
  if (!planned) return undefined
  const path = child(node, 'path')
  const limit = child(node, 'limit')
  const onBadRecord = child(node, 'onBadRecord')
  return {
    planned: {
      ...planned,
      ...(path?.kind === 'scalar' && { path: absolutePath(String(path.value), path) }),
      ...(limit?.kind === 'scalar' && { limit: Number(limit.value) }),
      ...(onBadRecord?.kind === 'scalar' && { onBadRecord: onBadRecord.value === 'skip' ? 'skip' : 'stop' }),
    },
    record: { ...choice.record, options: planned.record },
  }
}

/** A model for each role, the complete model by default. Undefined, and reported, when a role has mistakes. */
export async function planModels(
  root: Located,
  context: PlanContext,
): Promise<Recorded<Plan['models'], ByRole<unknown>> | undefined> {
  const modelOf = (role: Role) => planModel(role, root, context)
  const isNamed = (role: Role): boolean => descend(root, ['models', role]) !== undefined
  const complete = await modelOf('complete')
  const embed = await modelOf('embed')
  const judge = isNamed('judge') ? await modelOf('judge') : complete
  const answer = isNamed('answer') && (await modelOf('answer'))
  const rerank = isNamed('rerank') && (await modelOf('rerank'))
  if (!complete || !embed || !judge || answer === undefined || rerank === undefined) return undefined
  const all = { complete, embed, judge, ...(answer && { answer }), ...(rerank && { rerank }) }
  return { planned: mapRoles(all, ({ planned }) => planned), record: mapRoles(all, ({ record }) => record) }
}

/** The prices that a model in a role must have where it has any. */
const prices = { complete: ['prompt', 'completion'], embed: ['embedding'], rerank: ['prompt'] } as const

const abilities = {
  complete: 'complete',
  answer: 'complete',
  judge: 'complete',
  embed: 'embed',
  rerank: 'rerank',
} as const

type Role = keyof typeof abilities

async function planModel(role: Role, root: Located, context: PlanContext): Promise<Recorded<Planned> | undefined> {
  const path = ['models', role]
  const standard: Located = {
    kind: 'scalar',
    at: root.at,
    value: defaultModels[role === 'embed' ? 'embed' : 'complete'],
  }
  const choice = await selectPlugIn('model', descend(root, path) ?? standard, path, context)
  if (!choice) return undefined
  const ability = abilities[role]
  if (!choice.item.can?.includes(ability)) {
    const able = (await context.menus.models.all()).filter(({ can }) => can.includes(ability)).map(({ name }) => name)
    context.report(choice.at, `${path.join('.')}: "${choice.record.use}" cannot ${ability} (can: ${able.join(', ')})`)
    return undefined
  }
  const price = descend(choice.options, ['price'])
  const lacking = price?.kind === 'mapping' ? prices[ability].filter((kind) => !price.entries.has(kind)) : []
  for (const kind of lacking)
    context.report(price?.at ?? choice.at, `"${[...path, 'price', kind].join('.')}" is missing`)
  const planned = await checkOptions(choice, choice.options, context)
  return planned && lacking.length === 0 ? { planned, record: { ...choice.record, ...planned.record } } : undefined
}

/** Every variant of the methods of a run, and the labels of those that are asked. Mistakes are reported. */
export async function planMethods(
  run: Variant,
  { asked, budget }: { readonly asked: readonly string[]; readonly budget: Budget | undefined },
  context: PlanContext,
): Promise<Recorded<readonly PlannedMethod[], readonly unknown[]> & Pick<Plan, 'asked'>> {
  const unloaded: Parameters<ReportError>[] = []
  const reportFile: ReportError = (...fault) => void unloaded.push(fault)
  const chosen = await selectLabelled('method', child(run.node, 'methods'), { ...context, reportFile })
  // a file that cannot be loaded is no mistake where only rows name it that --methods leaves out
  const isLeftOut = asked.length > 0 && asked.every((name) => chosen.some(({ label }) => label === name))
  if (!isLeftOut) for (const fault of unloaded) context.report(...fault)
  // a misspelt list is one mistake, not one for every name that refers to it
  if (chosen.length === 0) return { planned: [], asked: null, record: [] }
  const variants = methodVariants(chosen, run, context.report)
  const rows = await Promise.all(
    chosen.map((method) => {
      const isRun = asked.length === 0 || asked.includes(method.label)
      const rowContext = isRun ? context : { ...context, reportFile: () => undefined }
      return planVariants(method, budget, run.varied, valueOf(variants, method), rowContext)
    }),
  )
  return {
    planned: rows.flatMap(({ planned }) => planned),
    asked: asked.length === 0 ? null : keep(asked, chosen, context),
    record: rows.map(({ record }) => record),
  }
}

/** The rows of a method; recorded are its options before they are varied, which may lack what is varied. */
async function planVariants(
  method: LabelledPlugIn,
  ofAll: Budget | undefined,
  ofRun: readonly VariedValue[],
  variants: readonly Variant<LocatedMapping>[],
  context: PlanContext,
): Promise<Recorded<readonly PlannedMethod[]>> {
  const { label, item, options, path, besides } = method
  const isVaried = variants.some(({ varied }) => varied.length > 0)
  // of a value of which every variant has another; a missing one may be varied
  if (isVaried)
    parseLocated(
      item.options,
      { ...context, node: options, path, besides },
      (issue) => issue.code !== 'custom' && issue.path.length > 0 && descend(options, issue.path) !== undefined,
    )
  const given = method.record['budget']
  const { passages, tokens } = ownBudget.safeParse(given).data ?? {}
  const own =
    given !== undefined && ofAll
      ? { budget: { passages: passages ?? ofAll.passages, tokens: tokens ?? ofAll.tokens } }
      : {}
  const rows = await Promise.all(
    variants.map(async ({ varied: changed, node }) => {
      const planned = await checkOptions(method, node, context)
      const varied = [...ofRun, ...changed]
      return planned ? [{ ...planned, label, variant: variantOf(varied), varied, ...own }] : []
    }),
  )
  const all = rows.flat()
  const silent = { ...context, report: () => undefined }
  const base = isVaried ? await checkOptions(method, options, silent) : all[0]
  const record = { ...method.record, ...(base?.record ?? recordOf(options, undefined)) }
  const shared = all.length > 1 ? item.shares?.(all.map((row) => row.options)) : undefined
  if (!shared || Object.keys(shared).length === 0) return { planned: all, record }
  const planned = all.map((row) => ({
    ...row,
    options: { ...(row.options as object), ...shared },
    record: { ...row.record, ...shared },
  }))
  return { planned, record }
}

function keep(asked: readonly string[], chosen: readonly LabelledPlugIn[], context: PlanContext): readonly string[] {
  const known = chosen.map(({ shown }) => shown)
  for (const name of asked) {
    if (chosen.some(({ label }) => label === name)) continue
    context.report(
      `--methods ${oneLine(name)}`,
      `the config has no such row; ${unknownName('method', oneLine(name), known)}`,
    )
  }
  return chosen.map(({ label }) => label).filter((label) => asked.includes(label))
}

/** The scorers, in order; undefined when the config names none. */
export async function planScorers(
  root: Located,
  context: PlanContext,
): Promise<Recorded<readonly PlannedScorer[], readonly unknown[]> | undefined> {
  const list = child(root, 'scorers')
  if (!list) return undefined
  const chosen = await selectLabelled('scorer', list, context)
  const scorers = await Promise.all(
    chosen.map(async (scorer) => {
      const planned = await checkOptions(scorer, scorer.options, context)
      return planned
        ? [{ planned: { ...planned, label: scorer.label }, record: { ...scorer.record, ...planned.record } }]
        : []
    }),
  )
  return { planned: scorers.flat().map(({ planned }) => planned), record: scorers.flat().map(({ record }) => record) }
}
