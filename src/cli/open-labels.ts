import { readFile } from 'node:fs/promises'
import { messageOf, UserError } from '../errors.ts'
import { readLabels, type Labels } from '../report/judge/read-labels.ts'

/** Reads a file of human labels; `rangeFor` gives the range of the scores of a scorer by its label. Throws UserError. */
export async function openLabels(
  file: string,
  rangeFor: (scorer: string) => readonly [number, number],
): Promise<Labels> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UserError(`cannot read ${file}: ${messageOf(error)}`, { cause: error })
  })
  return readLabels(file, text, rangeFor)
}
