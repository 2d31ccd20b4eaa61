import { UserError } from '../errors.ts'
import { unknownName } from '../text/nearest.ts'
import type { Corpus } from '../types.ts'
import type { Contestant } from './ask.ts'

/** What a contestant is called outside the tables: its label, with the variant where there is one. */
export const labelOf = ({ row: { method, variant } }: Pick<Contestant, 'row'>): string =>
  variant === '' ? method : `${method} (${variant})`

/** The contestant of that label. Throws UserError naming those there are. */
export function contestantNamed(label: string, contestants: readonly Contestant[]): Contestant {
  const found = contestants.find((contestant) => labelOf(contestant) === label)
  if (!found) throw new UserError(unknownName('method', label, contestants.map(labelOf)))
  return found
}

/** The corpus of that id, or the first where none is named. Throws UserError naming those there are. */
export async function corpusNamed(id: string | undefined, corpora: AsyncIterable<Corpus>): Promise<Corpus> {
  const known: string[] = []
  for await (const corpus of corpora) {
    if (id === undefined || corpus.id === id) return corpus
    known.push(corpus.id)
  }
  throw new UserError(unknownName('corpus', id ?? '', known))
}
