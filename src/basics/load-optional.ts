import { messageOf, UserError } from '../errors.ts'

/** A package that is not installed with gembench, and the version that its reader was written for. */
export interface OptionalPackage {
  readonly kind: string
  readonly package: string
  readonly version: string
}

/** What the package exports; `name`: what is imported, the package itself but in tests. Throws UserError with the command that installs it. */
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
