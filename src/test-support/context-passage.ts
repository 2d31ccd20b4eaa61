import type { ContextPassage } from '../types.ts'

/** A passage of a context, as a scorer sees it. */
export const contextPassage = (text: string, more: Partial<ContextPassage> = {}): ContextPassage => ({
  text,
  score: 1,
  from: [text],
  kind: 'chunk',
  tokens: 1,
  documents: ['d'],
  spans: [],
  ...more,
})
