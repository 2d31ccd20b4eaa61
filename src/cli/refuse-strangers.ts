import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf, UserError } from '../errors.ts'
import { mark } from '../basics/graph-mark.ts'

/** A file that the command did not write is not overwritten; that it can be written is known before anything is asked. */
export async function refuseStrangers(file: string): Promise<void> {
  const beginning = await beginningOf(file)
  if (beginning !== '' && !beginning.includes(mark))
    throw new UserError(
      `${file}: was not made by this command and is not overwritten; give another --output, or add --force`,
    )
}

/** The first 200 bytes of a file; none where there is no file yet. */
async function beginningOf(file: string): Promise<string> {
  try {
    if (!existsSync(file) && existsSync(dirname(file))) return ''
    const handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0).finally(() => handle.close())
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    throw new UserError(`${file}: cannot be written here (${messageOf(error)})`, { cause: error })
  }
}
