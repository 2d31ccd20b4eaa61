import { chunk } from '../../chunking/index.ts'
import type { PlannedChunks } from '../../config/plan/plan.ts'
import { mulberry32, seedFrom, shuffle } from '../../math/random.ts'
import { tokenizer } from '../../text/tokens.ts'
import { words } from '../../text/words.ts'
import type { Chunk, Document } from '../../types.ts'

/** Chunks that questions are drafted from, in the order in which they are tried, and those that hold too little, counted. */
export interface SourceChunks {
  readonly chunks: readonly Chunk[]
  readonly tooShort: number
}

/** A chunk with fewer words says too little to ask about. */
export const fewestWords = 5

/** The chunks of documents in a random order that goes through the documents in turns: one chunk of each before a second of any. */
export function sourceChunks(documents: readonly Document[], settings: PlannedChunks, seed: number): SourceChunks {
  const random = mulberry32(seedFrom(seed, 'questions'))
  const counter = tokenizer(settings.tokenizer)
  const cut = documents.map((document, index) => chunk(document, index, settings, counter))
  const long = cut.map((chunks) => chunks.filter(({ text }) => words(text).length >= fewestWords))
  const tooShort = cut.flat().length - long.flat().length
  const drawn = shuffle(
    long.map((chunks) => shuffle(chunks, random)),
    random,
  )
  const turns = Math.max(0, ...drawn.map(({ length }) => length))
  const chunks = Array.from({ length: turns }, (_, turn) => drawn.flatMap((own) => own.slice(turn, turn + 1))).flat()
  return { chunks, tooShort }
}
