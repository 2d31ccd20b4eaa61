import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ZodType } from 'zod'
import { messageOf, UserError } from '../errors.ts'
import { memoise } from './memoise.ts'

/** Items of one kind by their config names, loaded on demand. */
export interface Registry<T> {
  readonly names: readonly string[]
  /** The item of that name, cached; undefined for unknown names. */
  load(name: string): Promise<T | undefined>
  all(): Promise<readonly T[]>
}

/** A registry from loader functions by name. */
export function registryOf<T>(items: Readonly<Record<string, () => Promise<T>>>): Registry<T> {
  const names = Object.keys(items)
  const load = memoise(async (name: string) => (Object.hasOwn(items, name) ? items[name]?.() : undefined))
  return {
    names,
    load,
    all: () => Promise.all(names.map((name) => itemOf({ load }, name))),
  }
}

/** A registered item. Throws Error for an unknown name. */
export async function itemOf<T>(registry: Pick<Registry<T>, 'load'>, name: string): Promise<T> {
  const item = await registry.load(name)
  if (item === undefined) throw new Error(`there is no "${name}" in the registry`)
  return item
}

/** The config input of a loaded item's options. */
export type OptionsOf<Load extends () => Promise<{ readonly options: ZodType }>> =
  Awaited<ReturnType<Load>>['options'] extends ZodType<unknown, infer Input> ? Input : never

/** An optional package, and the supported version. */
export interface OptionalPackage {
  readonly kind: string
  readonly package: string
  readonly version: string
}

/** One command for all packages, without install scripts: none of these packages needs its own. */
export const installLine = (...packages: readonly Pick<OptionalPackage, 'package' | 'version'>[]): string =>
  ['npm install --ignore-scripts', ...packages.map((entry) => `${entry.package}@${entry.version}`)].join(' ')

/** The exports of an optional package. Throws UserError with the install command. `name`: for tests. */
export async function loadOptional(dependency: OptionalPackage, name = dependency.package): Promise<unknown> {
  checkVersion(dependency)
  try {
    return (await import(name)) as unknown
  } catch (error) {
    throw cannotLoad(dependency, error)
  }
}

/** The entry file of the package, for a thread; throws like `loadOptional`. */
export function resolveOptional(dependency: OptionalPackage): string {
  checkVersion(dependency)
  try {
    return require.resolve(dependency.package)
  } catch (error) {
    throw cannotLoad(dependency, error)
  }
}

/** The UserError of a package that is missing or does not load. */
export const cannotLoad = (dependency: OptionalPackage, error: unknown): UserError =>
  new UserError(
    `${dependency.kind}: ${dependency.package} cannot be loaded; install it next to gembench: ${installLine(dependency)} (${messageOf(error).replace(/ Require stack:.*/, '')})`,
    { cause: error },
  )

const require = createRequire(import.meta.url)

/** Another package under this name (an alias of npm) counts as missing. */
function checkVersion(dependency: OptionalPackage) {
  const manifest = installedManifest(dependency.package)
  if (manifest === undefined) return
  const { name = dependency.package, version } = manifest
  if (name !== dependency.package) throw cannotLoad(dependency, `${name} ${version} is installed under this name`)
  if (major(version) === major(dependency.version)) return
  throw new UserError(
    `${dependency.kind}: ${dependency.package} ${version} is installed, ${dependency.version} is needed: ${installLine(dependency)}`,
  )
}

const major = (version: string) => version.split('.')[0]

function installedManifest(name: string): { readonly name?: string; readonly version: string } | undefined {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as { name?: string; version: string }
    } catch {
      continue
    }
  }
  return undefined
}
