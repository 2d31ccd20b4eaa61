import { z } from 'zod'
import { defineScorer } from '../define.ts'

/** The assertions of a question: texts that its answer must contain, and texts that it must not contain. */
export const mustContain = defineScorer({
  name: 'must-contain',
  version: 1,
  summary:
    'Whether the answer contains every text of "must contain" of its question, and none of "must not contain", in any case.',
  source: 'own; as the assertions icontains-all and not-icontains of promptfoo',
  kinds: ['answer', 'summary', 'turn'],
  onRequest: true,
  options: z.strictObject({}),
  columns: [
    { metric: 'passed', label: 'assertions passed' },
    { metric: 'share', label: 'share of assertions passed', shown: false },
  ],
  note: () => 'assertions passed: case, Unicode forms and runs of white space do not count.',
  async score({ question: { mustContain = [], mustNotContain = [] }, answer }) {
    const count = mustContain.length + mustNotContain.length
    if (count === 0) return { skipped: 'the question has no "must contain" and no "must not contain"' }
    const text = comparable(answer.canned ? '' : answer.text)
    const missing = mustContain.filter((part) => !text.includes(comparable(part)))
    const forbidden = mustNotContain.filter((part) => text.includes(comparable(part)))
    const failed = missing.length + forbidden.length
    return { metrics: { passed: Number(failed === 0), share: 1 - failed / count }, parts: { missing, forbidden } }
  },
})

const comparable = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
