import type { ZodType } from 'zod'
import { messageOf, UserError } from '../errors.ts'
import { memoise } from './memoise.ts'

/**
 * Items of one kind, by the names that a config uses. Names are known at once; an item is loaded when it is asked for.
 */
export interface Menu<T> {
  /** In the order of the menu. */
  readonly names: readonly string[]
  /** The item of that name, the same one at every call; undefined where there is none. */
  load(name: string): Promise<T | undefined>
  /** Every item, in the order of the menu. */
  all(): Promise<readonly T[]>
}

/** The menu of items that stand under their names, each as a function that loads it. */
export function menuOf<T>(items: Readonly<Record<string, () => Promise<T>>>): Menu<T> {
  const names = Object.keys(items)
  const load = memoise(async (name: string) => (Object.hasOwn(items, name) ? items[name]?.() : undefined))
  return {
    names,
    load,
    all: () => Promise.all(names.map((name) => itemNamed({ load }, name))),
  }
}

/** The item of a name that is known to be on the menu. Throws Error where it is not. */
export async function itemNamed<T>(menu: Pick<Menu<T>, 'load'>, name: string): Promise<T> {
  const item = await menu.load(name)
  if (item === undefined) throw new Error(`there is no "${name}" on the menu`)
  return item
}

/** What a config may write for the options of the item that a function loads. */
export type OptionsOf<Load extends () => Promise<{ readonly options: ZodType }>> =
  Awaited<ReturnType<Load>>['options'] extends ZodType<unknown, infer Input> ? Input : never

/**
 * What an optional package exports. `name` is what is imported, another name in tests alone. Throws UserError with the
 * command that installs it.
 */
export async function loadOptional(wanted: OptionalPackage, name = wanted.package): Promise<unknown> {
  try {
    return (await import(name)) as unknown
  } catch (error) {
    throw new UserError(
      `${wanted.kind}: ${wanted.package} cannot be loaded; install it next to gembench: npm install ${wanted.package}@${wanted.version} (${messageOf(error)})`,
      { cause: error },
    )
  }
}

/** A package that is not installed with gembench, and the version that its reader was written for. */
interface OptionalPackage {
  readonly kind: string
  readonly package: string
  readonly version: string
}
