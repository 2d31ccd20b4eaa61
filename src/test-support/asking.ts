import { methods } from '../methods/index.ts'
import type { Chunk, Method, Part, Passage } from '../types.ts'

type Entry = Readonly<Record<string, unknown>> & { readonly use: string }

/** A method that asks others, as a config makes it: `asking(mmr, 'bm25')`, or with options, or a method itself. */
export async function asking<O>(method: Method<O>, ...of: readonly (string | Entry | Method)[]): Promise<Method<O>> {
  const parts = await Promise.all(
    of.map(async (entry): Promise<Part> => {
      if (isMethod(entry)) return { method: entry, options: {} }
      const { use, ...options } = typeof entry === 'string' ? { use: entry } : entry
      const found = await methods.load(use)
      if (!found) throw new Error(`no method ${use}`)
      return { method: found, options: found.options.parse(options) }
    }),
  )
  return { ...method, ...method.over?.(parts) }
}

/** Chunks of one document with these texts. */
export const chunksOf = (...texts: readonly string[]): readonly Chunk[] =>
  texts.map((text, position) => {
    const start = texts.slice(0, position).reduce((sum, one) => sum + one.length + 2, 0)
    return { id: `c${position}`, documentId: 'd', position, start, end: start + text.length, text, tokens: 3 }
  })

/** The places of chunks that a ranking holds. */
export const ranked = (passages: readonly Passage[]): readonly string[] => passages.map(({ from }) => from.join('+'))

const isMethod = (entry: string | Entry | Method): entry is Method => typeof entry === 'object' && 'index' in entry
