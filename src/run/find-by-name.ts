import { rowName, unknownName } from '../text/names.ts'
import { UserError } from '../errors.ts'
import type { Corpus } from '../types.ts'
import type { MethodEntry } from './asking/method-entry.ts'

/** What a method is called outside the tables: its label, with the variant where there is one. */
export const labelOf = ({ row }: Pick<MethodEntry, 'row'>): string => rowName(row)

/** The method of that name, or the only variant of that label. Throws UserError naming those there are. */
export function methodNamed(label: string, methods: readonly MethodEntry[]): MethodEntry {
  const [variant, ...others] = methods.filter(({ row }) => row.method === label)
  const found = methods.find((entry) => labelOf(entry) === label) ?? (others.length === 0 ? variant : undefined)
  if (!found) throw new UserError(unknownName('method', label, methods.map(labelOf)))
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
