import type { z, ZodType } from 'zod'
import { toDotPath } from 'zod/v4/core'
import { nearest } from './names.ts'

/** A validation error: `"kinds" is missing: give …`. */
interface ShapeFault {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The validation errors of a value, with `advice` by property path (`tasks.prompt`) or a prefix of it. */
export function validationErrors(
  schema: ZodType,
  value: unknown,
  advice: Readonly<Record<string, string>>,
): readonly ShapeFault[] {
  const read = schema.safeParse(value)
  return read.success ? [] : read.error.issues.map((issue) => faultOf(issue, value, advice))
}

function faultOf(issue: z.core.$ZodIssue, root: unknown, advice: Readonly<Record<string, string>>): ShapeFault {
  const { path } = issue
  const place = path.length === 0 ? 'it' : `"${toDotPath(path)}"`
  const give = adviceAt(path, advice)
  return { path, message: `${place} ${whatIsWrong(issue, root)}${give === undefined ? '' : `: ${give}`}` }
}

function whatIsWrong(issue: z.core.$ZodIssue, root: unknown) {
  const value = valueAt(root, issue.path)
  if (value === undefined) return 'is missing'
  if (issue.code === 'custom') return issue.message
  if (issue.code === 'unrecognized_keys') return `has an unknown key ${describe(issue.keys[0])}`
  const near =
    issue.code === 'invalid_value' && typeof value === 'string' ? nearest(value, issue.values.map(String)) : undefined
  return `must not be ${describe(value)}${near === undefined ? '' : ` (did you mean "${near}"?)`}`
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      value === null || value === undefined ? undefined : (value as Readonly<Record<PropertyKey, unknown>>)[key],
    root,
  )
}

function adviceAt(path: readonly PropertyKey[], advice: Readonly<Record<string, string>>): string | undefined {
  const names = path.filter((step) => typeof step !== 'number').map(String)
  for (let length = names.length; length > 0; length--) {
    const hint = advice[names.slice(0, length).join('.')]
    if (hint !== undefined) return hint
  }
  return undefined
}

/** A short description of a value: texts and numbers literally, others by kind. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
