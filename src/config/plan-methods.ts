import { itemAt, valueOf } from '../basics/collections.ts'
import { variantOf, unknownName } from '../text/names.ts'
import type { VariedValue } from '../records.ts'
import { type PlanContext, askedMethods, checkOptions, type LabelledPlugIn, selectLabelled } from './select-plug-in.ts'
import { oneLine, type ReportError } from './error-list.ts'
import { parseLocated } from './parse-located.ts'
import type { Budget } from '../types.ts'
import {
  child,
  descend,
  plainValue,
  type Located,
  type SourceLocation,
  type LocatedMapping,
} from './located-value.ts'
import type { Plan, PlannedMethod, PlannedScorer } from './plan.ts'
import { recordOf, isSecretKey } from './record.ts'
import { ownBudget, variableKeys, type Design } from './schema.ts'
import { change } from './located-value.ts'
import { designed, designOf, isConfigKey, noneTwice, variedText } from './config-runs.ts'

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
  const unloaded: Parameters<ReportError>[] = []
  const reportFile: ReportError = (...fault) => void unloaded.push(fault)
  const chosen = await selectLabelled('method', child(root, 'methods'), { ...context, reportFile })
  // a file that cannot be loaded is no mistake where only rows name it that --methods leaves out
  const isLeftOut = asked.length > 0 && asked.every((name) => chosen.some(({ label }) => label === name))
  if (!isLeftOut) for (const fault of unloaded) context.report(...fault)
  // a misspelt list is one mistake, not one for every name that refers to it
  if (chosen.length === 0) return { methods: [], asked: null, record: [] }
  const varied = variants(chosen, root, context.report)
  refuseSameNames(chosen, varied, ofRun, context)
  const planned = chosen.map((method) => {
    const isRun = asked.length === 0 || asked.includes(method.label)
    const rowContext = isRun ? context : { ...context, reportFile: () => undefined }
    return planVariants(method, budget, ofRun, valueOf(varied, method), rowContext)
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
  variants: readonly Variant[],
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
    for (const { option } of valueOf(variants, method)[0]?.varied ?? [])
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

/** One set of options of a method, and the values of those that were varied. */
interface Variant {
  readonly varied: readonly VariedValue[]
  readonly options: LocatedMapping
}

interface Dimension {
  readonly option: string
  readonly at: SourceLocation
  readonly methods: readonly LabelledPlugIn[]
  readonly values: readonly Located[]
}

const mostVariants = 1000

/** The variants of a method: the combinations of its varied options that the design chooses. */
function variants(
  methods: readonly LabelledPlugIn[],
  root: Located,
  report: ReportError,
): ReadonlyMap<LabelledPlugIn, readonly Variant[]> {
  const vary = child(root, 'vary')
  const dimensions = vary?.kind === 'mapping' ? readDimensions(vary, methods, report) : []
  const design = designOf(root)
  return new Map(
    methods.map((method) => {
      const own = dimensions.filter((dimension) => dimension.methods.includes(method))
      return [method, combine(method, own, design, report)]
    }),
  )
}

/** What the schema of the config reports already, an odd key or no list, is left out. */
function readDimensions(
  vary: LocatedMapping,
  methods: readonly LabelledPlugIn[],
  report: ReportError,
): readonly Dimension[] {
  return [...vary.entries].flatMap(([key, { key: at, value }]) => {
    if (value.kind !== 'list' || !/^.+\.[^.]+$/s.test(key)) return []
    const target = targetOf(key, methods)
    if (!target) {
      const [name = key] = key.split('.')
      const known = [...new Set(methods.map(({ shown }) => shown)), ...variableKeys]
      if (!isConfigKey(key)) report(at, unknownName('method or key of the config', oneLine(name), known))
      return []
    }
    const dimension = { ...target, at, values: value.items }
    return isSound(dimension, report) ? [dimension] : []
  })
}

/** A label before a method's name, for labels are the narrower; the longest, for they may hold dots. */
function targetOf(key: string, methods: readonly LabelledPlugIn[]): Pick<Dimension, 'option' | 'methods'> | undefined {
  const names = (nameOf: (method: LabelledPlugIn) => string) =>
    methods
      .map(nameOf)
      .filter((name) => key.startsWith(`${name}.`))
      .sort((a, b) => b.length - a.length)
  const [label] = names((method) => method.label)
  const [use] = names((method) => method.item.name)
  const name = label ?? use
  if (name === undefined) return undefined
  return {
    option: key.slice(name.length + 1),
    methods: methods.filter((method) => (label === undefined ? method.item.name : method.label) === name),
  }
}

function isSound({ option, at, values }: Dimension, report: ReportError): boolean {
  const refused = ['use', 'label'].includes(option) || isSecretKey(option.split('.').at(-1) ?? option)
  if (refused) report(at, `"${option}" cannot be varied; only the options of a method can be`)
  return noneTwice(option, values, report) && !refused
}

function combine(
  method: LabelledPlugIn,
  dimensions: readonly Dimension[],
  design: Design | undefined,
  report: ReportError,
): readonly Variant[] {
  const repeat = dimensions.find(
    ({ option }, index) => dimensions.findIndex((other) => other.option === option) < index,
  )
  if (repeat) {
    report(repeat.at, `"${repeat.option}" of ${method.shown} is varied twice`)
    return []
  }
  const changed = ({ varied, options }: Variant, { option, at, values }: Dimension, place: number): Variant => {
    const value = itemAt(values, place)
    const whole = change(options, { at, path: option.split('.'), value: () => value }, report)
    return {
      varied: [...varied, { option, text: variedText(option, value) }],
      options: whole.kind === 'mapping' ? whole : options,
    }
  }
  const start: Variant = { varied: [], options: method.options }
  return designed(start, dimensions, changed, {
    design,
    most: mostVariants,
    what: `variants of ${method.shown}`,
    report,
  })
}
