import type { MethodRecord } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'

/** A varied option that is a number, and the rows that vary it, in the order of the table. */
export interface Sweep {
  /** Its name, dotted where it lies within another option. */
  readonly option: string
  readonly steps: readonly Step[]
}

/** A row at one value of the option; `series` names the method and what else is varied. */
export interface Step {
  readonly row: MethodRecord
  readonly series: string
  readonly x: number
}

/** What was varied, read from the options that differ between the variants of a method; options of one name share a sweep. */
export function sweepsOf(methods: readonly MethodRecord[]): readonly Sweep[] {
  const sweeps = new Map<string, Step[]>()
  for (const label of new Set(methods.map(({ method }) => method))) {
    const variants = methods
      .filter(({ method, variant }) => method === label && variant !== '')
      .map((row) => ({ row, options: flat(row.options) }))
    const varied = [...new Set(variants.flatMap(({ options }) => [...options.keys()]))].filter(
      (option) => new Set(variants.map(({ options }) => text(options.get(option)))).size > 1,
    )
    for (const option of varied) {
      const steps = variants.flatMap(({ row, options }): Step[] => {
        const x = options.get(option)
        const others = varied.filter((other) => other !== option).map((other) => `${other}=${text(options.get(other))}`)
        const series = others.length === 0 ? label : `${label} (${others.join(', ')})`
        return typeof x === 'number' ? [{ row, series, x }] : []
      })
      if (steps.length > 0) sweeps.set(option, [...(sweeps.get(option) ?? []), ...steps])
    }
  }
  return Array.from(sweeps, ([option, steps]) => ({ option, steps }))
}

const text = (value: unknown): string => (typeof value === 'string' ? value : canonicalJson(value ?? null))

/** Options by their dotted names. */
function flat(options: unknown, prefix = ''): ReadonlyMap<string, unknown> {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return new Map([[prefix, options]])
  const inner = Object.entries(options).map(([name, value]) => flat(value, prefix === '' ? name : `${prefix}.${name}`))
  return new Map(inner.flatMap((map) => [...map]))
}
