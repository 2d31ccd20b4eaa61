import { itemAt } from '../basics/collections.ts'
import type { VariedValue } from '../records.ts'
import { oneLine, type ReportError, quoted } from './error-list.ts'
import { isSecretKey, recordOf } from './record.ts'
import { configSchema, designs, type Design, variableKeys } from './schema.ts'
import { child, type Located, type SourceLocation } from './located-value.ts'
import { change, merge } from './located-value.ts'

/** A config as one run reads it, and the values of the keys of it that are varied. */
export interface ConfigRun {
  readonly root: Located
  readonly varied: readonly VariedValue[]
}

/** What is varied, with its values in the order that they are written in. */
interface Dimension {
  readonly option: string
  readonly at: SourceLocation
  readonly values: readonly Located[]
}

interface KeyDimension extends Dimension {
  readonly texts: readonly string[]
}

const mostRuns = 100

/** Whether a key of `vary` is one of the config itself; one of a method, by its name or label, otherwise. */
export const isConfigKey = (key: string): boolean => Object.hasOwn(configSchema.shape, key.split('.')[0] ?? key)

/**
 * The runs of a config: the combinations of the keys of the config that `vary` names, as `design` chooses them; each
 * without these keys in its `vary`, and without `design` where no option of a method is left there. One run, the config
 * as it is, where none is named. Mistakes are reported.
 */
export function configRuns(root: Located, report: ReportError): readonly ConfigRun[] {
  const vary = child(root, 'vary')
  const written = child(root, 'design')
  if (written && (vary?.kind !== 'mapping' || vary.entries.size === 0))
    report(written.at, 'design chooses among the values that vary names, and it names none: leave design out')
  if (root.kind !== 'mapping' || vary?.kind !== 'mapping') return [{ root, varied: [] }]
  // what is no list, or an empty one, stays there and is reported by the schema
  const own = [...vary.entries].flatMap(([option, { key: at, value }]): KeyDimension[] =>
    isConfigKey(option) && value.kind === 'list' && value.items.length > 0
      ? [{ option, at, values: value.items, texts: variedTexts(option, value.items) }]
      : [],
  )
  const dimensions = own.filter((dimension) => isSound(dimension, report))
  for (const { option, at } of dimensions) {
    const outer = dimensions.find((other) => option.startsWith(`${other.option}.`))
    if (outer) report(at, `"${option}" lies within "${outer.option}", which is varied too`)
  }
  const design = designOf(root)
  const left = new Map([...vary.entries].filter(([key]) => !own.some(({ option }) => option === key)))
  const entries = new Map(root.entries)
  if (left.size > 0) entries.set('vary', { key: vary.at, value: { ...vary, entries: left } })
  else entries.delete('vary')
  // a wrong one stays there and is reported by the schema
  if (design && left.size === 0) entries.delete('design')
  const start: ConfigRun = { root: { ...root, entries }, varied: [] }
  const changed = (run: ConfigRun, dimension: KeyDimension, place: number): ConfigRun =>
    withValue(place > 0 && design === 'one-at-a-time' ? withFirstVariants(run) : run, dimension, place, report)
  return designed(start, dimensions, changed, { design, most: mostRuns, what: 'runs of the config', report })
}

/** The design of a config; undefined where it names none, or a wrong one. */
export function designOf(root: Located): Design | undefined {
  const written = child(root, 'design')
  return designs.find((name) => written?.kind === 'scalar' && written.value === name)
}

function isSound({ option, at, values }: Dimension, report: ReportError): boolean {
  const path = option.split('.')
  const isVariable = variableKeys.some((key) => key === path[0]) && !path.some(isSecretKey) && !path.includes('')
  if (!isVariable)
    report(
      at,
      `"${oneLine(option)}" cannot be varied; what can be: ${variableKeys.join(', ')}, what lies below them (chunks.size) but for keys and passwords, and the options of a method (gem-rag.components)`,
    )
  return isVariable && noneTwice(option, values, report)
}

/** A run with one more key changed, as `--set` does. */
function withValue(
  { root, varied }: ConfigRun,
  { option, at, values, texts }: KeyDimension,
  place: number,
  report: ReportError,
): ConfigRun {
  const path = option.split('.')
  const value = itemAt(values, place)
  return {
    root: change(root, { at, path, value: (old) => merge(old, value, path) }, report),
    varied: [...varied, { option, text: itemAt(texts, place) }],
  }
}

/** A run in which options of methods have their first values alone. */
function withFirstVariants({ root, varied }: ConfigRun): ConfigRun {
  const vary = child(root, 'vary')
  if (root.kind !== 'mapping' || vary?.kind !== 'mapping') return { root, varied }
  const firsts = Array.from(vary.entries, ([option, { key, value }]) => {
    const first = value.kind === 'list' ? { ...value, items: value.items.slice(0, 1) } : value
    return [option, { key, value: first }] as const
  })
  const entries = new Map(root.entries).set('vary', { key: vary.at, value: { ...vary, entries: new Map(firsts) } })
  return { root: { ...root, entries }, varied }
}

/** A varied value as tables show it: plain where it cannot be misread, otherwise JSON; keys hidden. */
export function variedText(option: string, value: Located): string {
  const { at } = value
  const record = recordOf({ kind: 'mapping', at, entries: new Map([[option, { key: at, value }]]) }, {}, (text) => text)
  const written = record[option]
  const isPlain = typeof written === 'string' && /^[^\p{C}\s",=[\]{}]+$/u.test(written) && !looksOther(written)
  return isPlain ? written : JSON.stringify(written)
}

/** The values of a key as tables show them: by `use` alone, or by `model` or `path`, where that tells them apart. */
function variedTexts(option: string, values: readonly Located[]): readonly string[] {
  for (const key of ['use', 'model', 'path']) {
    const names = values.flatMap((value) => {
      const name = value.kind === 'mapping' ? (child(value, key) ?? child(value, 'use')) : value
      return name ? [variedText(option, name)] : []
    })
    if (new Set(names).size === values.length && names.every((name) => /^[^[{]/.test(name))) return names
  }
  return values.map((value) => variedText(option, value))
}

/** Whether a text would read as a number, true, false or null. */
const looksOther = (text: string): boolean => /^(true|false|null)$/.test(text) || !Number.isNaN(Number(text))

/** Whether no value of a list looks like an earlier one; each that does is reported. */
export function noneTwice(option: string, values: readonly Located[], report: ReportError): boolean {
  const texts = values.map((value) => variedText(option, value))
  const repeated = values.filter((_, index) => texts.indexOf(itemAt(texts, index)) < index)
  for (const value of repeated) report(value.at, `${quoted(variedText(option, value))} is listed twice; remove one`)
  return repeated.length === 0
}

/** For each dimension the place of its value, from 0. */
type Places = readonly number[]

/**
 * What a design makes of a start: for each combination that it chooses, the start with a value of every dimension. None
 * where there would be more than `most`, which is reported.
 */
export function designed<T, D extends Dimension>(
  start: T,
  dimensions: readonly D[],
  withPlace: (sofar: T, dimension: D, place: number) => T,
  {
    design = 'all',
    most,
    what,
    report,
  }: {
    readonly design?: Design | undefined
    readonly most: number
    readonly what: string
    readonly report: ReportError
  },
): readonly T[] {
  const sizes = dimensions.map(({ values }) => values.length)
  const count =
    design === 'all' ? sizes.reduce((all, size) => all * size, 1) : sizes.reduce((all, size) => all + size - 1, 1)
  const last = dimensions.at(-1)
  if (count > most && last) {
    report(last.at, `gives ${count} ${what}; the limit is ${most}`)
    return []
  }
  return (design === 'all' ? combinations(sizes) : oneAtATime(sizes)).map((places) =>
    dimensions.reduce((sofar, dimension, index) => withPlace(sofar, dimension, itemAt(places, index)), start),
  )
}

const placesOf = (size: number): Places => Array.from({ length: size }, (_, place) => place)

/** Every combination, the last key changing fastest. */
const combinations = (sizes: readonly number[]): readonly Places[] =>
  sizes.reduce<readonly Places[]>(
    (runs, size) => runs.flatMap((run) => placesOf(size).map((place) => [...run, place])),
    [[]],
  )

/** The first value of every key, and each other value of one key with the first of all others. */
function oneAtATime(sizes: readonly number[]): readonly Places[] {
  const base = sizes.map(() => 0)
  const others = (size: number, key: number) =>
    placesOf(size)
      .slice(1)
      .map((place) => base.with(key, place))
  return [base, ...sizes.flatMap(others)]
}
