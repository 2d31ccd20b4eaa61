import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { byTokens, tokenizer } from '../text/tokens.ts'
import { indexParts } from './shared/parts.ts'
import { wholeNumber } from './shared/options.ts'

/** Searches small windows and returns the chunks that contain them (LangChain's ParentDocumentRetriever). */
export const parent = defineMethod({
  name: 'parent',
  summary: 'Ranks chunks by the most similar of the small windows that they are cut into.',
  options: z.strictObject({
    windowTokens: wholeNumber(
      1,
      100,
      'Tokens of a window; a chunk that is no longer is one window (default: about the 400 characters of LangChain’s guide)',
    ),
  }),
  async index(chunks, models, { windowTokens }) {
    const words = tokenizer('o200k_base')
    const windows = chunks.flatMap((chunk) =>
      byTokens(chunk.text, { size: windowTokens, overlap: 0 }, words)
        .map(({ start, end }) => ({ chunk, text: chunk.text.slice(start, end) }))
        .filter(({ text }) => text.trim() !== ''),
    )
    return indexParts(windows, models, 'window')
  },
})
