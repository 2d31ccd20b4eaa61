import { z } from 'zod'
import { defineMethod } from '../define.ts'

/** The lower bracket of a table: what the answerer knows by heart. */
export const closedBook = defineMethod({
  name: 'closed-book',
  summary: 'Asks without any context: what the answering model knows by heart.',
  options: z.strictObject({}),
  context: 'none',
  async index() {
    return { retrieve: async () => [] }
  },
})
