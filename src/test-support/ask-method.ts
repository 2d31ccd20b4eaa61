import { fakeModels } from '../testing/fake-models.ts'
import { methods } from '../methods/index.ts'
import type { Chunk, Evidence, Method, Part, Passage } from '../types.ts'

/** A chunk of a document, at a place of its own. */
export const chunkAt = (position: number, text: string, more: Partial<Chunk> = {}): Chunk => {
  const start = position * 100
  return { id: `c${position}`, documentId: 'd', position, start, end: start + text.length, text, tokens: 9, ...more }
}

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

/** A method by its name, as an entry of a config, or itself. */
export type Asked = string | Entry | Method

type Entry = Readonly<Record<string, unknown>> & { readonly use: string }

/** A method that asks others, as a config makes it: `asking(mmr, 'bm25')`, or with options, or a method itself. */
export async function asking(method: Method, ...of: readonly Asked[]): Promise<Method> {
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
export const documentOf = (...texts: readonly string[]): readonly Chunk[] =>
  texts.map((text, position) => {
    const start = texts.slice(0, position).reduce((sum, one) => sum + one.length + 2, 0)
    return { id: `c${position}`, documentId: 'd', position, start, end: start + text.length, text, tokens: 3 }
  })

/** The places of chunks that a ranking holds. */
export const rankedIds = (passages: readonly Passage[]): readonly string[] => passages.map(({ from }) => from.join('+'))

const isMethod = (entry: Asked): entry is Method => typeof entry === 'object' && 'index' in entry
