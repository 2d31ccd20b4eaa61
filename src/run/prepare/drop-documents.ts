import { addFields } from '../../basics/collections.ts'
import { once } from '../../basics/memoise.ts'
import { UserError } from '../../errors.ts'
import { mulberry32, seedFrom, shuffle } from '../../math/random.ts'
import { sentences } from '../../text/sentences.ts'
import { words } from '../../text/words.ts'
import type { PlannedDataset } from '../../config/index.ts'
import type { Corpus, Document } from '../../types.ts'

/** A corpus and the documents that `dataset.drop` leaves out of it, the first drawn first; absent where it is not set. */
export type ShrunkCorpus = Corpus & { readonly dropped?: readonly Document[] }

/**
 * The corpora without the documents that are left out. They are drawn by seed and corpus: those of a smaller number are
 * the first ones of a larger. Documents come in the order of the draw, the last drawn first, so that what a smaller
 * corpus holds is the beginning of what a larger one holds. Throws UserError where a corpus would be empty.
 */
export async function* withoutDropped(
  corpora: AsyncIterable<Corpus>,
  drop: PlannedDataset['drop'],
  seed: number,
): AsyncGenerator<ShrunkCorpus> {
  for await (const corpus of corpora) {
    if (!drop) {
      yield corpus
      continue
    }
    const { id, documents } = corpus
    if (drop.documents >= documents.length)
      throw new UserError(
        `${drop.at}: dataset.drop: ${drop.documents} would leave no document of the corpus "${id}", which has ${documents.length}; say ${documents.length - 1} at most`,
      )
    const drawn = shuffle(documents, mulberry32(seedFrom(seed, 'drop', id)))
    const leftOut = addFields(corpus.leftOut ?? {}, { 'documents that dataset.drop leaves out': drop.documents })
    yield {
      ...{ ...corpus, leftOut, dropped: drawn.slice(0, drop.documents) },
      documents: drawn.slice(drop.documents).reverse(),
    }
  }
}

/** Sentences of fewer words may stand anywhere. */
const fewestWords = 5

/**
 * Whether a text holds a sentence of five words or more of a document that was left out, one that stands in no other
 * document, white space aside; undefined where none was left out.
 */
export function quotesDropped({ documents, dropped = [] }: ShrunkCorpus): ((text: string) => boolean) | undefined {
  if (dropped.length === 0) return undefined
  const own = once(() => {
    const kept = documents.map(({ text }) => plain(text))
    const gone = dropped.flatMap(({ text }) => sentences(text).map(({ start, end }) => plain(text.slice(start, end))))
    const isOwn = (one: string): boolean => !kept.some((text) => text.includes(one))
    return [...new Set(gone)].filter((one) => words(one).length >= fewestWords && isOwn(one))
  })
  return (text) => {
    const shown = plain(text)
    return own().some((one) => shown.includes(one))
  }
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
