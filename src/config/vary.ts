import { itemAt } from '../basics/collections.ts'
import type { VariedValue } from '../records.ts'
import { unknownName } from '../text/names.ts'
import { isSecretKey, recordOf } from './environment.ts'
import { configSchema, designs, variableKeys, type Design } from './schema.ts'
import type { LabelledPlugIn } from './plug-ins.ts'
import {
  changeEntries,
  merge,
  nodeAt,
  oneLine,
  put,
  quote,
  rawAt,
  valueAt,
  type Place,
  type ReportError,
  type Tree,
} from './tree.ts'

/** A config with one value for each option that is varied. */
export interface Variant {
  readonly tree: Tree
  readonly variedValues: readonly VariedValue[]
}

/** A key of `vary` and its place, the option that it names, and its values, also as tables show them. */
interface Dimension {
  readonly key: string
  readonly at: Place
  readonly option: string
  readonly values: readonly Tree[]
  readonly texts: readonly string[]
}

const maxRuns = 100
const maxVariants = 1000

/**
 * The runs of a config: the combinations that `design` chooses of the config keys in `vary`. Each run lacks these keys
 * in its `vary`, and `design` if no option of a method is left there. One run, unchanged, without such keys.
 */
export function configRuns(tree: Tree, report: ReportError): readonly Variant[] {
  const keys = [...(nodeAt(tree, ['vary'])?.entries?.keys() ?? [])]
  const designAt = nodeAt(tree, ['design'])?.at
  if (designAt && keys.length === 0)
    report(designAt, 'design chooses among the values that vary names, and it names none: leave design out')
  const all = readVary(tree)
  for (const { values, texts } of all.filter(({ key }) => isOption(key)))
    for (const [index, { at }] of values.entries())
      if (texts.indexOf(itemAt(texts, index)) < index)
        report(at, `${quote(itemAt(texts, index))} is listed twice; remove one`)
  const configKeys = all.filter(({ key }) => isConfigKey(key))
  const dimensions = configKeys.filter(({ key, at }) => isVariable(key, at, report))
  for (const { key, at } of dimensions) {
    const outer = dimensions.find(({ key: outerKey }) => key.startsWith(`${outerKey}.`))
    if (outer) report(at, `"${key}" lies within "${outer.key}", which is varied too`)
  }
  const design = designOf(tree)
  // invalid lists and designs remain for the schema to report
  const rest = keys.filter((key) => !configKeys.some((dimension) => dimension.key === key))
  const isEmpty = keys.length > 0 && rest.length === 0
  const withoutKeys = changeEntries(tree, ['vary'], (key, list) => (rest.includes(key) ? list : undefined))
  const start = changeEntries(withoutKeys, [], (key, item) =>
    isEmpty && (key === 'vary' || (key === 'design' && design)) ? undefined : item,
  )
  return combinations(start, dimensions.map(withShortTexts), design, {
    limit: maxRuns,
    description: 'runs of the config',
    report,
    set(run, { key }, value, index) {
      const isChanged = index > 0 && design === 'one-at-a-time'
      return put(isChanged ? withFirstVariants(run) : run, key.split('.'), value, merge, report)
    },
  })
}

/** The variants of a method: the combinations of its varied options that the design chooses. */
export function methodVariants(
  method: LabelledPlugIn,
  methods: readonly LabelledPlugIn[],
  { tree, variedValues: runValues }: Variant,
  report: ReportError,
): readonly Variant[] {
  const dimensions = readVary(tree).flatMap((dimension) => {
    const target = targetOf(dimension.key, methods)
    if (!target?.methods.includes(method) || !isOption(target.option)) return []
    return [{ ...dimension, option: target.option }]
  })
  for (const [index, { option, at }] of dimensions.entries()) {
    if (runValues.some((value) => value.option === option))
      report(
        method.at,
        `"${option}" of ${method.sourceName} and "${option}" of the config are both varied; vary one of them`,
      )
    if (dimensions.findIndex((dimension) => dimension.option === option) < index)
      report(at, `"${option}" of ${method.sourceName} is varied twice`)
  }
  return combinations(tree, dimensions, designOf(tree), {
    limit: maxVariants,
    description: `variants of ${method.sourceName}`,
    report,
    set: (variant, { option }, value) => put(variant, [...method.path, ...option.split('.')], value, undefined, report),
  })
}

/** Reports keys of `vary` that name no method, and options that cannot be varied. */
export function checkVariedOptions(tree: Tree, methods: readonly LabelledPlugIn[], report: ReportError): void {
  for (const { key, at } of readVary(tree)) {
    const target = targetOf(key, methods)
    if (target && !isOption(target.option))
      report(at, `"${target.option}" cannot be varied; only the options of a method can be`)
    if (target || isConfigKey(key)) continue
    const names = [...new Set(methods.map(({ sourceName }) => sourceName)), ...variableKeys]
    const [name = key] = key.split('.')
    report(at, unknownName('method or key of the config', oneLine(name), names))
  }
}

/** The valid keys of `vary`, as keys of the config; the schema reports the rest. */
const readVary = (tree: Tree): readonly Dimension[] =>
  Array.from(nodeAt(tree, ['vary'])?.entries ?? []).flatMap(([key, { items = [], keyAt }]) => {
    if (items.length === 0 || !(isConfigKey(key) || /^.+\.[^.]+$/s.test(key))) return []
    const values = items.map((item) => ({ ...item, keyAt }))
    return [{ key, at: keyAt, option: key, values, texts: values.map((value) => variedText(key, rawAt(value, []))) }]
  })

interface Combining {
  readonly limit: number
  readonly description: string
  readonly report: ReportError
  /** A copy with a value of a dimension. */
  readonly set: (tree: Tree, dimension: Dimension, value: Tree, index: number) => Tree
}

/**
 * All combinations, the last option changing fastest; or, one at a time, the first value of everything, and each other
 * value with all else at the first. Reports more than `limit`, and returns none.
 */
function combinations(
  tree: Tree,
  dimensions: readonly Dimension[],
  design: Design | undefined,
  { limit, description, report, set }: Combining,
): readonly Variant[] {
  const isFull = design !== 'one-at-a-time'
  const sizes = dimensions.map(({ values }) => values.length)
  const count = isFull ? sizes.reduce((all, size) => all * size, 1) : sizes.reduce((all, size) => all + size - 1, 1)
  const last = dimensions.at(-1)
  if (count > limit && last) {
    report(last.at, `gives ${count} ${description}; the limit is ${limit}`)
    return []
  }
  return dimensions.reduce<readonly Variant[]>(
    (variants, dimension) => {
      const { option, values, texts } = dimension
      const withValue = (variant: Variant, index: number): Variant => ({
        tree: set(variant.tree, dimension, itemAt(values, index), index),
        variedValues: [...variant.variedValues, { option, text: itemAt(texts, index) }],
      })
      if (isFull) return variants.flatMap((variant) => values.map((_, index) => withValue(variant, index)))
      const rest = values.slice(1).map((_, index) => withValue(itemAt(variants, 0), index + 1))
      return [...variants.map((variant) => withValue(variant, 0)), ...rest]
    },
    [{ tree, variedValues: [] }],
  )
}

/** The design of a config; undefined for a missing or invalid one. */
const designOf = (tree: Tree): Design | undefined => designs.find((name) => valueAt(tree, ['design']) === name)

/** Whether a key of `vary` is a key of the config rather than of a method. */
const isConfigKey = (key: string): boolean => Object.hasOwn(configSchema.shape, key.split('.')[0] ?? key)

const isOption = (option: string): boolean =>
  !['use', 'label'].includes(option) && !isSecretKey(option.split('.').at(-1) ?? option)

function isVariable(key: string, at: Place, report: ReportError): boolean {
  const path = key.split('.')
  const isAllowed = variableKeys.some((name) => name === path[0]) && !path.some(isSecretKey) && !path.includes('')
  if (!isAllowed)
    report(
      at,
      `"${oneLine(key)}" cannot be varied; name an option of a method (gem-rag.components), or one of ${variableKeys.join(', ')} or a key below (chunks.size)`,
    )
  return isAllowed
}

/** A config with only the first value of each varied option. */
const withFirstVariants = (tree: Tree): Tree =>
  changeEntries(tree, ['vary'], (_, list) => (list.items ? { ...list, items: list.items.slice(0, 1) } : list))

/** The option that a key of `vary` names, and its methods: by label, else by name; the longest, as labels have dots. */
function targetOf(key: string, methods: readonly LabelledPlugIn[]) {
  for (const nameOf of [({ label }: LabelledPlugIn) => label, ({ item }: LabelledPlugIn) => item.name]) {
    const names = methods.map(nameOf).filter((name) => key.startsWith(`${name}.`))
    const [name] = names.toSorted((a, b) => b.length - a.length)
    if (name !== undefined)
      return { option: key.slice(name.length + 1), methods: methods.filter((method) => nameOf(method) === name) }
  }
  return undefined
}

/** Shows the values of a key by `use` alone, or by `model` or `path`, where that tells them apart. */
function withShortTexts(dimension: Dimension): Dimension {
  const { option, values } = dimension
  for (const key of ['use', 'model', 'path']) {
    const names = values.flatMap((value) => {
      const name = value.entries ? (rawAt(value, [key]) ?? rawAt(value, ['use'])) : rawAt(value, [])
      return name === undefined ? [] : [variedText(option, name)]
    })
    if (new Set(names).size === values.length && names.every((name) => /^[^[{]/.test(name)))
      return { ...dimension, texts: names }
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
