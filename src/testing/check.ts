import { isDeepStrictEqual } from 'node:util'
import type { ZodType } from 'zod'
import { messageOf } from '../errors.ts'

/** One promise of a plug-in, as data: `run` throws an Error with one line that says what is wrong, with which input, and what is expected. */
export interface Check {
  readonly name: string
  run(): Promise<void>
}

/** What is wrong, in one line; undefined where nothing is. */
export type Fault = string | undefined

/** Makes a check of a function that gives a fault or none; the subject begins every message. */
export type CheckOf = (name: string, fault: () => Fault | Promise<Fault>) => Check

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

function issueOf({
  issues: [issue],
}: {
  readonly issues: readonly { path: PropertyKey[]; message: string }[]
}): string {
  const place = issue?.path.map(String).join('.') ?? ''
  return `${place === '' ? '' : `${place}: `}${messageOf(issue?.message ?? 'refused')}`
}
