import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ZodType } from 'zod'
import { messageOf, UserError } from '../errors.ts'
import { memoise } from './memoise.ts'

/** Items of one kind by the names that a config uses; an item is loaded when it is asked for. */
export interface Registry<T> {
  readonly names: readonly string[]
  /** The item of that name, the same one at every call; undefined where there is none. */
  load(name: string): Promise<T | undefined>
  all(): Promise<readonly T[]>
}

/** The registry of items by name, each as a function that loads it. */
export function registryOf<T>(items: Readonly<Record<string, () => Promise<T>>>): Registry<T> {
  const names = Object.keys(items)
  const load = memoise(async (name: string) => (Object.hasOwn(items, name) ? items[name]?.() : undefined))
  return {
    names,
    load,
    all: () => Promise.all(names.map((name) => itemNamed({ load }, name))),
  }
}

/** The item of a name that is in the registry. Throws Error where it is not. */
export async function itemNamed<T>(registry: Pick<Registry<T>, 'load'>, name: string): Promise<T> {
  const item = await registry.load(name)
  if (item === undefined) throw new Error(`there is no "${name}" in the registry`)
  return item
}

/** What a config may write for the options of the item that a function loads. */
export type OptionsOf<Load extends () => Promise<{ readonly options: ZodType }>> =
  Awaited<ReturnType<Load>>['options'] extends ZodType<unknown, infer Input> ? Input : never

/** A package that gembench may do without, and the version that its reader was written for. */
export interface OptionalPackage {
  readonly kind: string
  readonly package: string
  readonly version: string
}

/** Scripts of packages ask other hosts than the registry, and none of these packages needs its own. */
export const installLine = (...packages: readonly Pick<OptionalPackage, 'package' | 'version'>[]): string =>
  ['npm install --ignore-scripts', ...packages.map((wanted) => `${wanted.package}@${wanted.version}`)].join(' ')

/** What an optional package exports. Throws UserError with the command that installs it. `name`: in tests. */
export async function loadOptional(wanted: OptionalPackage, name = wanted.package): Promise<unknown> {
  checkVersion(wanted)
  try {
    return (await import(name)) as unknown
  } catch (error) {
    throw cannotLoad(wanted, error)
  }
}

/** The file that a thread has to require for the package; throws as `loadOptional` does. */
export function resolveOptional(wanted: OptionalPackage): string {
  checkVersion(wanted)
  try {
    return require.resolve(wanted.package)
  } catch (error) {
    throw cannotLoad(wanted, error)
  }
}

/** The UserError of a package that is missing, or is there and does not load. */
export const cannotLoad = (wanted: OptionalPackage, error: unknown): UserError =>
  new UserError(
    `${wanted.kind}: ${wanted.package} cannot be loaded; install it next to gembench: ${installLine(wanted)} (${messageOf(error).replace(/ Require stack:.*/, '')})`,
    { cause: error },
  )

const require = createRequire(import.meta.url)

function checkVersion(wanted: OptionalPackage): void {
  const installed = installedVersion(wanted.package)
  if (installed === undefined || major(installed) === major(wanted.version)) return
  throw new UserError(
    `${wanted.kind}: ${wanted.package} ${installed} is installed, ${wanted.version} is wanted: ${installLine(wanted)}`,
  )
}

const major = (version: string): string | undefined => version.split('.')[0]

/** Undefined where there is none. It is looked for as Node looks for packages. */
function installedVersion(name: string): string | undefined {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return (JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as { version: string }).version
    } catch {
      continue
    }
  }
  return undefined
}
