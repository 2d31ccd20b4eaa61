import { hidden } from '../../basics/secrets.ts'

const secretKeys = /^(api[-_]?key|headers|authorization|password|secret|(\w+[-_])?token)$/i

/** Whether the value under a key is nobody's business. */
export const isSecretKey = (key: string): boolean => secretKeys.test(key)

/** A secret as it may be written to disk: only the names of environment variables, and the word Bearer. */
export const withoutSecret = (written: string): string =>
  /^(Bearer |Basic )?(\$\{\w+\})+$/.test(written) ? written : hidden

/** A text as it may be written to disk: an address without user name and password. */
export const withoutCredentials = (text: string): string => text.replace(/:\/\/[^/?#\s]*@/g, `://${hidden}@`)

/** `--set` as it may be shown: without the value where a secret could stand in it. A number of the budget or of chunks is none, as in `budget.token=3`. */
export const withoutSetSecret = (set: string): string =>
  /key|headers|authorization|password|secret|token\b/i.test(set) && !plainNumber.test(set)
    ? set.replace(/=.*/s, `=${hidden}`)
    : set

const plainNumber = /^(budget|chunks)\.\w+=\s*(-?\d{1,9}(\.\d{1,9})?|true|false)\s*$/
