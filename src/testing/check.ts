import { isDeepStrictEqual } from 'node:util'
import type { ZodError, ZodType } from 'zod'
import { messageOf } from '../errors.ts'
import { checkGraph, checkIndex, statsOf } from '../run/asking/check-index.ts'
import { rankingFault } from '../run/asking/retrieve.ts'
import type { Budget, Index, Method, Passage } from '../types.ts'
import type { MethodInput } from './method-inputs.ts'

/** One promise of a plug-in: `run` throws an Error with one line that says what is wrong and what is expected. */
export interface Check {
  readonly name: string
  run(): Promise<void>
}

/** What is wrong, in one line; undefined where nothing is. */
export type Fault = string | undefined

/** Makes a check of a function that gives a fault or none; the subject begins every message. */
type CheckOf = (name: string, fault: () => Fault | Promise<Fault>) => Check

/** Checks of one subject: `method "bm25"`. */
export const checksOf =
  (subject: string): CheckOf =>
  (name, fault) => ({
    name,
    async run() {
      let found: Fault
      try {
        found = await fault()
      } catch (error) {
        found = messageOf(error)
      }
      if (found !== undefined) throw new Error(`${subject}: ${found}`)
    },
  })

/** The first fault among some, in order. */
export function firstFault<T>(items: Iterable<T>, faultOf: (item: T) => Fault): Fault {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** The same of what takes time, one item after the other. */
export async function firstFaultOfEach<T>(items: Iterable<T>, faultOf: (item: T) => Promise<Fault>): Promise<Fault> {
  for (const item of items) {
    const fault = await faultOf(item)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** What every plug-in has: a name and a summary. */
export const nameChecks = (check: CheckOf, { name, summary }: { readonly name: string; readonly summary: string }) => [
  check('has a name', () =>
    typeof name === 'string' && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)
      ? undefined
      : `the name is ${JSON.stringify(name)}; expected small letters, digits and single hyphens, as "my-plug-in"`,
  ),
  check('has a summary', () =>
    typeof summary === 'string' && /^\S.*\.$/.test(summary)
      ? undefined
      : `the summary is ${JSON.stringify(summary)}; expected one sentence with a full stop`,
  ),
]

/** What every plug-in with options promises, and whether it takes those of the case. */
export const optionChecks = (check: CheckOf, options: ZodType, given: unknown) => [
  check('needs no option', () => {
    if (!isSchema(options))
      return 'options is no zod schema; expected z.strictObject({ … }), or z.strictObject({}) for none'
    const parsed = options.safeParse({})
    return parsed.success
      ? undefined
      : `without options: ${issueOf(parsed.error)}; expected a default for every option: z.….default(…)`
  }),
  check('refuses an unknown option', () =>
    isSchema(options) && options.safeParse({ 'no such option': 1 }).success
      ? 'accepts the unknown option "no such option", so a misspelt one would be ignored; expected z.strictObject({ … })'
      : undefined,
  ),
  check('takes the options that it is checked with', () => {
    if (!isSchema(options) || isDeepStrictEqual(given, {})) return undefined
    const parsed = options.safeParse(given)
    return parsed.success ? undefined : `with the options ${JSON.stringify(given)}: ${issueOf(parsed.error)}`
  }),
]

/** The options of a case, parsed; undefined where they do not fit, which a check says. */
export function parsedOptions(options: ZodType, given: unknown): { readonly options: unknown } | undefined {
  const parsed = isSchema(options) ? options.safeParse(given) : undefined
  return parsed?.success ? { options: parsed.data } : undefined
}

const isSchema = (options: unknown): boolean =>
  typeof options === 'object' &&
  options !== null &&
  typeof (options as { safeParse?: unknown }).safeParse === 'function'

function issueOf({ issues: [issue] }: ZodError): string {
  const place = issue?.path.map(String).join('.') ?? ''
  return `${place === '' ? '' : `${place}: `}${messageOf(issue?.message ?? 'refused')}`
}

/** Why a value cannot be written as JSON and read back the same: `stats.mean is NaN`. */
export function jsonFault(value: unknown, at: string, above: readonly unknown[] = []): Fault {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${at} is ${value}`
  if (typeof value !== 'object') return `${at} is ${value === undefined ? 'undefined' : `a ${typeof value}`}`
  if (above.includes(value)) return `${at} holds itself`
  const within = [...above, value]
  if (Array.isArray(value))
    return firstFault(value.entries(), ([index, item]) => jsonFault(item, `${at}[${index}]`, within))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && (prototype as { constructor?: { name?: string } }).constructor?.name !== 'Object')
    return `${at} is a ${(value.constructor as { name?: string } | undefined)?.name ?? 'strange object'}, no plain object`
  return firstFault(Object.entries(value), ([key, item]) =>
    item === undefined ? undefined : jsonFault(item, `${at}.${key}`, within),
  )
}

/** What a method returned for one question, and where: `(corpus "two chunks", question "plain")`. */
export interface Ranking {
  readonly where: string
  readonly input: MethodInput
  readonly budget: Budget
  readonly passages: readonly Passage[]
}

/** What a run would refuse: no text, an unknown chunk, words not of the spans, a better passage below a worse one. */
export function refusedFault({ passages, input, where }: Ranking): Fault {
  const fault = rankingFault(passages, input)
  return fault && `${fault} ${where}`
}

/** More passages than the budget allows, or than the method's own `context` does. */
export function budgetFault({ context }: Pick<Method, 'context'>, { passages, budget, where }: Ranking): Fault {
  if (context === 'unlimited') return undefined
  const most = context === 'none' ? 0 : budget.passages
  const said = context === 'none' ? 'a method with context: "none"' : `a budget of ${most}`
  return passages.length > most ? `returned ${passages.length} passages for ${said} ${where}` : undefined
}

/** A passage that cannot be kept in a journal. */
export const passageJsonFault = ({ passages, where }: Ranking): Fault =>
  firstFault(passages.entries(), ([index, passage]) => {
    const fault = jsonFault(passage, `passage ${index + 1}`)
    return fault === undefined ? undefined : `${fault} ${where}; expected what JSON can hold`
  })

/** What an index says of itself, where it cannot be written down or a run would refuse it. */
export function saidFault({ index, name }: { readonly index: Index; readonly name: string }, where: string): Fault {
  const { graph, stats, warnings } = index
  const drawn = graph?.()
  const said = { stats: stats?.(), warnings: warnings?.(), graph: drawn }
  const unwritable = firstFault(Object.entries(said), ([what, value]) =>
    value === undefined ? undefined : jsonFault(value, what),
  )
  if (unwritable !== undefined) return `${unwritable} ${where}; expected what JSON can hold`
  const uncounted = Object.entries(said.warnings ?? {}).find(([, count]) => !(Number.isInteger(count) && count >= 0))
  if (uncounted) return `warnings.${uncounted[0]} is ${brief(uncounted[1])} ${where}; expected a count`
  try {
    checkIndex(index, name)
    statsOf(index, name)
    if (drawn) checkGraph(drawn, name)
    return undefined
  } catch (error) {
    return `${messageOf(error)} ${where}`
  }
}

/** A value in few words. */
export function brief(value: unknown): string {
  const written =
    typeof value === 'number' ? String(value) : ((JSON.stringify(value) as string | undefined) ?? typeof value)
  return written.length > 60 ? `${written.slice(0, 57)}…` : written
}
