import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { userConfigFile } from '../../basics/user-config-file.ts'
import { knowSecret } from '../../basics/secrets.ts'
import { messageOf, UserError } from '../../errors.ts'

/** Signs what goes through Redis with a key that runs and workers have, and opens what was signed with it. */
export interface Signatures {
  /** `about`: what the data is and whose, so that it stands for nothing else. */
  sign(about: string, data: Uint8Array | string): Buffer
  /** The data; undefined, and counted, where it was not signed with the key, or for something else. */
  open(about: string, signed: Uint8Array): Buffer | undefined
  /** In a line, how much of what was in Redis was not signed with the key; undefined where all was. */
  noteOnDropped(): string | undefined
}

/** The variable that holds the key. */
export const keyVariable = 'GEMBENCH_QUEUE_KEY'

/** The key of the environment, or of a file that only the user can read; `told` says which. */
export function queueKey(told: (line: string) => void): string {
  const set = process.env[keyVariable]
  const key = set === undefined || set === '' ? keyOfFile(told) : set
  knowSecret(key)
  return key
}

function keyOfFile(told: (line: string) => void): string {
  const file = userConfigFile('queue-key')
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      throw new UserError(
        `${file}: cannot be made (${messageOf(error)}); set ${keyVariable} here and where workers run`,
      )
  }
  told(`the key of the queue is in ${file}; on other computers, set ${keyVariable} to it`)
  return readFileSync(file, 'utf8').trim()
}

export function signaturesOf(key: string): Signatures {
  let dropped = 0
  const macOf = (about: string, data: Uint8Array | string): Buffer =>
    createHmac('sha256', key).update(`${about.length} ${about}\n`).update(data).digest()
  return {
    sign: (about, data) => Buffer.concat([macOf(about, data), Buffer.from(data)]),
    open(about, signed) {
      const bytes = Buffer.from(signed.buffer, signed.byteOffset, signed.byteLength)
      const [mac, data] = [bytes.subarray(0, macBytes), bytes.subarray(macBytes)]
      if (mac.length === macBytes && timingSafeEqual(mac, macOf(about, data))) return data
      dropped++
      return undefined
    },
    noteOnDropped: () =>
      dropped === 0
        ? undefined
        : `${dropped} entries of the queue were not signed with its key and were dropped: someone else writes there, or with another key (${keyVariable})`,
  }
}

const macBytes = 32
