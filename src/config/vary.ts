import { itemAt } from '../basics/collections.ts'
import type { VariedValue } from '../records.ts'
import { unknownName } from '../text/names.ts'
import { describe } from '../text/validation-errors.ts'
import { isSecretKey, recordOf } from './environment.ts'
import type { LabelledChoice } from './plug-ins.ts'
import { configSchema, designs, isVariable, variableKeys } from './schema.ts'
import {
  dataOf,
  merge,
  nodeAt,
  oneLine,
  put,
  valueAt,
  without,
  type Place,
  type ReportError,
  type Tree,
} from './tree.ts'

/** A config, or the section of a method, with one value for each option that is varied. */
export interface Variant {
  readonly tree: Tree
  readonly variedValues: readonly VariedValue[]
}

/** A key of `vary` and its place, the option that it names, and its values with their texts in tables. */
interface Dimension {
  readonly key: string
  readonly at: Place
  readonly option: string
  readonly values: readonly { readonly text: string; readonly part: Tree }[]
}

const maxRuns = 100
const maxVariants = 1000

/**
 * The runs of a config: the combinations that `design` chooses of the config keys in `vary`. Each run lacks these keys
 * in its `vary`, and `design` if no option of a method is left there. One run, unchanged, without such keys.
 */
export function configRuns(tree: Tree, report: ReportError): readonly Variant[] {
  const keyCount = nodeAt(tree, ['vary'])?.entries?.size ?? 0
  const designAt = nodeAt(tree, ['design'])?.at
  if (designAt && keyCount === 0)
    report(designAt, 'design chooses among the values that vary names, and it names none: leave design out')
  const all = readVary(tree)
  for (const { key, values } of all)
    for (const [index, { text, part }] of values.entries())
      if (values.findIndex((value) => value.text === text) < index && !isSecretKey(key))
        report(part.at, `${describe(text)} is listed twice; remove one`)
  const configKeys = all.filter(({ key }) => isConfigKey(key))
  const dimensions = configKeys.filter(({ key }) => isVariable(key))
  for (const { key, at } of dimensions) {
    const outer = dimensions.find(({ key: outerKey }) => key.startsWith(`${outerKey}.`))
    if (outer) report(at, `"${key}" lies within "${outer.key}", which is varied too`)
  }
  const start = withoutKeysOfVary(
    tree,
    dimensions.map(({ key }) => key),
    report,
  )
  const shortDimensions = dimensions.map(withShortTexts)
  return combinations(shortDimensions, tree, maxRuns, 'runs of the config', report).map((choices, index) => {
    // one at a time, another value of a run goes with the first variant of each method
    const base = index > 0 && isOneAtATime(tree) ? withFirstVariants(start, report) : start
    const run = choices.reduce((config, { option, part }) => {
      return put(config, option.split('.'), part, report, merge)
    }, base)
    return { tree: run, variedValues: variedValuesOf(choices) }
  })
}

/**
 * The variants of each method: the combinations of its varied options that the design chooses. Reports keys of `vary`
 * that name no method, and options that cannot be varied.
 */
export function methodVariants(
  methods: readonly LabelledChoice[],
  { tree, variedValues: runValues }: Variant,
  report: ReportError,
): readonly (readonly Variant[])[] {
  const all = readVary(tree).flatMap((dimension) => {
    const { key, at } = dimension
    const { option, targets } = targetOf(key, methods)
    if (targets.length > 0 && !['use', 'label'].includes(option) && !isSecretKey(option))
      return [{ ...dimension, option, targets }]
    const [name = key] = key.split('.')
    const names = [...new Set(methods.map(({ label }) => label)), ...variableKeys]
    if (targets.length > 0) report(at, `"${option}" cannot be varied; only the options of a method can be`)
    else if (!isConfigKey(key)) report(at, unknownName('method or key of the config', oneLine(name), names))
    return []
  })
  return methods.map((method) => {
    const { label } = method
    const dimensions = all.filter(({ targets }) => targets.includes(method))
    for (const [index, { option, at }] of dimensions.entries())
      if ([...runValues, ...dimensions.slice(0, index)].some((earlier) => earlier.option === option))
        report(at, `"${option}" of ${label} is varied twice, or also a key of the config that is varied`)
    return combinations(dimensions, tree, maxVariants, `variants of ${label}`, report).map((choices) => ({
      tree: choices.reduce((node, { option, part }) => put(node, option.split('.'), part, report), method.node),
      variedValues: variedValuesOf(choices),
    }))
  })
}

/** The valid keys of `vary`, as keys of the config; the schema reports the rest. */
const readVary = (tree: Tree): readonly Dimension[] =>
  Array.from(nodeAt(tree, ['vary'])?.entries ?? []).flatMap(([key, { items = [], keyAt }]) => {
    if (items.length === 0 || !(isConfigKey(key) || /^.+\.[^.]+$/s.test(key))) return []
    const values = items.map((item) => ({ text: variedText(key, dataOf(item)), part: { ...item, keyAt } }))
    return [{ key, at: keyAt, option: key, values }]
  })

/** A value of a varied option. */
interface Choice extends VariedValue {
  readonly part: Tree
}

const variedValuesOf = (choices: readonly Choice[]): readonly VariedValue[] =>
  choices.map(({ option, text }) => ({ option, text }))

/** The combinations of values that the design of a config chooses; in full, the last one changes fastest. */
function combinations(
  dimensions: readonly Dimension[],
  tree: Tree,
  limit: number,
  description: string,
  report: ReportError,
): readonly (readonly Choice[])[] {
  const isFull = !isOneAtATime(tree)
  const sizes = dimensions.map(({ values }) => values.length)
  const countAll = sizes.reduce((product, size) => product * size, 1)
  const countOneAtATime = sizes.reduce((sum, size) => sum + size - 1, 1)
  const count = isFull ? countAll : countOneAtATime
  const last = dimensions.at(-1)
  if (count > limit && last) {
    report(last.at, `gives ${count} ${description}; the limit is ${limit}`)
    return []
  }
  const lists = dimensions.map(({ option, values }) => values.map((value) => ({ ...value, option })))
  const start: readonly (readonly Choice[])[] = [[]]
  if (isFull)
    return lists.reduce((all, list) => {
      return all.flatMap((choices) => list.map((choice) => [...choices, choice]))
    }, start)
  const first = lists.map((list) => itemAt(list, 0))
  const rest = lists.flatMap((list, index) => {
    return list.slice(1).map((choice) => first.with(index, choice))
  })
  return [first, ...rest]
}

const isOneAtATime = (tree: Tree): boolean => valueAt(tree, ['design']) === 'one-at-a-time'

/** A config without some keys of `vary`, and without `vary` and `design` where that leaves none. */
function withoutKeysOfVary(tree: Tree, keys: readonly string[], report: ReportError): Tree {
  const vary = nodeAt(tree, ['vary'])
  if (!vary || keys.length === 0) return tree
  const rest = without(vary, keys)
  if (rest.entries?.size) return put(tree, ['vary'], rest, report)
  // an invalid design remains for the schema to report
  const isDesign = designs.some((name) => valueAt(tree, ['design']) === name)
  return without(tree, isDesign ? ['vary', 'design'] : ['vary'])
}

/** Whether a key of `vary` is a key of the config rather than of a method. */
const isConfigKey = (key: string): boolean => Object.hasOwn(configSchema.shape, key.split('.')[0] ?? key)

/** A config with only the first value of each varied option. */
const withFirstVariants = (tree: Tree, report: ReportError): Tree =>
  readVary(tree).reduce((run, { key, at, values }) => {
    const items = values.slice(0, 1).map(({ part }) => part)
    return put(run, ['vary', key], { at, keyAt: at, items }, report)
  }, tree)

/**
 * The option that a key of `vary` names, and its methods: by label, else by name; the longest, as labels have dots. No
 * methods for a key of the config.
 */
function targetOf(key: string, methods: readonly LabelledChoice[]) {
  for (const nameOf of [({ label }: LabelledChoice) => label, ({ item }: LabelledChoice) => item.name]) {
    const names = methods.map(nameOf).filter((name) => key.startsWith(`${name}.`))
    const [name] = names.toSorted((a, b) => b.length - a.length)
    if (name === undefined) continue
    const option = key.slice(name.length + 1)
    const targets = methods.filter((method) => nameOf(method) === name)
    return { option, targets }
  }
  return { option: key, targets: [] }
}

/** Shows the values of a key by `use` alone, or by `model` or `path`, where that tells them apart. */
function withShortTexts(dimension: Dimension): Dimension {
  const { option } = dimension
  for (const key of ['use', 'model', 'path']) {
    const values = dimension.values.map(({ part }) => {
      const name = part.entries ? (valueAt(part, [key]) ?? valueAt(part, ['use']) ?? {}) : dataOf(part)
      return { part, text: variedText(option, name) }
    })
    const texts = values.map(({ text }) => text)
    if (new Set(texts).size === texts.length && texts.every((text) => /^[^[{]/.test(text)))
      return { ...dimension, values }
  }
  return dimension
}

/** A varied value as tables show it: plain where it cannot be misread, otherwise JSON; keys hidden. */
function variedText(option: string, value: unknown): string {
  const text = recordOf({ [option]: value }, {})[option]
  const isPlain = typeof text === 'string' && /^[^\p{C}\s",=[\]{}]+$/u.test(text) && !isTypedLiteral(text)
  return isPlain ? text : JSON.stringify(text)
}

/** Whether YAML would read a text as a number, boolean or null. */
const isTypedLiteral = (text: string): boolean => /^(true|false|null)$/.test(text) || !Number.isNaN(Number(text))
