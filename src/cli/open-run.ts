import { openResults, type Results } from '../run/index.ts'
import { plain } from '../text/plain.ts'
import { printNotice } from './terminal/print.ts'

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
