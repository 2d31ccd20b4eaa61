import { z } from 'zod'
import { defineMethod } from '../define.ts'

/** A reference row of every table: what the answerer knows by heart. */
export const closedBook = defineMethod({
  name: 'closed-book',
  summary: 'Asks without any context: shows what the answer model knows without retrieval.',
  options: z.strictObject({}),
  context: 'none',
  ranks: false,
  async index() {
    return { retrieve: async () => [] }
  },
})
