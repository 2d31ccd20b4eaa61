import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { userConfigFile } from '../../basics/user-config-file.ts'
import { knowSecret, messageOf, UserError } from '../../errors.ts'

/** The variable that holds the key. */
export const keyVariable = 'GEMBENCH_QUEUE_KEY'

/**
 * Signs and verifies messages with a key that runs and workers share. `subject`: what the data is, so that a signature
 * is not valid for anything else; `report` gets the place of the key, and counts of rejected messages.
 */
export function signaturesOf(report: (line: string) => void) {
  const key = queueKey(report)
  knowSecret(key)
  let rejectedCount = 0
  const macOf = (subject: string, data: Uint8Array | string): Buffer =>
    createHmac('sha256', key).update(`${subject.length} ${subject}\n`).update(data).digest()
  return {
    sign: (subject: string, data: Uint8Array | string) => Buffer.concat([macOf(subject, data), Buffer.from(data)]),
    /** The data; undefined for no message, and for an invalid signature, which is counted. */
    open(subject: string, message: Buffer | null | undefined): Buffer | undefined {
      if (!message) return undefined
      const mac = message.subarray(0, macBytes)
      const data = message.subarray(macBytes)
      if (mac.length === macBytes && timingSafeEqual(mac, macOf(subject, data))) return data
      rejectedCount++
      return undefined
    },
    close(): void {
      if (rejectedCount > 0)
        report(
          `note: ${rejectedCount} entries of the queue were not signed with its key and were dropped: someone else writes there, or with another key (${keyVariable})`,
        )
    },
  }
}

const macBytes = 32

/** The key of the environment, or of a file that only the user can read. */
function queueKey(report: (line: string) => void): string {
  const key = process.env[keyVariable]
  if (key) return key
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
