import { z, type ZodType } from 'zod'
import { UserError } from '../../errors.ts'

/** The value in the shape of the schema; `within` is where it lies in its record. Throws UserError: `file:3: question 2 lacks "options"; expected QuALITY v1.0.1 (…)`. */
export function shape<T>(
  schema: ZodType<T>,
  value: unknown,
  where: string,
  expected: string,
  within: readonly PropertyKey[] = [],
): T {
  const read = schema.safeParse(value, { reportInput: true })
  if (read.success) return read.data
  const [issue] = read.error.issues
  const path = [...within, ...(issue?.path ?? [])]
  const last = path.at(-1)
  const absent = ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue?.code ?? '')
  const missing = absent && issue?.input === undefined && typeof last === 'string'
  const complaint = missing
    ? `${place(path.slice(0, -1))} lacks "${last}"`
    : `${place(path)}: ${(issue?.message ?? '').replace(/^Invalid input: /, '')}`
  throw new UserError(`${where}: ${complaint.replace(/^:? /, '')}; expected ${expected}`)
}

/** A text that is more than white space. */
export const words = z.string().regex(/\S/, 'is empty')

/** Whether a value read from JSON is an object, not a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `['questions', 2, 'options']` -> `question 3, options` */
function place(path: readonly PropertyKey[]): string {
  return path.reduce<string>((said, step) => {
    if (typeof step === 'number') return `${said.replace(/(?<=\w{3})s$/, '')} ${step + 1}`
    return said === '' ? String(step) : `${said}, ${String(step)}`
  }, '')
}
