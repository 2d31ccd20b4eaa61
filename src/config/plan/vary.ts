import type { VariedValue } from '../../records.ts'
import { unknownName } from '../../text/names.ts'
import { variableKeys } from '../schema.ts'
import type { LabelledPlugIn } from './select-plug-in.ts'
import { change } from '../source/merge.ts'
import { oneLine, type ReportError } from '../errors/error-list.ts'
import type { SourceLocation, Located, LocatedMapping } from '../source/located-value.ts'
import { isSecretKey } from '../record/record.ts'
import { isConfigKey, noneTwice, variedText } from './config-runs.ts'

/** One set of options of a method, and the values of those that were varied. */
export interface Variant {
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

/** The variants of a method: all combinations of its varied options, the last option changing fastest. */
export function variants(
  methods: readonly LabelledPlugIn[],
  vary: Located | undefined,
  report: ReportError,
): ReadonlyMap<LabelledPlugIn, readonly Variant[]> {
  const dimensions = vary?.kind === 'mapping' ? readDimensions(vary, methods, report) : []
  return new Map(
    methods.map((method) => {
      const own = dimensions.filter((dimension) => dimension.methods.includes(method))
      return [method, combine(method, own, report)]
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

function combine(method: LabelledPlugIn, dimensions: readonly Dimension[], report: ReportError): readonly Variant[] {
  const repeat = dimensions.find(
    ({ option }, index) => dimensions.findIndex((other) => other.option === option) < index,
  )
  if (repeat) report(repeat.at, `"${repeat.option}" of ${method.shown} is varied twice`)
  const size = dimensions.reduce((product, { values }) => product * values.length, 1)
  const last = dimensions.at(-1)
  if (size > mostVariants && last)
    report(last.at, `gives ${size} variants of ${method.shown}; the limit is ${mostVariants}`)
  if (repeat || size > mostVariants) return []
  return dimensions.reduce<readonly Variant[]>(
    (sofar, dimension) =>
      sofar.flatMap((variant) => dimension.values.map((value) => vary(variant, dimension, value, report))),
    [{ varied: [], options: method.options }],
  )
}

function vary({ varied, options }: Variant, { option, at }: Dimension, value: Located, report: ReportError): Variant {
  const changed = change(options, { at, path: option.split('.'), value: () => value }, report)
  return {
    varied: [...varied, { option, text: variedText(option, value) }],
    options: changed.kind === 'mapping' ? changed : options,
  }
}
