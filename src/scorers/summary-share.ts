import { z } from 'zod'
import { defineScorer } from '../define.ts'

/** Share of summaries in the context (GEM-RAG, Table III, for 0 to 10 summary nodes). */
export const summaryShare = defineScorer({
  name: 'summary-share',
  version: 1,
  summary: 'Share of the passages in the context that are summaries.',
  source: 'GEM-RAG, Table III',
  kinds: ['choice', 'answer', 'summary', 'turn'],
  readsAnswer: false,
  options: z.strictObject({}),
  onRequest: true,
  ranges: { summaries: [0, Infinity], passages: [0, Infinity] },
  columns: [
    { metric: 'summaryShare', label: 'summary share', better: 'none' },
    { metric: 'summaries', unit: 'number', shown: false },
    { metric: 'passages', unit: 'number', shown: false },
  ],
  async score({ context }) {
    if (context.length === 0) return { skipped: 'the context is empty' }
    const summaries = context.filter(({ kind }) => kind === 'summary').length
    return { metrics: { summaryShare: summaries / context.length, summaries, passages: context.length } }
  },
})
