import { parse } from 'yaml'
import { messageOf, UserError } from '../errors.ts'

/** The options that `--set option=value` names; each value is YAML. Throws UserError for what is no such pair. */
export const optionValues = (set: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    set.map((assignment) => {
      const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(assignment) ?? []
      if (key === '') throw new UserError(`--set ${assignment}: expected option=value`)
      return [key, valueOf(value, assignment)]
    }),
  )

function valueOf(text: string, assignment: string): unknown {
  try {
    return parse(text) as unknown
  } catch (error) {
    throw new UserError(`--set ${assignment}: ${messageOf(error)}`, { cause: error })
  }
}
