import { variantOf, unknownName } from '../../text/names.ts'
import type { VariedValue } from '../../records.ts'
import { type PlanContext, askedMethods, checkOptions, type LabelledPlugIn, selectLabelled } from './select-plug-in.ts'
import { oneLine } from '../errors/error-list.ts'
import { reportIssues } from '../errors/report-issues.ts'
import type { Budget } from '../../types.ts'
import { child, descend, plainValue, type Located } from '../source/located-value.ts'
import type { Plan, PlannedMethod, PlannedScorer } from './plan.ts'
import { recordOf } from '../record/record.ts'
import { ownBudget } from '../schema.ts'
import { variants, type Variant } from './vary.ts'

/** Every variant of the methods that are asked. `varied`: what is varied of the config. Mistakes are reported. */
export async function planMethods(
  root: Located,
  {
    asked,
    varied: ofRun,
    budget,
  }: { readonly asked: readonly string[]; readonly varied: readonly VariedValue[]; readonly budget?: Budget },
  context: PlanContext,
): Promise<Pick<Plan, 'methods' | 'asked'> & { readonly record: readonly unknown[] }> {
  const chosen = await selectLabelled('method', child(root, 'methods'), context)
  // a misspelt list is one mistake, not one for every name that refers to it
  if (chosen.length === 0) return { methods: [], asked: null, record: [] }
  const varied = variants(chosen, child(root, 'vary'), context.report)
  refuseSameNames(chosen, varied, ofRun, context)
  return {
    methods: (
      await Promise.all(chosen.map((method) => planVariants(method, budget, ofRun, varied.get(method) ?? [], context)))
    ).flat(),
    asked: asked.length === 0 ? null : keep(asked, chosen, context),
    record: await Promise.all(chosen.map((method) => recordMethod(method, context))),
  }
}

/** The scorers, in order, and how they stand in the record; undefined when the config names none. */
export async function planScorers(
  root: Located,
  context: PlanContext,
): Promise<{ scorers: readonly PlannedScorer[]; record: readonly unknown[] } | undefined> {
  const list = child(root, 'scorers')
  if (!list) return undefined
  const chosen = await selectLabelled('scorer', list, context)
  const scorers = await Promise.all(
    chosen.map(async (scorer) => {
      const planned = await checkOptions(scorer, scorer.options, context)
      return planned ? [{ ...planned, label: scorer.label }] : []
    }),
  )
  const record = await Promise.all(chosen.map((scorer) => recordMethod(scorer, context)))
  return { scorers: scorers.flat(), record }
}

async function planVariants(
  method: LabelledPlugIn,
  ofAll: Budget | undefined,
  ofRun: readonly VariedValue[],
  variants: readonly Variant[],
  context: PlanContext,
): Promise<readonly PlannedMethod[]> {
  if (variants.some(({ varied }) => varied.length > 0)) checkWritten(method, context)
  const { passages, tokens } = (method.budget && ownBudget.safeParse(plainValue(method.budget)).data) ?? {}
  const own =
    method.budget && ofAll ? { budget: { passages: passages ?? ofAll.passages, tokens: tokens ?? ofAll.tokens } } : {}
  const planned = await Promise.all(
    variants.map(async ({ varied: changed, options }) => {
      const one = await checkOptions(method, options, context)
      const varied = [...ofRun, ...changed]
      return one ? [{ ...one, label: method.label, variant: variantOf(varied), varied, ...own }] : []
    }),
  )
  const all = planned.flat()
  const shared = all.length > 1 ? method.item.shares?.(all.map(({ options }) => options)) : undefined
  if (!shared || Object.keys(shared).length === 0) return all
  return all.map((one) => ({
    ...one,
    options: { ...(one.options as object), ...shared },
    record: { ...one.record, ...shared },
  }))
}

/** A key of the config and an option of one name would share a column of the tables. */
function refuseSameNames(
  chosen: readonly LabelledPlugIn[],
  variants: ReadonlyMap<LabelledPlugIn, readonly Variant[]>,
  ofRun: readonly VariedValue[],
  { report }: PlanContext,
): void {
  for (const method of chosen)
    for (const { option } of variants.get(method)?.[0]?.varied ?? [])
      if (ofRun.some((other) => other.option === option))
        report(
          method.at,
          `"${option}" of ${method.shown} and "${option}" of the config are both varied; vary one of them`,
        )
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

/** Reports what is wrong with a value of which every variant has another; a missing one may be varied. */
function checkWritten({ item, options, path, besides }: LabelledPlugIn, context: PlanContext): void {
  const { error } = item.options.safeParse(plainValue(options))
  const issues = (error?.issues ?? []).filter(
    ({ code, path: place }) => code !== 'custom' && place.length > 0 && descend(options, place) !== undefined,
  )
  const { options: schema, former } = item
  reportIssues(issues, { ...context, node: options, schema, path, besides, ...(former && { former }) })
}

/** The options before they are varied; they may lack what is varied, and then stand without defaults. */
async function recordMethod(method: LabelledPlugIn, context: PlanContext): Promise<unknown> {
  const { data }: { data?: unknown } = method.item.options.safeParse(plainValue(method.options))
  // what is wrong with them is reported where the row is planned
  const silent = { ...context, report: () => undefined }
  const asked = data === undefined ? undefined : await askedMethods(method, method.options, data, silent)
  return {
    use: method.use,
    ...(method.labelled && { label: method.shown }),
    ...(method.budget && { budget: plainValue(method.budget) }),
    ...recordOf(method.options, asked?.recorded ?? data, context.hide),
  }
}
