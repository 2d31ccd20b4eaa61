import { itemAt } from '../../basics/collections.ts'
import type { VariedValue } from '../../records.ts'
import { oneLine, type ReportError, quoted } from '../errors/error-list.ts'
import { isSecretKey, recordOf } from '../record/record.ts'
import { configSchema, designs, variableKeys } from '../schema.ts'
import { child, type Located, type SourceLocation } from '../source/located-value.ts'
import { change, merge } from '../source/merge.ts'

/** A config as one run reads it, and the values of the keys of it that are varied. */
export interface ConfigRun {
  readonly root: Located
  readonly varied: readonly VariedValue[]
}

interface Dimension {
  readonly option: string
  readonly at: SourceLocation
  readonly values: readonly Located[]
  readonly texts: readonly string[]
}

const mostRuns = 100

/** Whether a key of `vary` is one of the config itself; one of a method, by its name or label, otherwise. */
export const isConfigKey = (key: string): boolean => Object.hasOwn(configSchema.shape, key.split('.')[0] ?? key)

/**
 * The runs of a config: the combinations of the keys of the config that `vary` names, as `design` chooses them; each
 * without these keys in its `vary`, and without `design`. One run, the config as it is, where none is named. Mistakes
 * are reported.
 */
export function configRuns(root: Located, report: ReportError): readonly ConfigRun[] {
  const vary = child(root, 'vary')
  const written = child(root, 'design')
  const isIdle = vary?.kind !== 'mapping' || ![...vary.entries.keys()].some(isConfigKey)
  if (written && isIdle)
    report(written.at, 'design chooses among the runs of a config, and vary names no key of the config: leave it out')
  if (root.kind !== 'mapping' || vary?.kind !== 'mapping') return [{ root, varied: [] }]
  // what is no list, or an empty one, stays there and is reported by the schema
  const own = [...vary.entries].flatMap(([option, { key: at, value }]): Dimension[] =>
    isConfigKey(option) && value.kind === 'list' && value.items.length > 0
      ? [{ option, at, values: value.items, texts: variedTexts(option, value.items) }]
      : [],
  )
  const dimensions = own.filter((dimension) => isSound(dimension, report))
  for (const { option, at } of dimensions) {
    const outer = dimensions.find((other) => option.startsWith(`${other.option}.`))
    if (outer) report(at, `"${option}" lies within "${outer.option}", which is varied too`)
  }
  const design = designs.find((name) => written?.kind === 'scalar' && written.value === name)
  const sizes = dimensions.map(({ values }) => values.length)
  const runs = runsOfDesign(design ?? 'all', sizes, mostRuns)
  const last = dimensions.at(-1)
  if (typeof runs === 'number' && last) report(last.at, `gives ${runs} runs of the config; the limit is ${mostRuns}`)
  const left = new Map([...vary.entries].filter(([key]) => !own.some(({ option }) => option === key)))
  const entries = new Map(root.entries)
  if (left.size > 0) entries.set('vary', { key: vary.at, value: { ...vary, entries: left } })
  else entries.delete('vary')
  // a wrong one stays there and is reported by the schema
  if (design) entries.delete('design')
  const start: ConfigRun = { root: { ...root, entries }, varied: [] }
  if (typeof runs === 'number') return [start]
  return runs.map((places) =>
    dimensions.reduce((run, dimension, index) => {
      const at = itemAt(places, index)
      return withValue(run, dimension, itemAt(dimension.values, at), itemAt(dimension.texts, at), report)
    }, start),
  )
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
  { option, at }: Dimension,
  value: Located,
  text: string,
  report: ReportError,
): ConfigRun {
  const path = option.split('.')
  return {
    root: change(root, { at, path, value: (old) => merge(old, value, path) }, report),
    varied: [...varied, { option, text }],
  }
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

/** A run: for each key the place of its value, from 0. */
type Places = readonly number[]

/** The runs of a design over keys of so many values; where there are more than `most`, how many. */
function runsOfDesign(
  design: (typeof designs)[number],
  sizes: readonly number[],
  most: number,
): readonly Places[] | number {
  const count =
    design === 'all' ? sizes.reduce((all, size) => all * size, 1) : sizes.reduce((all, size) => all + size - 1, 1)
  if (count > most) return count
  return design === 'all' ? combinations(sizes) : oneAtATime(sizes)
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
