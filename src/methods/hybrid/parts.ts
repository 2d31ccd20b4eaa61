import { z } from 'zod'
import { filesOf } from '../../define.ts'
import { unknownName } from '../../text/names.ts'
import { whatIsWrong } from '../../text/shape-faults.ts'
import type { Method } from '../../types.ts'

/** A method that a hybrid asks, by name, and its own options beside it. */
export type PlannedPart = Readonly<Record<string, unknown>> & { readonly use: string }

/** A method of the menu with its options. */
export interface Part {
  readonly method: Method
  readonly options: unknown
}

/** One of `of`: a name, or a mapping with `use` and options. What cannot be combined is refused in one line. */
export const partSchema = (menu: readonly Method[]) =>
  z.union([z.string().min(1), z.looseObject({ use: z.string().min(1) })]).transform((given, context): PlannedPart => {
    const { use, ...written } = typeof given === 'string' ? { use: given } : given
    const refuse = (message: string, path: PropertyKey[]): never => {
      context.issues.push({ code: 'custom', message, path, input: given })
      return z.NEVER
    }
    const where = typeof given === 'string' ? [] : ['use']
    const refusal = refusalOf(use, menu)
    const method = menu.find(({ name }) => name === use)
    if (refusal !== undefined || !method) return refuse(refusal ?? '', where)
    const read = method.options.safeParse(written)
    if (!read.success) {
      for (const issue of read.error.issues) {
        const known = Object.keys('shape' in method.options ? (method.options.shape as object) : {})
        if (issue.code === 'unrecognized_keys')
          refuse(unknownName('option', issue.keys[0] ?? '', known), [issue.keys[0] ?? ''])
        else refuse(whatIsWrong(issue, written), issue.path)
      }
      return z.NEVER
    }
    const [file] = filesOf(method.options, read.data)
    if (file) return refuse(`names a file, which a method within a hybrid cannot`, [file[0]])
    if (method.answers?.(read.data))
      return refuse(`"${use}" answers questions itself with these options: it has no ranking to combine`, where)
    return { use, ...(read.data as object) }
  })

/** The methods and options that parsed entries stand for. */
export const partsOf = (planned: readonly PlannedPart[], menu: readonly Method[]): readonly Part[] =>
  planned.flatMap(({ use, ...options }) => {
    const method = menu.find(({ name }) => name === use)
    return method ? [{ method, options }] : []
  })

/** Names for parts, which tell two of one method apart: `bm25`, `bm25 2`. */
export const partNames = (parts: readonly Part[]): readonly string[] =>
  parts.map(({ method: { name } }, index) => {
    const before = parts.slice(0, index).filter(({ method }) => method.name === name).length
    return before === 0 ? name : `${name} ${before + 1}`
  })

/** Why a method cannot be one of those that a hybrid combines. */
function refusalOf(use: string, menu: readonly Method[]): string | undefined {
  const able = menu.filter((method) => searches(method) && !method.program).map(({ name }) => name)
  if (able.includes(use)) return undefined
  const instead = `combine any of ${able.join(', ')}`
  if (use === 'hybrid') return `a hybrid cannot be one of the methods that a hybrid combines; ${instead}`
  if (/\.(ts|js|mjs)$/.test(use)) return `a method in a file of your own cannot be combined; ${instead}`
  const known = menu.find(({ name }) => name === use)
  if (!known) return unknownName('method', use, able)
  return known.program
    ? `"${use}" runs a program of your own, which cannot be combined; ${instead}`
    : `"${use}" is a row for orientation, which does not search; ${instead}`
}

const searches = ({ context, ranks }: Method): boolean => context === undefined && ranks !== false
