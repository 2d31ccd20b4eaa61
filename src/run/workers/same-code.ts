import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeFolder } from '../../basics/files.ts'
import { sha256 } from '../../text/hash.ts'
import { version, versions } from '../results/environment.ts'

/** What results depend on besides a config, by name: our version and our code, and the versions of Node and of our dependencies. */
export type Code = Readonly<Record<string, string>>

/** The code that this process runs. */
export const ownCode = (): Code => ({
  gembench: version(),
  code: digestOf(codeFolder),
  ...versions(),
})

/** What is not the same in the code of a run and of this process, in a few words; undefined where all is. */
export function differenceOf(theirs: Code, ours: Code): string | undefined {
  const name = Object.keys({ ...theirs, ...ours }).find((one) => theirs[one] !== ours[one])
  if (name === undefined) return undefined
  if (name === 'code') return `its gembench ${theirs['gembench'] ?? ''} is not of the same source files as the one here`
  return `it has ${name} ${theirs[name] ?? '(none)'}, and here is ${ours[name] ?? 'none'}`
}

/** The hash of the program's files in a folder: the first 12 hex digits. */
function digestOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test|\.d)\.[jt]s$/.test(name),
  )
  return sha256(
    files
      .sort()
      .map((name) => `${name} ${sha256(readFileSync(join(folder, name)))}`)
      .join('\n'),
  ).slice(0, 12)
}
