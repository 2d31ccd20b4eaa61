// Compares BM25 with a method of one's own on a few documents: node own-method.js
import { defineMethod, run, z } from 'gembench'
import { words } from 'gembench/toolkit'

const documents = [
  { id: 'mill', text: 'The mill at Orrin was built in 1841 by Tamsin Vale. The weir broke in 1903.' },
  { id: 'bakery', text: 'The miller, Edric Sloe, moved to Harrowgate and opened a bakery.' },
]
const questions = [
  { question: 'Who built the mill at Orrin?', answer: 'Tamsin Vale', evidence: 'built in 1841 by Tamsin Vale' },
  { question: 'Who opened the bakery?', answer: ['Edric Sloe', 'the miller'], evidence: 'opened a bakery' },
]

const sharedWords = defineMethod({
  name: 'shared-words',
  version: 1,
  summary: 'The chunks that share most words with the question.',
  options: z.strictObject({}),
  index: async (chunks) => ({
    async retrieve(query, budget) {
      const asked = words(query.text)
      const found = chunks.map(({ id, text }) => {
        const score = words(text).filter((word) => asked.includes(word)).length
        return { text, from: [id], kind: 'chunk', score }
      })
      return found.sort((a, b) => b.score - a.score).slice(0, budget.passages)
    },
  }),
})

const { rows } = await run({
  dataset: { documents, questions },
  methods: ['bm25', sharedWords],
  budget: { passages: 1 },
  models: { complete: 'extractive', embed: 'fake' },
})
for (const { name, scores } of rows) console.log(name, scores.contains?.mean)
