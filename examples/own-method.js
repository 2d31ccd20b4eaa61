// Compares BM25 with a method of one's own on a few documents. Run it with: node own-method.js
import { defineMethod, run, z } from 'gembench'
import { words } from 'gembench/toolkit'

const documents = [
  {
    id: 'mill',
    text: 'The mill at Orrin was built in 1841 by Tamsin Vale. It ground oats until the weir broke in 1903.',
  },
  {
    id: 'bakery',
    text: 'The miller, Edric Sloe, moved to Harrowgate and opened a bakery. He baked there for twenty years.',
  },
  { id: 'museum', text: 'After his death his niece Maud sold the oven to a museum in Lisk.' },
]

const questions = [
  { question: 'Who built the mill at Orrin?', answer: 'Tamsin Vale', evidence: 'built in 1841 by Tamsin Vale' },
  { question: 'When did the weir break?', answer: '1903', evidence: 'the weir broke in 1903' },
  { question: 'Who sold the oven?', answer: ['Maud', 'his niece Maud'], evidence: 'his niece Maud sold the oven' },
]

const sharedWords = defineMethod({
  name: 'shared-words',
  version: 1,
  summary: 'The chunks that share most words with the question.',
  options: z.strictObject({}),
  costs: () => 'unknown',
  async index(chunks) {
    return {
      async retrieve(query, budget) {
        const asked = words(query.text)
        return chunks
          .map(({ id, text }) => ({
            text,
            from: [id],
            kind: 'chunk',
            score: words(text).filter((word) => asked.includes(word)).length,
          }))
          .sort((a, b) => b.score - a.score)
          .slice(0, budget.passages)
      },
    }
  },
})

const { rows, notes, folder } = await run({
  dataset: { documents, questions },
  methods: ['bm25', sharedWords],
  budget: { passages: 1 },
  models: { complete: 'extractive', embed: 'fake' },
})

for (const { name, scores } of rows)
  console.log(
    name.padEnd(14),
    Object.entries(scores)
      .map(([metric, { mean }]) => `${metric} ${mean?.toFixed(2)}`)
      .join('  '),
  )
console.log(notes[0], `\nAll results: ${folder}`)
