import { valueOf } from '../basics/collections.ts'
import { variantOf, unknownName } from '../text/names.ts'
import type { VariedValue } from '../records.ts'
import { type PlanContext, askedMethods, checkOptions, type LabelledPlugIn, selectLabelled } from './select-plug-in.ts'
import { oneLine, type ReportError } from './error-list.ts'
import { parseLocated } from './parse-located.ts'
import type { Budget } from '../types.ts'
import { child, descend, plainValue, type Located, type LocatedMapping } from './located-value.ts'
import type { Plan, PlannedMethod, PlannedScorer } from './plan.ts'
import { recordOf } from './record.ts'
import { ownBudget } from './schema.ts'
import { methodVariants, type Variant } from './vary.ts'

/** Every variant of the methods of a run, and the labels of those that are asked. Mistakes are reported. */
export async function planMethods(
  run: Variant,
  { asked, budget }: { readonly asked: readonly string[]; readonly budget: Budget | undefined },
  context: PlanContext,
): Promise<Pick<Plan, 'methods' | 'asked'> & { readonly record: readonly unknown[] }> {
  const unloaded: Parameters<ReportError>[] = []
  const reportFile: ReportError = (...fault) => void unloaded.push(fault)
  const chosen = await selectLabelled('method', child(run.node, 'methods'), { ...context, reportFile })
  // a file that cannot be loaded is no mistake where only rows name it that --methods leaves out
  const isLeftOut = asked.length > 0 && asked.every((name) => chosen.some(({ label }) => label === name))
  if (!isLeftOut) for (const fault of unloaded) context.report(...fault)
  // a misspelt list is one mistake, not one for every name that refers to it
  if (chosen.length === 0) return { methods: [], asked: null, record: [] }
  const variants = methodVariants(chosen, run, context.report)
  const planned = chosen.map((method) => {
    const isRun = asked.length === 0 || asked.includes(method.label)
    const rowContext = isRun ? context : { ...context, reportFile: () => undefined }
    return planVariants(method, budget, run.varied, valueOf(variants, method), rowContext)
  })
  return {
    methods: (await Promise.all(planned)).flat(),
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
      return planned
        ? [{ planned: { ...planned, label: scorer.label }, entry: { ...scorer.record, ...planned.record } }]
        : []
    }),
  )
  return { scorers: scorers.flat().map(({ planned }) => planned), record: scorers.flat().map(({ entry }) => entry) }
}

async function planVariants(
  method: LabelledPlugIn,
  ofAll: Budget | undefined,
  ofRun: readonly VariedValue[],
  variants: readonly Variant<LocatedMapping>[],
  context: PlanContext,
): Promise<readonly PlannedMethod[]> {
  if (variants.some(({ varied }) => varied.length > 0)) checkWritten(method, context)
  const given = method.record['budget']
  const { passages, tokens } = ownBudget.safeParse(given).data ?? {}
  const own =
    given !== undefined && ofAll
      ? { budget: { passages: passages ?? ofAll.passages, tokens: tokens ?? ofAll.tokens } }
      : {}
  const planned = await Promise.all(
    variants.map(async ({ varied: changed, node }) => {
      const one = await checkOptions(method, node, context)
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
  parseLocated(
    item.options,
    { ...context, node: options, path, besides },
    ({ code, path: place }) => code !== 'custom' && place.length > 0 && descend(options, place) !== undefined,
  )
}

/** The options before they are varied; they may lack what is varied, and then stand without defaults. */
async function recordMethod(method: LabelledPlugIn, context: PlanContext): Promise<unknown> {
  const { data }: { data?: unknown } = method.item.options.safeParse(plainValue(method.options))
  // what is wrong with them is reported where the row is planned
  const silent = { ...context, report: () => undefined }
  const asked = data === undefined ? undefined : await askedMethods(method, method.options, data, silent)
  return {
    ...method.record,
    ...recordOf(method.options, asked?.recorded ?? data, context.hide),
  }
}
