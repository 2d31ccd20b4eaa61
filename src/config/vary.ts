import { itemAt } from '../basics/collections.ts'
import { isObject } from '../basics/plain-data.ts'
import type { VariedValue } from '../records.ts'
import { unknownName } from '../text/names.ts'
import { isSecretKey, recordOf } from './environment.ts'
import { configSchema, designs, variableKeys, type Design } from './schema.ts'
import type { LabelledPlugIn } from './plug-ins.ts'
import {
  changeEntries,
  merge,
  oneLine,
  placeOf,
  put,
  quote,
  replace,
  valueAt,
  type ReportError,
  type Tree,
} from './tree.ts'

/** A config with one value for each option that is varied. */
export interface Variant {
  readonly tree: Tree
  readonly variedValues: readonly VariedValue[]
}

/** A key of `vary` with its values, as written and as tables show them. */
interface Dimension {
  readonly key: string
  readonly option: string
  readonly values: readonly unknown[]
  readonly texts: readonly string[]
}

const maxRuns = 100
const maxVariants = 1000

/**
 * The runs of a config: the combinations of the keys of the config that `vary` names, as `design` chooses them; each
 * without these keys in its `vary`, and without `design` where no option of a method is left there. One run, the config
 * as it is, where none is named. Mistakes are reported.
 */
export function configRuns(tree: Tree, report: ReportError): readonly Variant[] {
  const lists = readVary(tree)
  const vary = valueAt(tree.value, ['vary'])
  const isEmpty = !isObject(vary) || Object.keys(vary).length === 0
  if (valueAt(tree.value, ['design']) !== undefined && isEmpty)
    report(
      placeOf(tree, ['design']),
      'design chooses among the values that vary names, and it names none: leave design out',
    )
  const configLists = lists.filter(([key]) => isConfigKey(key))
  const dimensions = configLists
    .map(([key, values]) => ({ key, option: key, values, texts: shortTexts(key, values) }))
    .filter((dimension) => isVariable(dimension, tree, report))
  for (const { key } of dimensions) {
    const outer = dimensions.find(({ key: outerKey }) => key.startsWith(`${outerKey}.`))
    if (outer) report(keyPlace(tree, key), `"${key}" lies within "${outer.key}", which is varied too`)
  }
  const design = designOf(tree)
  // invalid lists and designs remain for the schema to report
  const isKept = (key: string): boolean => !configLists.some(([name]) => name === key)
  const removedKeys = isObject(vary) && !Object.keys(vary).some(isKept) ? ['vary', ...(design ? ['design'] : [])] : []
  const withoutKeys = changeEntries(tree, ['vary'], (key, values) => (isKept(key) ? values : undefined))
  const remainder = changeEntries(withoutKeys, [], (key, value) => (removedKeys.includes(key) ? undefined : value))
  return combinations(remainder, dimensions, {
    design,
    limit: maxRuns,
    description: 'runs of the config',
    report: (key, message) => report(keyPlace(tree, key), message),
    set(run, { key }, index) {
      const isChanged = index > 0 && design === 'one-at-a-time'
      const part = { part: tree, from: ['vary', key, index], key: ['vary', key], join: merge }
      return put(isChanged ? withFirstVariants(run) : run, { ...part, to: key.split('.') }, report)
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
  const dimensions = readVary(tree).flatMap(([key, values]) => {
    const target = targetOf(key, methods)
    if (!target?.methods.includes(method) || !isOption(target.option)) return []
    return [{ key, option: target.option, values, texts: values.map((value) => variedText(target.option, value)) }]
  })
  const repeats = dimensions.filter(({ option, key }) => {
    if (runValues.some((value) => value.option === option))
      report(
        method.at,
        `"${option}" of ${method.sourceName} and "${option}" of the config are both varied; vary one of them`,
      )
    const isSecond = dimensions.find((dimension) => dimension.option === option)?.key !== key
    if (isSecond) report(keyPlace(tree, key), `"${option}" of ${method.sourceName} is varied twice`)
    return isSecond
  })
  return combinations(tree, repeats.length > 0 ? [] : dimensions, {
    design: designOf(tree),
    limit: maxVariants,
    description: `variants of ${method.sourceName}`,
    report: (key, message) => report(keyPlace(tree, key), message),
    set(variant, { key, option }, index) {
      const part = { part: tree, from: ['vary', key, index], key: ['vary', key], join: replace }
      return put(variant, { ...part, to: [...method.path, ...option.split('.')] }, report)
    },
  })
}

/** Reports keys of `vary` that name no method, options that cannot be varied, and values that are listed twice. */
export function checkVariedOptions(tree: Tree, methods: readonly LabelledPlugIn[], report: ReportError): void {
  for (const [key, values] of readVary(tree)) {
    const target = targetOf(key, methods)
    if (target) {
      if (!isOption(target.option))
        report(keyPlace(tree, key), `"${target.option}" cannot be varied; only the options of a method can be`)
      reportDuplicates({ ...target, key, values }, tree, report)
    } else if (!isConfigKey(key)) {
      const names = [...new Set(methods.map(({ sourceName }) => sourceName)), ...variableKeys]
      const [name = key] = key.split('.')
      report(keyPlace(tree, key), unknownName('method or key of the config', oneLine(name), names))
    }
  }
}

/** The valid keys of `vary` with their values as written; the schema reports the rest. */
function readVary({ raw }: Tree): readonly (readonly [key: string, values: readonly unknown[]])[] {
  const vary = valueAt(raw, ['vary'])
  return Object.entries(isObject(vary) ? vary : {}).flatMap(([key, values]) =>
    Array.isArray(values) && values.length > 0 && (isConfigKey(key) || /^.+\.[^.]+$/s.test(key))
      ? [[key, values as readonly unknown[]] as const]
      : [],
  )
}

const keyPlace = (tree: Tree, key: string) => placeOf(tree, ['vary', key], true)

interface Combining {
  readonly design: Design | undefined
  readonly limit: number
  readonly description: string
  readonly report: (key: string, message: string) => void
  /** A copy with a value of a dimension. */
  readonly set: (tree: Tree, dimension: Dimension, index: number) => Tree
}

/**
 * All combinations, the last option changing fastest; or, one at a time, the first value of everything, and each other
 * value with all else at the first. None where there would be more than `most`, which is reported.
 */
function combinations(
  tree: Tree,
  dimensions: readonly Dimension[],
  { design = 'all', limit, description, report, set }: Combining,
): readonly Variant[] {
  const sizes = dimensions.map(({ values }) => values.length)
  const count =
    design === 'all' ? sizes.reduce((all, size) => all * size, 1) : 1 + sizes.reduce((all, size) => all + size - 1, 0)
  const last = dimensions.at(-1)
  if (count > limit && last) {
    report(last.key, `gives ${count} ${description}; the limit is ${limit}`)
    return []
  }
  return dimensions.reduce<readonly Variant[]>(
    (variants, dimension) => {
      const { option, values, texts } = dimension
      const withValue = (variant: Variant, index: number): Variant => ({
        tree: set(variant.tree, dimension, index),
        variedValues: [...variant.variedValues, { option, text: itemAt(texts, index) }],
      })
      if (design === 'all') return variants.flatMap((variant) => values.map((_, index) => withValue(variant, index)))
      const rest = values.slice(1).map((_, index) => withValue(itemAt(variants, 0), index + 1))
      return [...variants.map((variant) => withValue(variant, 0)), ...rest]
    },
    [{ tree, variedValues: [] }],
  )
}

/** The design of a config; undefined for a missing or invalid one. */
function designOf({ value }: Tree): Design | undefined {
  const design = valueAt(value, ['design'])
  return designs.find((name) => design === name)
}

/** Whether a key of `vary` is a key of the config rather than of a method. */
const isConfigKey = (key: string): boolean => Object.hasOwn(configSchema.shape, key.split('.')[0] ?? key)

const isOption = (option: string): boolean =>
  !['use', 'label'].includes(option) && !isSecretKey(option.split('.').at(-1) ?? option)

function isVariable(dimension: Dimension, tree: Tree, report: ReportError): boolean {
  const path = dimension.key.split('.')
  const isAllowed = variableKeys.some((key) => key === path[0]) && !path.some(isSecretKey) && !path.includes('')
  if (isAllowed) return reportDuplicates(dimension, tree, report)
  report(
    keyPlace(tree, dimension.key),
    `"${oneLine(dimension.key)}" cannot be varied; what can be: ${variableKeys.join(', ')}, what lies below them (chunks.size) but for keys and passwords, and the options of a method (gem-rag.components)`,
  )
  return false
}

/** A config with only the first value of each varied option. */
const withFirstVariants = (tree: Tree): Tree =>
  changeEntries(tree, ['vary'], (_, values) => (Array.isArray(values) ? values.slice(0, 1) : values))

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
function reportDuplicates({ key, option, values }: Omit<Dimension, 'texts'>, tree: Tree, report: ReportError): boolean {
  const texts = values.map((value) => variedText(option, value))
  const duplicates = texts.flatMap((text, index) => (texts.indexOf(text) < index ? [{ text, index }] : []))
  for (const { text, index } of duplicates)
    report(placeOf(tree, ['vary', key, index]), `${quote(text)} is listed twice; remove one`)
  return duplicates.length === 0
}

/** The values of a key as tables show them: by `use` alone, or by `model` or `path`, where that tells them apart. */
function shortTexts(option: string, values: readonly unknown[]): readonly string[] {
  for (const key of ['use', 'model', 'path']) {
    const names = values.flatMap((value) => {
      const name = isObject(value) ? (value[key] ?? value['use']) : value
      return name === undefined ? [] : [variedText(option, name)]
    })
    if (new Set(names).size === values.length && names.every((name) => /^[^[{]/.test(name))) return names
  }
  return values.map((value) => variedText(option, value))
}

/** A varied value as tables show it: plain where it cannot be misread, otherwise JSON; keys hidden. */
function variedText(option: string, value: unknown): string {
  const text = recordOf({ [option]: value }, {})[option]
  const isPlain = typeof text === 'string' && /^[^\p{C}\s",=[\]{}]+$/u.test(text) && !isTypedLiteral(text)
  return isPlain ? text : JSON.stringify(text)
}

/** Whether YAML would read a text as a number, boolean or null. */
const isTypedLiteral = (text: string): boolean => /^(true|false|null)$/.test(text) || !Number.isNaN(Number(text))
