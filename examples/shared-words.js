import { defineMethod, z } from 'gembench'
import { words } from 'gembench/toolkit'

export default defineMethod({
  name: 'shared-words',
  summary: 'The chunks that share most words with the question.',
  options: z.strictObject({}),
  index: async (chunks) => ({
    async retrieve(query, budget) {
      const queryWords = words(query.text)
      const passages = chunks.map(({ id, text }) => {
        const score = words(text).filter((word) => queryWords.includes(word)).length
        return { text, from: [id], kind: 'chunk', score }
      })
      return passages.sort((a, b) => b.score - a.score).slice(0, budget.passages)
    },
  }),
})
