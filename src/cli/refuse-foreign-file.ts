import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf, UserError } from '../errors.ts'
import { beginningOf, mark } from '../basics/files.ts'

/** A file that the command did not write is not overwritten; that it can be written is known before anything is asked. */
export async function refuseForeignFile(
  file: string,
  own = mark,
  remedy = 'give another --output, or add --force',
): Promise<void> {
  const beginning = await whatStandsIn(file)
  if (beginning !== '' && !beginning.includes(own))
    throw new UserError(`${file}: was not made by this command and is not overwritten; ${remedy}`)
}

/** The first 200 bytes of a file; none where there is no file yet. */
async function whatStandsIn(file: string): Promise<string> {
  try {
    return !existsSync(file) && existsSync(dirname(file)) ? '' : await beginningOf(file)
  } catch (error) {
    throw new UserError(`${file}: cannot be written here (${messageOf(error)})`, { cause: error })
  }
}
