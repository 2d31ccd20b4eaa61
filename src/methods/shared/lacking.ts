import { z } from 'zod'
import { UserError } from '../../errors.ts'

/** The option of a method that takes what a model extracted before from a file. */
export const lackingOption = z
  .enum(['refuse', 'ask', 'leave'])
  .describe(
    'With a file of recorded extraction, what becomes of chunks that it does not have. refuse: nothing is built, and it is said which; ask: the model of the run extracts them; leave: they have no facts, and are counted.',
  )

export type Lacking = z.output<typeof lackingOption>

/** Throws UserError in one line that says which of the texts a file lacks: the beginnings of the first three. */
export function refuseLacking(file: string, missing: readonly string[], of: number): void {
  if (missing.length === 0) return
  const shown = missing.slice(0, 3).map((text) => JSON.stringify(text.replace(/\s+/g, ' ').slice(0, 60)))
  throw new UserError(
    `${file}: has nothing of ${missing.length} of ${of} chunks, such as ${shown.join(', ')}; cut the documents as it does (chunks), or set lacking: ask`,
  )
}
