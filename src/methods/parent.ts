import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { topK } from '../math/vectors.ts'
import { byTokens, tokenizer } from '../text/tokens.ts'
import type { Chunk } from '../types.ts'
import { documentVectors, queryVector } from './shared/embed.ts'

/** A window of a chunk. */
interface Window {
  readonly chunk: number
  readonly text: string
  readonly tokens: number
}

/** Small windows are searched, and the chunk that holds one is read (LangChain's ParentDocumentRetriever). */
export const parent = defineMethod({
  name: 'parent',
  summary: 'Ranks chunks by the most similar of the small windows that they are cut into.',
  options: z.strictObject({
    windowTokens: z
      .int()
      .min(1)
      .default(100)
      .describe(
        'Tokens of a window; a chunk that is no longer is one window (default: about the 400 characters of LangChain’s guide)',
      ),
  }),
  async index(chunks, models, { windowTokens }) {
    const windows = windowsOf(chunks, windowTokens)
    const rows = await documentVectors(
      windows.map(({ text }) => text),
      models,
    )
    const most = Math.max(1, ...countsOf(windows))
    return {
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (windows.length === 0) return []
        // so many windows are of at least as many chunks as are asked for
        const found = topK(await queryVector(text, models), rows, Math.min(windows.length, passages * most))
        const best = new Map<number, { readonly score: number; readonly window: string }>()
        for (const { index, score } of found) {
          const window = windows[index]
          if (window && !best.has(window.chunk)) best.set(window.chunk, { score, window: window.text })
        }
        return [...best].slice(0, passages).flatMap(([at, { score, window }]) => {
          const chunk = chunks[at]
          if (!chunk) return []
          return [{ text: chunk.text, score, from: [chunk.id], kind: 'chunk', why: { cosine: score, window } }]
        })
      },
      stats: () => ({ windows: windows.length, dimension: rows.columns }),
    }
  },
})

function windowsOf(chunks: readonly Chunk[], size: number): readonly Window[] {
  const words = tokenizer('o200k_base')
  return chunks.flatMap(({ text }, chunk) =>
    byTokens(text, { size, overlap: 0 }, words).flatMap(({ start, end }) => {
      const own = text.slice(start, end)
      return own.trim() === '' ? [] : [{ chunk, text: own, tokens: words.count(own) }]
    }),
  )
}

function countsOf(windows: readonly Window[]): Iterable<number> {
  const counts = new Map<number, number>()
  for (const { chunk } of windows) counts.set(chunk, (counts.get(chunk) ?? 0) + 1)
  return counts.values()
}
