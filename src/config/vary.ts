import { unknownName } from '../text/names.ts'
import { itemAt } from '../basics/collections.ts'
import type { VariedValue } from '../records.ts'
import {
  change,
  child,
  merge,
  oneLine,
  quoted,
  type Located,
  type LocatedMapping,
  type ReportError,
  type SourceLocation,
} from './located-value.ts'
import { isSecretKey, recordOf } from './secrets.ts'
import { configSchema, designs, variableKeys, type Design } from './schema.ts'
import type { LabelledPlugIn } from './select-plug-in.ts'

/** A config, or the options of a method, with one value for each option that is varied. */
export interface Variant<N extends Located = Located> {
  readonly node: N
  readonly varied: readonly VariedValue[]
}

/** What is varied, with its values, and their texts in tables, in the order that they are written in. */
interface Dimension {
  readonly option: string
  readonly at: SourceLocation
  readonly values: readonly Located[]
  readonly texts: readonly string[]
}

const mostRuns = 100
const mostVariants = 1000

/**
 * The runs of a config: the combinations of the keys of the config that `vary` names, as `design` chooses them; each
 * without these keys in its `vary`, and without `design` where no option of a method is left there. One run, the config
 * as it is, where none is named. Mistakes are reported.
 */
export function configRuns(root: Located, report: ReportError): readonly Variant[] {
  const vary = child(root, 'vary')
  const written = child(root, 'design')
  if (written && (vary?.kind !== 'mapping' || vary.entries.size === 0))
    report(written.at, 'design chooses among the values that vary names, and it names none: leave design out')
  if (root.kind !== 'mapping' || vary?.kind !== 'mapping') return [{ node: root, varied: [] }]
  // what is no list, or an empty one, stays there and is reported by the schema
  const named = [...vary.entries].flatMap(([option, { key: at, value }]): Dimension[] =>
    isConfigKey(option) && value.kind === 'list' && value.items.length > 0
      ? [{ option, at, values: value.items, texts: shortTexts(option, value.items) }]
      : [],
  )
  const dimensions = named.filter((dimension) => isVariableKey(dimension, report))
  for (const { option, at } of dimensions) {
    const outer = dimensions.find((other) => option.startsWith(`${other.option}.`))
    if (outer) report(at, `"${option}" lies within "${outer.option}", which is varied too`)
  }
  const design = designOf(root)
  const left = new Map([...vary.entries].filter(([key]) => !named.some(({ option }) => option === key)))
  const entries = new Map(root.entries)
  if (left.size > 0) entries.set('vary', { key: vary.at, value: { ...vary, entries: left } })
  else entries.delete('vary')
  // a wrong one stays there and is reported by the schema
  if (design && left.size === 0) entries.delete('design')
  return combinations<Located>({ ...root, entries }, dimensions, {
    design,
    most: mostRuns,
    what: 'runs of the config',
    report,
    set(node, { option, at }, value, isFirst) {
      const path = option.split('.')
      const run = isFirst || design !== 'one-at-a-time' ? node : withFirstVariants(node, report)
      return change(run, { at, path, value: (old) => merge(old, value, path) }, report)
    },
  })
}

/** The variants of every method: the combinations of its varied options that the design chooses. */
export function methodVariants(
  methods: readonly LabelledPlugIn[],
  { node: root, varied: ofRun }: Variant,
  report: ReportError,
): ReadonlyMap<LabelledPlugIn, readonly Variant<LocatedMapping>[]> {
  const targets = varyingMethods(root, methods, report)
  const design = designOf(root)
  return new Map(
    methods.map((method) => {
      const dimensions = targets.flatMap((target) => (target.methods.includes(method) ? [target] : []))
      for (const { option } of dimensions)
        if (ofRun.some((other) => other.option === option))
          report(
            method.at,
            `"${option}" of ${method.shown} and "${option}" of the config are both varied; vary one of them`,
          )
      const repeat = dimensions.find(
        ({ option }, index) => dimensions.findIndex((one) => one.option === option) < index,
      )
      if (repeat) report(repeat.at, `"${repeat.option}" of ${method.shown} is varied twice`)
      const variants = combinations(method.options, repeat ? [] : dimensions, {
        design,
        most: mostVariants,
        what: `variants of ${method.shown}`,
        report,
        set(options, { option, at }, value) {
          const whole = change(options, { at, path: option.split('.'), value: () => value }, report)
          return whole.kind === 'mapping' ? whole : options
        },
      })
      return [method, variants]
    }),
  )
}

interface Combining<N extends Located> {
  readonly design: Design | undefined
  readonly most: number
  readonly what: string
  readonly report: ReportError
  /** A copy with a value of a dimension. */
  readonly set: (node: N, dimension: Dimension, value: Located, isFirst: boolean) => N
}

/**
 * All combinations, the last option changing fastest; or, one at a time, the first value of everything, and each other
 * value with all else at the first. None where there would be more than `most`, which is reported.
 */
function combinations<N extends Located>(
  node: N,
  dimensions: readonly Dimension[],
  { design = 'all', most, what, report, set }: Combining<N>,
): readonly Variant<N>[] {
  const sizes = dimensions.map(({ values }) => values.length)
  const count =
    design === 'all' ? sizes.reduce((all, size) => all * size, 1) : 1 + sizes.reduce((all, size) => all + size - 1, 0)
  const last = dimensions.at(-1)
  if (count > most && last) {
    report(last.at, `gives ${count} ${what}; the limit is ${most}`)
    return []
  }
  return dimensions.reduce<readonly Variant<N>[]>(
    (sofar, dimension) => {
      const { option, values, texts } = dimension
      const withValue = (variant: Variant<N>, place: number): Variant<N> => ({
        node: set(variant.node, dimension, itemAt(values, place), place === 0),
        varied: [...variant.varied, { option, text: itemAt(texts, place) }],
      })
      if (design === 'all') return sofar.flatMap((variant) => values.map((_, place) => withValue(variant, place)))
      const others = values.slice(1).map((_, index) => withValue(itemAt(sofar, 0), index + 1))
      return [...sofar.map((variant) => withValue(variant, 0)), ...others]
    },
    [{ node, varied: [] }],
  )
}

/** The design of a config; undefined where it names none, or a wrong one. */
function designOf(root: Located): Design | undefined {
  const written = child(root, 'design')
  return designs.find((name) => written?.kind === 'scalar' && written.value === name)
}

/** Whether a key of `vary` is one of the config itself; one of a method, by its name or label, otherwise. */
const isConfigKey = (key: string): boolean => Object.hasOwn(configSchema.shape, key.split('.')[0] ?? key)

function isVariableKey({ option, at, values }: Dimension, report: ReportError): boolean {
  const path = option.split('.')
  const isVariable = variableKeys.some((key) => key === path[0]) && !path.some(isSecretKey) && !path.includes('')
  if (!isVariable)
    report(
      at,
      `"${oneLine(option)}" cannot be varied; what can be: ${variableKeys.join(', ')}, what lies below them (chunks.size) but for keys and passwords, and the options of a method (gem-rag.components)`,
    )
  return isVariable && noneTwice(option, values, report)
}

/** A config in which options of methods have their first values alone. */
function withFirstVariants(root: Located, report: ReportError): Located {
  const vary = child(root, 'vary')
  if (vary?.kind !== 'mapping') return root
  const firsts = Array.from(vary.entries, ([option, { key, value }]) => {
    const first = value.kind === 'list' ? { ...value, items: value.items.slice(0, 1) } : value
    return [option, { key, value: first }] as const
  })
  return change(root, { at: vary.at, path: ['vary'], value: () => ({ ...vary, entries: new Map(firsts) }) }, report)
}

/** What is varied of which methods; without what the schema of the config reports: an odd key, no list. */
function varyingMethods(
  root: Located,
  methods: readonly LabelledPlugIn[],
  report: ReportError,
): readonly (Dimension & { readonly methods: readonly LabelledPlugIn[] })[] {
  const vary = child(root, 'vary')
  if (vary?.kind !== 'mapping') return []
  return [...vary.entries].flatMap(([key, { key: at, value }]) => {
    if (value.kind !== 'list' || value.items.length === 0 || !/^.+\.[^.]+$/s.test(key)) return []
    // a label before a method's name, for labels are the narrower; the longest, for they may hold dots
    const target = targetOf(key, methods, ({ label }) => label) ?? targetOf(key, methods, ({ item }) => item.name)
    if (!target) {
      const [name = key] = key.split('.')
      const known = [...new Set(methods.map(({ shown }) => shown)), ...variableKeys]
      if (!isConfigKey(key)) report(at, unknownName('method or key of the config', oneLine(name), known))
      return []
    }
    const { option } = target
    const isRefused = ['use', 'label'].includes(option) || isSecretKey(option.split('.').at(-1) ?? option)
    if (isRefused) report(at, `"${option}" cannot be varied; only the options of a method can be`)
    if (!noneTwice(option, value.items, report) || isRefused) return []
    return [{ ...target, at, values: value.items, texts: value.items.map((item) => variedText(option, item)) }]
  })
}

function targetOf(
  key: string,
  methods: readonly LabelledPlugIn[],
  nameOf: (method: LabelledPlugIn) => string,
): { readonly option: string; readonly methods: readonly LabelledPlugIn[] } | undefined {
  const names = methods.map(nameOf).filter((name) => key.startsWith(`${name}.`))
  const [name] = names.sort((a, b) => b.length - a.length)
  if (name === undefined) return undefined
  return { option: key.slice(name.length + 1), methods: methods.filter((method) => nameOf(method) === name) }
}

/** Whether no value of a list looks like an earlier one; each that does is reported. */
function noneTwice(option: string, values: readonly Located[], report: ReportError): boolean {
  const texts = values.map((value) => variedText(option, value))
  const repeated = values.filter((_, index) => texts.indexOf(itemAt(texts, index)) < index)
  for (const value of repeated) report(value.at, `${quoted(variedText(option, value))} is listed twice; remove one`)
  return repeated.length === 0
}

/** The values of a key as tables show them: by `use` alone, or by `model` or `path`, where that tells them apart. */
function shortTexts(option: string, values: readonly Located[]): readonly string[] {
  for (const key of ['use', 'model', 'path']) {
    const names = values.flatMap((value) => {
      const name = value.kind === 'mapping' ? (child(value, key) ?? child(value, 'use')) : value
      return name ? [variedText(option, name)] : []
    })
    if (new Set(names).size === values.length && names.every((name) => /^[^[{]/.test(name))) return names
  }
  return values.map((value) => variedText(option, value))
}

/** A varied value as tables show it: plain where it cannot be misread, otherwise JSON; keys hidden. */
function variedText(option: string, value: Located): string {
  const { at } = value
  const record = recordOf({ kind: 'mapping', at, entries: new Map([[option, { key: at, value }]]) }, {})
  const written = record[option]
  const isPlain = typeof written === 'string' && /^[^\p{C}\s",=[\]{}]+$/u.test(written) && !looksOther(written)
  return isPlain ? written : JSON.stringify(written)
}

/** Whether a text would read as a number, true, false or null. */
const looksOther = (text: string): boolean => /^(true|false|null)$/.test(text) || !Number.isNaN(Number(text))
