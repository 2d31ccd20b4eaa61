import { z } from 'zod'
import { defineMethod } from '../define.ts'

/** Baseline without retrieval: what the answer model knows. */
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
