import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { messageOf, UserError } from '../errors.ts'

/** A package that gembench may do without, and the version that its reader was written for. */
export interface OptionalPackage {
  readonly kind: string
  readonly package: string
  readonly version: string
}

/** Scripts of packages ask other hosts than the registry, and none of these packages needs its own. */
export const installLine = (wanted: Pick<OptionalPackage, 'package' | 'version'>): string =>
  `npm install --ignore-scripts ${wanted.package}@${wanted.version}`

/**
 * What the package exports; `name`: what is imported, the package itself but in tests. Throws UserError with the command that installs it
 * where it cannot be loaded or is of another major version.
 */
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

/** Undefined where there is none. Packages do not export their package.json, so it is looked for as Node looks for packages. */
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
