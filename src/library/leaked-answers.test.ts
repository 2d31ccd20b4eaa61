import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { defineProvider } from '../models/index.ts'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { run } from './run.ts'

const numbers = Array.from({ length: 16 }, (_, index) => index)
const documents = numbers.map((number) => ({
  id: `log-${number}`,
  text: `Log ${number} of the lighthouse. Its keeper is named elsewhere.`,
}))
const questions = numbers.map((number) => ({
  id: `${number}`,
  question: `Who kept light ${number}?`,
  options: ['Ada', 'Edric', 'Maud', 'Tamsin'],
  correct: 1 + (number % 4),
  evidence: { document: `log-${number}`, text: `Log ${number} of the lighthouse.` },
}))

/** Chooses what the context says, and else the first option. */
const reader = defineProvider({
  name: 'reader',
  version: 1,
  summary: 'Reads the number of an option.',
  can: ['complete'],
  options: z.strictObject({}),
  open: async () => ({
    name: 'reader',
    model: 'reader',
    parameters: {},
    complete: async ({ prompt: { messages } }) => {
      const [, option = '1'] = /option (\d) is right/.exec(messages.map(({ content }) => content).join('\n')) ?? []
      return { text: option, finish: 'stop' }
    },
  }),
})

/** A method whose passages are the chunks of another document, with words around them. */
const telling = (name: string, before: (question: string) => string) =>
  defineMethod({
    name,
    version: 1,
    summary: 'Tells more than it found.',
    options: z.strictObject({}),
    index: async (chunks) => ({
      retrieve: async ({ id }) => {
        const chunk = chunks.find(({ documentId }) => documentId === `log-${(Number(id) + 1) % numbers.length}`)
        return chunk ? [{ text: `${before(id)}${chunk.text}`, score: 1, from: [chunk.id], kind: 'chunk' }] : []
      },
    }),
  })

test('a note under the table names rows that saw the answers or add text of their own', async () => {
  const { notes } = await run(
    {
      dataset: { documents, questions },
      methods: [
        'oracle',
        telling('honest', () => ''),
        telling('leak', (id) => `Note of the editor: option ${1 + (Number(id) % 4)} is right. `),
        telling('marked', () => '\u200b'),
      ],
      scorers: ['accuracy'],
      models: { complete: reader, embed: 'fake' },
    },
    { cwd: folderOf({}) },
  )
  const noteOn = (words: string): string => notes.find((note) => note.startsWith(words)) ?? ''
  expect(noteOn('Significantly above the oracle')).toContain('leak by 75.0. ')
  expect(noteOn('Passages with text beyond their chunk')).toMatch(/which the answerer reads: leak 16\.$/)
  expect(noteOn('Passages with invisible characters')).toMatch(/: marked 16\.$/)
})
