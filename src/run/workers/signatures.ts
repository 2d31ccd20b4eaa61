import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { userConfigFile } from '../../basics/user-config-file.ts'
import { knowSecret, messageOf, UserError } from '../../errors.ts'

/** Signs and verifies messages with a key that runs and workers share. */
export interface Signatures {
  /** `subject`: what the data is, so that a signature is not valid for anything else. */
  sign(subject: string, data: Uint8Array | string): Buffer
  /** The data; undefined, and counted, for an invalid signature. */
  open(subject: string, message: Uint8Array): Buffer | undefined
  /** A line with the number of invalid signatures; undefined without any. */
  describeRejected(): string | undefined
}

/** The variable that holds the key. */
export const keyVariable = 'GEMBENCH_QUEUE_KEY'

/** The key of the environment, or of a file that only the user can read; `report` gets the place of the file. */
export function queueKey(report: (line: string) => void): string {
  const set = process.env[keyVariable]
  const key = set === undefined || set === '' ? readKeyFile(report) : set
  knowSecret(key)
  return key
}

function readKeyFile(report: (line: string) => void): string {
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
  report(`the key of the queue is in ${file}; on other computers, set ${keyVariable} to it`)
  return readFileSync(file, 'utf8').trim()
}

export function signaturesOf(key: string): Signatures {
  let rejectedCount = 0
  const macOf = (subject: string, data: Uint8Array | string): Buffer =>
    createHmac('sha256', key).update(`${subject.length} ${subject}\n`).update(data).digest()
  return {
    sign: (about, data) => Buffer.concat([macOf(about, data), Buffer.from(data)]),
    open(subject, message) {
      const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
      const mac = bytes.subarray(0, macBytes)
      const data = bytes.subarray(macBytes)
      if (mac.length === macBytes && timingSafeEqual(mac, macOf(subject, data))) return data
      rejectedCount++
      return undefined
    },
    describeRejected: () =>
      rejectedCount === 0
        ? undefined
        : `${rejectedCount} entries of the queue were not signed with its key and were dropped: someone else writes there, or with another key (${keyVariable})`,
  }
}

const macBytes = 32
