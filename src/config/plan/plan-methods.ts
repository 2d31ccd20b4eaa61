import { unknownName } from '../../text/nearest.ts'
import type { PlanContext } from './select-plug-in.ts'
import { checkOptions } from './select-plug-in.ts'
import type { LabelledPlugIn } from './select-labelled.ts'
import { selectLabelled } from './select-labelled.ts'
import { oneLine } from '../errors/error-list.ts'
import { reportIssues } from '../errors/report-issues.ts'
import type { Located } from '../source/located-value.ts'
import { child, descend, plainValue } from '../source/located-value.ts'
import type { Plan, PlannedMethod, PlannedScorer } from './plan.ts'
import { recordOf } from '../record/record.ts'
import type { Variant } from './vary.ts'
import { variants } from './vary.ts'

/** Every variant of every method, those asked for, and how the methods stand in the record. Mistakes are reported. */
export async function planMethods(
  root: Located,
  asked: readonly string[],
  context: PlanContext,
): Promise<Pick<Plan, 'methods' | 'asked'> & { readonly record: readonly unknown[] }> {
  const chosen = await selectLabelled('method', child(root, 'methods'), context)
  // a misspelt list is one mistake, not one for every name that refers to it
  if (chosen.length === 0) return { methods: [], asked: null, record: [] }
  const varied = variants(chosen, child(root, 'vary'), context.report)
  return {
    methods: chosen.flatMap((method) => planVariants(method, varied.get(method) ?? [], context)),
    asked: asked.length === 0 ? null : keep(asked, chosen, context),
    record: chosen.map((method) => recordMethod(method, context)),
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
  const scorers = chosen.flatMap((scorer) => {
    const planned = checkOptions(scorer, scorer.options, context)
    return planned ? [{ ...planned, label: scorer.label }] : []
  })
  return { scorers, record: chosen.map((scorer) => recordMethod(scorer, context)) }
}

function planVariants(method: LabelledPlugIn, varied: readonly Variant[], context: PlanContext): PlannedMethod[] {
  if (varied.some(({ variant }) => variant !== '')) checkWritten(method, context)
  return varied.flatMap(({ variant, options }) => {
    const planned = checkOptions(method, options, context)
    return planned ? [{ ...planned, label: method.label, variant }] : []
  })
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

/** Reports what is wrong with a value that stands in the config, though every variant has another in its place; a missing one may be varied alone. */
function checkWritten({ item, options, path, besides }: LabelledPlugIn, context: PlanContext): void {
  const { error } = item.options.safeParse(plainValue(options))
  const issues = (error?.issues ?? []).filter(
    ({ code, path: place }) => code !== 'custom' && place.length > 0 && descend(options, place) !== undefined,
  )
  reportIssues(issues, { ...context, node: options, schema: item.options, path, besides })
}

/** The options before they are varied; they may lack what is varied, and then stand without defaults. */
function recordMethod(method: LabelledPlugIn, context: PlanContext): unknown {
  const parsed = method.item.options.safeParse(plainValue(method.options))
  return {
    use: method.use,
    ...(method.labelled && { label: method.shown }),
    ...recordOf(method.options, parsed.data, context.hide),
  }
}
