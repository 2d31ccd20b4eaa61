import { unknownName } from '../text/nearest.ts'
import type { Labelled } from './choose-labelled.ts'
import { change } from './merge.ts'
import type { Report } from './mistakes.ts'
import { oneLine, quoted } from './mistakes.ts'
import type { Place, Placed, PlacedMapping } from './placed.ts'
import { plainWritten, writtenText } from './placed.ts'
import { isSecretKey } from './secrets.ts'

/** One set of options of a method; `variant` names what was varied: `components=2, questions=5`. */
export interface Variant {
  readonly variant: string
  readonly options: PlacedMapping
}

/** An option of some methods and the values that it takes. */
interface Dimension {
  readonly option: string
  readonly at: Place
  readonly methods: readonly Labelled[]
  readonly values: readonly Placed[]
}

const mostVariants = 1000

/** The variants of every method: all combinations of its varied options, the last option changing fastest; the method as it is when nothing is varied. */
export function variants(
  methods: readonly Labelled[],
  vary: Placed | undefined,
  report: Report,
): ReadonlyMap<Labelled, readonly Variant[]> {
  const dimensions = vary?.kind === 'mapping' ? readDimensions(vary, methods, report) : []
  return new Map(
    methods.map((method) => {
      const own = dimensions.filter((dimension) => dimension.methods.includes(method))
      return [method, combine(method, own, report)]
    }),
  )
}

/** What the schema of the config reports already, an odd key or no list, is left out. */
function readDimensions(vary: PlacedMapping, methods: readonly Labelled[], report: Report): readonly Dimension[] {
  return [...vary.entries].flatMap(([key, { key: at, value }]) => {
    if (value.kind !== 'list' || !/^.+\.[^.]+$/s.test(key)) return []
    const target = targetOf(key, methods)
    if (!target) {
      const [name = key] = key.split('.')
      report(at, unknownName('method', oneLine(name), [...new Set(methods.map(({ shown }) => shown))]))
      return []
    }
    const dimension = { ...target, at, values: value.items }
    return isSound(dimension, report) ? [dimension] : []
  })
}

/** A label before a method's name, for labels are the narrower; the longest, for they may hold dots. */
function targetOf(key: string, methods: readonly Labelled[]): Pick<Dimension, 'option' | 'methods'> | undefined {
  const names = (nameOf: (method: Labelled) => string) =>
    methods
      .map(nameOf)
      .filter((name) => key.startsWith(`${name}.`))
      .sort((a, b) => b.length - a.length)
  const [label] = names((method) => method.label)
  const [use] = names((method) => method.item.name)
  const name = label ?? use
  if (name === undefined) return undefined
  return {
    option: key.slice(name.length + 1),
    methods: methods.filter((method) => (label === undefined ? method.item.name : method.label) === name),
  }
}

function isSound({ option, at, values }: Dimension, report: Report): boolean {
  const refused = ['use', 'label'].includes(option) || isSecretKey(option.split('.').at(-1) ?? option)
  if (refused) report(at, `"${option}" cannot be varied; only options of a method can`)
  const twins = values.filter((value, index) => values.findIndex((other) => textOf(other) === textOf(value)) < index)
  for (const twin of twins) report(twin.at, `${quoted(textOf(twin))} stands twice in this list`)
  return !refused && twins.length === 0
}

function combine(method: Labelled, dimensions: readonly Dimension[], report: Report): readonly Variant[] {
  const twin = dimensions.find(({ option }, index) => dimensions.findIndex((other) => other.option === option) < index)
  if (twin) report(twin.at, `"${twin.option}" of ${method.shown} is varied twice`)
  const size = dimensions.reduce((product, { values }) => product * values.length, 1)
  const last = dimensions.at(-1)
  if (size > mostVariants && last)
    report(last.at, `makes ${size} variants of ${method.shown}; at most ${mostVariants} are allowed`)
  if (twin || size > mostVariants) return []
  return dimensions.reduce<readonly Variant[]>(
    (sofar, dimension) =>
      sofar.flatMap((variant) => dimension.values.map((value) => vary(variant, dimension, value, report))),
    [{ variant: '', options: method.options }],
  )
}

function vary({ variant, options }: Variant, { option, at }: Dimension, value: Placed, report: Report): Variant {
  const varied = change(options, { at, path: option.split('.'), value: () => value }, report)
  return {
    variant: `${variant}${variant && ', '}${option}=${textOf(value)}`,
    options: varied.kind === 'mapping' ? varied : options,
  }
}

/** A value as it stands in the tables: plain where it cannot be misread, otherwise JSON; variables stay unexpanded. */
function textOf(value: Placed): string {
  const written = writtenText(value)
  const isPlain = written !== undefined && /^[^\p{C}\s",=[\]{}]+$/u.test(written) && !looksOther(written)
  return isPlain ? written : JSON.stringify(plainWritten(value))
}

/** Whether a text would read as a number, true, false or null. */
const looksOther = (text: string): boolean => /^(true|false|null)$/.test(text) || !Number.isNaN(Number(text))
