import pc from 'picocolors'
import { verify } from '../../api/verify.ts'
import { exitCodes, interruptible } from '../ending.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'

export interface VerifyFlags extends JsonFlag {
  readonly results: string
  readonly cacheFolder: string
  readonly trust: boolean
}

/** `gembench verify`: prints what was checked; exit code 3 where something differs, or cannot be checked. */
export async function verifyCommand(name: string, { results, cacheFolder, trust, json }: VerifyFlags): Promise<void> {
  const { folder, ok: allOk, checks } = await verify(name, { results, cacheFolder, trust, signal: interruptible() })
  if (!allOk) process.exitCode = exitCodes.incomplete
  if (json) printJson({ folder, checks })
  else for (const { check, ok, said } of checks) print(`${words[String(ok)] ?? ''}  ${plain(check)}: ${plain(said)}`)
}

const words: Readonly<Record<string, string>> = {
  true: 'same   ',
  false: pc.red('differs'),
  null: 'unknown',
  undefined: 'none   ',
}
