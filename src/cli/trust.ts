import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { z } from 'zod'
import { isFile } from '../basics/files.ts'
import { userConfigFile } from '../basics/user-config-file.ts'
import { asksOf, writtenConfig, type ReadSettings } from '../config/index.ts'
import { messageOf, UserError } from '../errors.ts'
import { fileChecksums } from '../run/index.ts'
import { hashOf } from '../text/hash.ts'
import { defaultCacheFolder } from './flags.ts'
import { printNotice } from './terminal/print.ts'

/** What a command was told of the config that it takes and of its cache. */
export interface TrustFlags {
  readonly trust?: boolean
  readonly cache: boolean
  readonly cacheFolder: string
}

/**
 * Asks for what a config that was found and not named runs, where it sends a key, and for the cached replies beside it:
 * once for its path and the digest of that list and of the files that it runs. Throws UserError where they are not
 * trusted.
 */
export async function trustFound(
  config: string,
  { trust = false, cache, cacheFolder }: TrustFlags,
  settings: ReadSettings,
): Promise<void> {
  printNotice(`config: ${config}`)
  const { asks, digest } = await asksIn(config, settings)
  const known = trusted()[resolve(config)]
  const isCacheFound = known === undefined && cache && cacheFolder === defaultCacheFolder && existsSync(cacheFolder)
  const listed = [
    ...(known === digest ? [] : asks),
    ...(isCacheFound ? [`takes replies and indexes from the cache that lies here: ${cacheFolder}`] : []),
  ]
  if (listed.length > 0 && !trust) await ask(config, listed)
  if (known !== digest) remember(config, digest, listed.length > 0)
}

/** From now on a config that this program has written is not asked for; a cache that lay there before is. */
export async function trustWritten(config: string, settings: ReadSettings): Promise<void> {
  if (!existsSync(defaultCacheFolder)) remember(config, (await asksIn(config, settings)).digest, false)
}

interface Asked {
  readonly asks: readonly string[]
  readonly digest: string
}

/** What of a config runs code or sends a key. A variable that is not set is no key. */
async function asksIn(config: string, settings: ReadSettings): Promise<Asked> {
  const found = asksOf(await writtenConfig([config], settings))
  const isKeySet = found.some(({ kind, name }) => kind === 'variable' && settings.environment[name] !== undefined)
  const asks = found.flatMap(({ kind, name }) => {
    if (kind === 'plug-in') return [`runs the plug-in ${name}`]
    if (kind === 'program') return [`runs the program ${name}`]
    return kind === 'server' && isKeySet ? [`sends a key to the server ${name}`] : []
  })
  const run = found.filter(({ kind }) => kind === 'plug-in' || kind === 'program')
  const files = run.flatMap(({ name }) => [name, ...name.split(' ')]).map((name) => resolve(dirname(config), name))
  return { asks, digest: hashOf([asks, await fileChecksums([...new Set(files)].filter(isFile))]) }
}

async function ask(config: string, listed: readonly string[]): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UserError(
      `${config}: was found here and not named, and ${listed.join('; ')}: name it with --config ${config}, or give --trust`,
    )
  printNotice(`${config} was found here and not named with --config. It\n${listed.map((one) => `  ${one}`).join('\n')}`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    if (/^y(es)?$/i.test((await terminal.question('Trust it? [y/N] ')).trim())) return
  } finally {
    terminal.close()
  }
  throw new UserError(`${config}: is not trusted; nothing was run`)
}

/** The digest of what was trusted of each config, by its full path. */
const trustFile = (): string => userConfigFile('trusted.json')

const digests = z.record(z.string(), z.string())

/** A file that cannot be read, or is not of this form, trusts nothing. */
function trusted(): z.infer<typeof digests> {
  try {
    return digests.parse(JSON.parse(readFileSync(trustFile(), 'utf8')))
  } catch {
    return {}
  }
}

function remember(config: string, digest: string, isSaid: boolean): void {
  const file = trustFile()
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify({ ...trusted(), [resolve(config)]: digest }, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    if (isSaid) printNotice(`note: ${file}: cannot be written (${messageOf(error)}); it will be asked again`)
  }
}
