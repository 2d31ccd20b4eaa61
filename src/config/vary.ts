import { itemAt } from '../basics/collections.ts'
import type { VariedValue } from '../records.ts'
import { unknownName } from '../text/names.ts'
import { isSecretKey, recordOf } from './environment.ts'
import { configSchema, designs, variableKeys, type Design } from './schema.ts'
import type { LabelledChoice } from './plug-ins.ts'
import {
  merge,
  nodeAt,
  oneLine,
  put,
  quote,
  valueAt,
  without,
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
  const keyCount = nodeAt(tree, ['vary'])?.entries?.size ?? 0
  const designAt = nodeAt(tree, ['design'])?.at
  if (designAt && keyCount === 0)
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
  // invalid lists and designs remain for the schema to report
  const names = configKeys.map(({ key }) => key)
  const isUsedUp = names.length > 0 && names.length === keyCount
  const start = isUsedUp
    ? without(tree, [], designOf(tree) ? ['vary', 'design'] : ['vary'])
    : without(tree, ['vary'], names)
  return combinations(start, dimensions.map(withShortTexts), designOf(tree), {
    limit: maxRuns,
    description: 'runs of the config',
    report,
    set: (run, { key }, value) => put(run, key.split('.'), value, merge, report),
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
    if (targets.length > 0 && isOption(option)) return [{ ...dimension, option, targets }]
    const [name = key] = key.split('.')
    const names = [...new Set(methods.map(({ label }) => label)), ...variableKeys]
    if (targets.length > 0) report(at, `"${option}" cannot be varied; only the options of a method can be`)
    else if (!isConfigKey(key)) report(at, unknownName('method or key of the config', oneLine(name), names))
    return []
  })
  return methods.map((method) => {
    const { label } = method
    const dimensions = all.filter(({ targets }) => targets.includes(method))
    for (const [index, { option, at }] of dimensions.entries()) {
      if (runValues.some((value) => value.option === option))
        report(method.at, `"${option}" of ${label} and "${option}" of the config are both varied; vary one of them`)
      if (dimensions.findIndex((dimension) => dimension.option === option) < index)
        report(at, `"${option}" of ${label} is varied twice`)
    }
    return combinations(tree, dimensions, designOf(tree), {
      limit: maxVariants,
      description: `variants of ${label}`,
      report,
      set: (variant, { option }, value) =>
        put(variant, [...method.path, ...option.split('.')], value, undefined, report),
    })
  })
}

/** The valid keys of `vary`, as keys of the config; the schema reports the rest. */
const readVary = (tree: Tree): readonly Dimension[] =>
  Array.from(nodeAt(tree, ['vary'])?.entries ?? []).flatMap(([key, { items = [], keyAt }]) => {
    if (items.length === 0 || !(isConfigKey(key) || /^.+\.[^.]+$/s.test(key))) return []
    const values = items.map((item) => ({ ...item, keyAt }))
    const texts = values.map((value) => variedText(key, valueAt(value, [])))
    return [{ key, at: keyAt, option: key, values, texts }]
  })

interface Combining {
  readonly limit: number
  readonly description: string
  readonly report: ReportError
  /** A copy with a value of a dimension. */
  readonly set: (tree: Tree, dimension: Dimension, value: Tree) => Tree
}

/** A copy of a tree for each combination of values that the design chooses. Reports more than `limit`. */
function combinations(
  tree: Tree,
  dimensions: readonly Dimension[],
  design: Design | undefined,
  { limit, description, report, set }: Combining,
): readonly Variant[] {
  const sizes = dimensions.map(({ values }) => values.length)
  const isFull = design !== 'one-at-a-time'
  const countAll = sizes.reduce((product, size) => product * size, 1)
  const countOneAtATime = sizes.reduce((sum, size) => sum + size - 1, 1)
  const count = isFull ? countAll : countOneAtATime
  const last = dimensions.at(-1)
  if (count > limit && last) {
    report(last.at, `gives ${count} ${description}; the limit is ${limit}`)
    return []
  }
  return (isFull ? allChoices(sizes) : choicesOneAtATime(sizes)).map((choice) => {
    // one at a time, another value of a run goes with the first variant of each method
    const start = isFull || choice.every((index) => index === 0) ? tree : withFirstVariants(tree)
    let variant = start
    const variedValues: VariedValue[] = []
    for (const [at, dimension] of dimensions.entries()) {
      const index = itemAt(choice, at)
      variant = set(variant, dimension, itemAt(dimension.values, index))
      variedValues.push({ option: dimension.option, text: itemAt(dimension.texts, index) })
    }
    return { tree: variant, variedValues }
  })
}

/** Indices of values in all combinations, the last one changing fastest. */
const allChoices = (sizes: readonly number[]): readonly (readonly number[])[] =>
  sizes.reduce<readonly (readonly number[])[]>(
    (choices, size) =>
      choices.flatMap((choice) => {
        return Array.from({ length: size }, (_, index) => [...choice, index])
      }),
    [[]],
  )

/** Indices of the first values, and of each other value with all else at the first. */
function choicesOneAtATime(sizes: readonly number[]): readonly (readonly number[])[] {
  const first = sizes.map(() => 0)
  const rest = sizes.flatMap((size, at) => {
    const length = size - 1
    return Array.from({ length }, (_, index) => first.with(at, index + 1))
  })
  return [first, ...rest]
}

/** The design of a config; undefined for a missing or invalid one. */
const designOf = (tree: Tree): Design | undefined => designs.find((name) => valueAt(tree, ['design']) === name)

/** Whether a key of `vary` is a key of the config rather than of a method. */
const isConfigKey = (key: string): boolean => Object.hasOwn(configSchema.shape, key.split('.')[0] ?? key)

const isOption = (option: string): boolean =>
  !['use', 'label'].includes(option) && !isSecretKey(option.split('.').at(-1) ?? option)

function isVariable(key: string, at: Place, report: ReportError): boolean {
  const path = key.split('.')
  const names = variableKeys.join(', ')
  const isKnown = variableKeys.some((name) => name === path[0])
  const isAllowed = isKnown && !path.some(isSecretKey) && !path.includes('')
  if (!isAllowed)
    report(
      at,
      `"${oneLine(key)}" cannot be varied; name an option of a method (gem-rag.components), or one of ${names} or a key below (chunks.size)`,
    )
  return isAllowed
}

/** A config with only the first value of each varied option. */
const withFirstVariants = (tree: Tree): Tree =>
  readVary(tree).reduce(
    (run, { key, at, values }) => put(run, ['vary', key], { at, keyAt: at, items: values.slice(0, 1) }),
    tree,
  )

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
  const { option, values } = dimension
  for (const key of ['use', 'model', 'path']) {
    const names = values.flatMap((value) => {
      const name = value.entries ? (valueAt(value, [key]) ?? valueAt(value, ['use'])) : valueAt(value, [])
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
