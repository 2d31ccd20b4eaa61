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

/** The flags about trust and cache. */
export interface TrustFlags {
  readonly trust?: boolean
  readonly cache: boolean
  readonly cacheFolder: string
}

/**
 * Asks the user before a config that was found, not named, runs code, sends a key or uses a cache beside it: once per
 * path and digest of these requests and of the files that it runs. Throws UserError if the user refuses.
 */
export async function confirmTrust(
  config: string,
  { trust = false, cache, cacheFolder }: TrustFlags,
  settings: ReadSettings,
): Promise<void> {
  printNotice(`config: ${config}`)
  const { asks, digest } = await trustRequestOf(config, settings)
  const trustedDigest = readDigests()[resolve(config)]
  if (trustedDigest === writtenHere) return
  const isCacheFound =
    trustedDigest === undefined && cache && cacheFolder === defaultCacheFolder && existsSync(cacheFolder)
  const requests = [
    ...(trustedDigest === digest ? [] : asks),
    ...(isCacheFound ? [`uses the cache ${cacheFolder} in this folder`] : []),
  ]
  if (requests.length > 0 && !trust) await askForTrust(config, requests)
  if (trustedDigest !== digest) remember(config, digest, requests.length > 0)
}

/** Trusts a config that init has written, also when it is edited, unless a cache was there before. */
export function trustOwnConfig(config: string): void {
  if (!existsSync(defaultCacheFolder)) remember(config, writtenHere, false)
}

/** In place of a digest: `gembench init` wrote the config on this machine. */
const writtenHere = 'written by gembench init'

interface TrustRequest {
  readonly asks: readonly string[]
  readonly digest: string
}

/** The code that a config runs and the servers that get a key. */
async function trustRequestOf(config: string, settings: ReadSettings): Promise<TrustRequest> {
  const actions = asksOf(await writtenConfig([config], settings))
  const { environment } = settings
  const isKeySet = actions.some(({ kind, name }) => kind === 'variable' && environment[name] !== undefined)
  const asks = actions.flatMap(({ kind, name }) => {
    if (kind === 'plug-in') return [`runs the plug-in ${name}`]
    if (kind === 'program') return [`runs the program ${name}`]
    return kind === 'server' && isKeySet ? [`sends a key to the server ${name}`] : []
  })
  const run = actions.filter(({ kind }) => kind === 'plug-in' || kind === 'program')
  const words = run.flatMap(({ name }) => [name, ...name.split(' ')])
  const files = new Set(words.map((name) => resolve(dirname(config), name)))
  const checksums = await fileChecksums([...files].filter(isFile))
  return { asks, digest: hashOf([asks, checksums]) }
}

async function askForTrust(config: string, requests: readonly string[]): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UserError(`${config} in this folder ${requests.join(' and ')}. If you trust it, add --trust`)
  printNotice([`${config} in this folder`, ...requests].join('\n  '))
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    if (/^y(es)?$/i.test((await terminal.question('Trust it? [y/N] ')).trim())) return
  } finally {
    terminal.close()
  }
  throw new UserError(`${config}: not trusted; nothing was run`)
}

/** The digest of the trusted requests of each config, by its absolute path. */
const trustFile = (): string => userConfigFile('trusted.json')

const digests = z.record(z.string(), z.string())

/** A missing or malformed file trusts nothing. */
function readDigests(): z.infer<typeof digests> {
  try {
    return digests.parse(JSON.parse(readFileSync(trustFile(), 'utf8')))
  } catch {
    return {}
  }
}

function remember(config: string, digest: string, warns: boolean): void {
  const file = trustFile()
  try {
    mkdirSync(dirname(file), { recursive: true })
    const allDigests = { ...readDigests(), [resolve(config)]: digest }
    const text = `${JSON.stringify(allDigests, null, 2)}\n`
    writeFileSync(file, text, { mode: 0o600 })
  } catch (error) {
    if (warns) printNotice(`note: ${file}: cannot be written (${messageOf(error)}), so gembench will ask again`)
  }
}
