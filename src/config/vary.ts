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
 * in its `vary`, and `design` if no option of a method is left there. One run, unchanged, without such keys. Reports
 * errors.
 */
export function configRuns(tree: Tree, report: ReportError): readonly Variant[] {
  const vary = nodeAt(tree, ['vary'])?.entries ?? new Map<string, Tree>()
  const designAt = nodeAt(tree, ['design'])?.at
  if (designAt && vary.size === 0)
    report(designAt, 'design chooses among the values that vary names, and it names none: leave design out')
  const configKeys = readVary(tree).filter(({ key }) => isConfigKey(key))
  const dimensions = configKeys.filter((dimension) => isVariable(dimension, report))
  for (const { key, at } of dimensions) {
    const outer = dimensions.find(({ key: outerKey }) => key.startsWith(`${outerKey}.`))
    if (outer) report(at, `"${key}" lies within "${outer.key}", which is varied too`)
  }
  const design = designOf(tree)
  // invalid lists and designs remain for the schema to report
  const isRetained = (key: string): boolean => !configKeys.some((dimension) => dimension.key === key)
  const isEmpty = vary.size > 0 && ![...vary.keys()].some(isRetained)
  const removedKeys = isEmpty ? ['vary', ...(design ? ['design'] : [])] : []
  const withoutKeys = changeEntries(tree, ['vary'], (key, list) => (isRetained(key) ? list : undefined))
  const start = changeEntries(withoutKeys, [], (key, item) => (removedKeys.includes(key) ? undefined : item))
  return combinations(start, dimensions, design, {
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
    return [{ ...dimension, option: target.option, texts: variedTexts(target.option, dimension.values) }]
  })
  const repeats = dimensions.filter(({ option, key, at }) => {
    if (runValues.some((value) => value.option === option))
      report(
        method.at,
        `"${option}" of ${method.sourceName} and "${option}" of the config are both varied; vary one of them`,
      )
    const isSecond = dimensions.find((dimension) => dimension.option === option)?.key !== key
    if (isSecond) report(at, `"${option}" of ${method.sourceName} is varied twice`)
    return isSecond
  })
  return combinations(tree, repeats.length > 0 ? [] : dimensions, designOf(tree), {
    limit: maxVariants,
    description: `variants of ${method.sourceName}`,
    report,
    set: (variant, { option }, value) => put(variant, [...method.path, ...option.split('.')], value, undefined, report),
  })
}

/** Reports keys of `vary` that name no method, options that cannot be varied, and values that are listed twice. */
export function checkVariedOptions(tree: Tree, methods: readonly LabelledPlugIn[], report: ReportError): void {
  for (const { key, at, values } of readVary(tree)) {
    const target = targetOf(key, methods)
    if (target) {
      if (!isOption(target.option))
        report(at, `"${target.option}" cannot be varied; only the options of a method can be`)
      reportDuplicates(values, variedTexts(target.option, values), report)
    } else if (!isConfigKey(key)) {
      const names = [...new Set(methods.map(({ sourceName }) => sourceName)), ...variableKeys]
      const [name = key] = key.split('.')
      report(at, unknownName('method or key of the config', oneLine(name), names))
    }
  }
}

/** The valid keys of `vary`, as keys of the config; the schema reports the rest. */
const readVary = (tree: Tree): readonly Dimension[] =>
  Array.from(nodeAt(tree, ['vary'])?.entries ?? []).flatMap(([key, { items = [], keyAt }]) => {
    if (items.length === 0 || !(isConfigKey(key) || /^.+\.[^.]+$/s.test(key))) return []
    const values = items.map((item) => ({ ...item, keyAt }))
    return [{ key, at: keyAt, option: key, values, texts: shortTexts(key, values) }]
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

function isVariable({ key, at, values, option }: Dimension, report: ReportError): boolean {
  const path = key.split('.')
  const isAllowed = variableKeys.some((name) => name === path[0]) && !path.some(isSecretKey) && !path.includes('')
  if (isAllowed) return reportDuplicates(values, variedTexts(option, values), report)
  report(
    at,
    `"${oneLine(key)}" cannot be varied; name an option of a method (gem-rag.components), or one of ${variableKeys.join(', ')} or a key below (chunks.size)`,
  )
  return false
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

/** Reports values that look like an earlier one; returns whether there are none. */
function reportDuplicates(values: readonly Tree[], texts: readonly string[], report: ReportError): boolean {
  for (const [index, { at }] of values.entries())
    if (texts.indexOf(itemAt(texts, index)) < index)
      report(at, `${quote(itemAt(texts, index))} is listed twice; remove one`)
  return new Set(texts).size === texts.length
}

/** The values of a key as tables show them: by `use` alone, or by `model` or `path`, where that tells them apart. */
function shortTexts(option: string, values: readonly Tree[]): readonly string[] {
  for (const key of ['use', 'model', 'path']) {
    const names = values.flatMap((value) => {
      const name = value.entries ? (rawAt(value, [key]) ?? rawAt(value, ['use'])) : rawAt(value, [])
      return name === undefined ? [] : [variedText(option, name)]
    })
    if (new Set(names).size === values.length && names.every((name) => /^[^[{]/.test(name))) return names
  }
  return variedTexts(option, values)
}

const variedTexts = (option: string, values: readonly Tree[]): readonly string[] =>
  values.map((value) => variedText(option, rawAt(value, [])))

/** A varied value as tables show it: plain where it cannot be misread, otherwise JSON; keys hidden. */
function variedText(option: string, value: unknown): string {
  const text = recordOf({ [option]: value }, {})[option]
  const isPlain = typeof text === 'string' && /^[^\p{C}\s",=[\]{}]+$/u.test(text) && !isTypedLiteral(text)
  return isPlain ? text : JSON.stringify(text)
}

/** Whether YAML would read a text as a number, boolean or null. */
const isTypedLiteral = (text: string): boolean => /^(true|false|null)$/.test(text) || !Number.isNaN(Number(text))
