import { fakeModels } from '../testing/fake-models.ts'
import type { Chunk, Evidence, Method, Passage } from '../types.ts'

/** Chunks given as `document: start text`. */
export const chunksOf = (...lines: readonly string[]): Chunk[] =>
  lines.map((line, index) => {
    const [, documentId = '', start = '', text = ''] = /^(\w+): (\d+) (.*)$/.exec(line) ?? []
    const end = Number(start) + text.length
    return { id: `c${index}`, documentId, position: index, start: Number(start), end, text, tokens: 1 }
  })

const wide = { passages: 10, tokens: 1000 }

/** What a method finds among chunks, with fake models and a budget that holds all. */
export async function ask(
  method: Method,
  chunks: readonly Chunk[],
  { text = '', options = {}, ...query }: { text?: string; options?: unknown; evidence?: readonly Evidence[] },
): Promise<readonly Passage[]> {
  const index = await method.index(chunks, fakeModels(), method.options.parse(options))
  return index.retrieve({ id: 'q7', text, ...query }, wide, fakeModels())
}
