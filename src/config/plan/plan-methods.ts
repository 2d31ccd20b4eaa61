import { unknownName } from '../text/nearest.ts'
import type { Desk } from './choose.ts'
import { checkOptions } from './choose.ts'
import type { Labelled } from './choose-labelled.ts'
import { chooseLabelled } from './choose-labelled.ts'
import { oneLine } from './mistakes.ts'
import type { Placed } from './placed.ts'
import { child, plain } from './placed.ts'
import type { Plan, PlannedMethod, PlannedScorer } from './plan.ts'
import { recordOf } from './record.ts'
import type { Variant } from './vary.ts'
import { variants } from './vary.ts'

/** Every variant of every method, those asked for, and how the methods stand in the record. Mistakes are reported. */
export async function planMethods(
  root: Placed,
  asked: readonly string[],
  desk: Desk,
): Promise<Pick<Plan, 'methods' | 'asked'> & { readonly record: readonly unknown[] }> {
  const chosen = await chooseLabelled('method', child(root, 'methods'), desk)
  // a misspelt list is one mistake, not one for every name that refers to it
  if (chosen.length === 0) return { methods: [], asked: null, record: [] }
  const varied = variants(chosen, child(root, 'vary'), desk.report)
  return {
    methods: chosen.flatMap((method) => planVariants(method, varied.get(method) ?? [], desk)),
    asked: asked.length === 0 ? null : keep(asked, chosen, desk),
    record: chosen.map((method) => recordMethod(method, desk)),
  }
}

/** The scorers, in order, and how they stand in the record; undefined when the config names none. */
export async function planScorers(
  root: Placed,
  desk: Desk,
): Promise<{ scorers: readonly PlannedScorer[]; record: readonly unknown[] } | undefined> {
  const list = child(root, 'scorers')
  if (!list) return undefined
  const chosen = await chooseLabelled('scorer', list, desk)
  const scorers = chosen.flatMap((scorer) => {
    const planned = checkOptions(scorer, scorer.options, desk)
    return planned ? [{ ...planned, label: scorer.label }] : []
  })
  return { scorers, record: chosen.map((scorer) => recordMethod(scorer, desk)) }
}

function planVariants(method: Labelled, varied: readonly Variant[], desk: Desk): PlannedMethod[] {
  return varied.flatMap(({ variant, options }) => {
    const planned = checkOptions(method, options, desk)
    return planned ? [{ ...planned, label: method.label, variant }] : []
  })
}

function keep(asked: readonly string[], chosen: readonly Labelled[], desk: Desk): readonly string[] {
  const known = chosen.map(({ shown }) => shown)
  for (const name of asked) {
    if (chosen.some(({ label }) => label === name)) continue
    desk.report(`--methods ${oneLine(name)}`, unknownName('method', oneLine(name), known))
  }
  return chosen.map(({ label }) => label).filter((label) => asked.includes(label))
}

/** The options before they are varied; they may lack what is varied, and then stand without defaults. */
function recordMethod(method: Labelled, desk: Desk): unknown {
  const parsed = method.item.options.safeParse(plain(method.options))
  return {
    use: method.use,
    ...(method.labelled && { label: method.shown }),
    ...recordOf(method.options, parsed.data, desk.hide),
  }
}
