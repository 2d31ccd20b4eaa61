import type { VariedValue } from '../../records.ts'
import { oneLine, type ReportError } from '../errors/error-list.ts'
import { isSecretKey } from '../record/secrets.ts'
import { configSchema, variableKeys } from '../schema.ts'
import { child, type Located, type SourceLocation } from '../source/located-value.ts'
import { change, merge } from '../source/merge.ts'
import { noneTwice, variedTexts } from './varied-text.ts'

/** A config as one run reads it, and the values of the keys of it that are varied. */
export interface ConfigRun {
  readonly root: Located
  readonly varied: readonly VariedValue[]
}

/** A key of the config and the values that it takes. */
interface Dimension {
  readonly option: string
  readonly at: SourceLocation
  readonly values: readonly Located[]
  /** The values as they stand in the tables. */
  readonly texts: readonly string[]
}

const mostRuns = 100

/** Whether a key of `vary` is one of the config itself; one of a method, by its name or label, otherwise. */
export const isConfigKey = (key: string): boolean => Object.hasOwn(configSchema.shape, key.split('.')[0] ?? key)

/**
 * The runs of a config: all combinations of the keys of the config that `vary` names, the last one changing fastest; each without these keys
 * in its `vary`. One run, the config as it is, where none is named. Mistakes are reported.
 */
export function configRuns(root: Located, report: ReportError): readonly ConfigRun[] {
  const vary = child(root, 'vary')
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
  const size = dimensions.reduce((product, { values }) => product * values.length, 1)
  const last = dimensions.at(-1)
  if (size > mostRuns && last) report(last.at, `gives ${size} runs of the config; the limit is ${mostRuns}`)
  const left = new Map([...vary.entries].filter(([key]) => !own.some(({ option }) => option === key)))
  const entries = new Map(root.entries)
  if (left.size > 0) entries.set('vary', { key: vary.at, value: { ...vary, entries: left } })
  else entries.delete('vary')
  const start: readonly ConfigRun[] = [{ root: { ...root, entries }, varied: [] }]
  return size > mostRuns
    ? start
    : dimensions.reduce(
        (runs, dimension) =>
          runs.flatMap((run) =>
            dimension.values.map((value, at) => withValue(run, dimension, value, dimension.texts[at] ?? '', report)),
          ),
        start,
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
