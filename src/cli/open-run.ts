import { openResults, type Results } from '../run/index.ts'
import { plain } from '../text/plain.ts'
import { printNotice } from './terminal/print.ts'
import { readFile } from 'node:fs/promises'
import { messageOf, UserError } from '../errors.ts'
import { readLabels, type Labels } from '../report/judge/read-labels.ts'

/** Opens a results folder for a person, who is told of files that were changed after the run ended. Throws UserError where it is none. */
export async function openRun(name: string, root: string): Promise<Results> {
  const results = await openResults(name, root)
  const changed = await results.changed()
  if (changed.length > 0)
    printNotice(
      `note: ${plain(results.folder)}: ${changed.join(', ')} ${changed.length === 1 ? 'is' : 'are'} not as the run left it: numbers from this folder may not be those of the run`,
    )
  return results
}

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
