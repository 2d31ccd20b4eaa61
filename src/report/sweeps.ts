import type { MethodRecord } from '../records.ts'
import { canonicalJson } from '../text/hash.ts'

/** A varied option or key of the config whose values are numbers, and the rows of a table. */
export interface Sweep {
  /** Its name, dotted where it lies within another. */
  readonly option: string
  /** The rows that vary it, in the order of the table. */
  readonly steps: readonly Step[]
  /** The rows that vary nothing: those of another ablation are not drawn. */
  readonly others: readonly MethodRecord[]
}

/** A row at one value of the option; `curve` names the method and what else is varied, `others` that alone. */
interface Step {
  readonly row: MethodRecord
  readonly curve: string
  readonly others: string
  readonly x: number
}

/** The rows of one curve by the rising values of the option. */
export interface Curve {
  readonly curve: string
  readonly steps: readonly Pick<Step, 'row' | 'x'>[]
}

/** The curves of a sweep, in the order of its rows. */
export const curvesIn = ({ steps }: Sweep): readonly Curve[] =>
  [...new Set(steps.map(({ curve }) => curve))].map((curve) => ({
    curve,
    steps: steps.filter((step) => step.curve === curve).toSorted((a, b) => a.x - b.x),
  }))

/** A key whose numbers are names. */
const nominal = 'seed'

/** What was varied, by the names of the options; options of one name share a sweep. */
export function sweepsOf(methods: readonly MethodRecord[]): readonly Sweep[] {
  const sweeps = new Map<string, Step[]>()
  for (const label of new Set(methods.map(({ method }) => method))) {
    const variants = methods
      .filter(({ method, variant }) => method === label && variant !== '')
      .map((row) => ({ row, values: valuesOf(row) }))
    const varied = [...new Set(variants.flatMap(({ values }) => [...values.keys()]))].filter(
      (option) => new Set(variants.map(({ values }) => values.get(option))).size > 1,
    )
    for (const option of varied.filter((one) => one !== nominal)) {
      const steps = variants.flatMap(({ row, values }): Step[] => {
        const x = Number(values.get(option) ?? NaN)
        const rest = varied.filter((other) => other !== option).map((other) => [other, values.get(other) ?? 'null'])
        const curve = rest.length === 0 ? label : `${label} (${rest.map((one) => one.join('=')).join(', ')})`
        return Number.isFinite(x) ? [{ row, curve, others: rest.map((one) => one.join(' ')).join(', '), x }] : []
      })
      if (steps.length > 0) sweeps.set(option, [...(sweeps.get(option) ?? []), ...steps])
    }
  }
  return Array.from(sweeps, ([option, steps]) => {
    return { option, steps, others: methods.filter(({ variant }) => variant === '') }
  })
}

/**
 * The values of a row's options, as texts that are numbers only where the values are. A row of an earlier version does
 * not say which were varied: all of them.
 */
const valuesOf = ({ varied, options }: MethodRecord): ReadonlyMap<string, string> =>
  varied ? new Map(varied.map(({ option, text }) => [option, text])) : flat(options)

/** Options by their dotted names. */
function flat(options: unknown, prefix = ''): ReadonlyMap<string, string> {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    return new Map([[prefix, textOf(options)]])
  const inner = Object.entries(options).map(([name, value]) => flat(value, prefix === '' ? name : `${prefix}.${name}`))
  return new Map(inner.flatMap((map) => [...map]))
}

const textOf = (value: unknown): string =>
  typeof value === 'string' && Number.isNaN(Number(value)) ? value : canonicalJson(value ?? null)
