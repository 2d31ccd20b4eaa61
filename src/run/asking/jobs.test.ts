import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createMeter } from '../../models/index.ts'
import type { IndexLine } from '../../records.ts'
import type { Corpus, Question } from '../../types.ts'
import { callCounts } from './call-counts.ts'
import { chunkCorpus } from './chunk-corpus.ts'
import { jobs, openIndexes } from './jobs.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'

const usage = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }
const line: IndexLine = {
  line: 'index',
  id: 'i',
  method: 'm',
  variant: '',
  methodId: 'm',
  corpus: 'c',
  documents: 0,
  chunks: 0,
  usage,
}

/**
 * Draws all jobs of corpora with a question each, and tells how many indexes were built at the same time and in all.
 */
async function drawn(corpora: number, indexesAhead: number) {
  const all = Array.from({ length: corpora }, (_, n): Corpus => {
    const question: Question = { id: 'q', text: '?', reference: { kind: 'answer', accepted: [{ text: 'a' }] } }
    return { id: `c${n}`, documents: [], questions: [question] }
  })
  let [building, most, built] = [0, 0, 0]
  const performer = {
    async build() {
      most = Math.max(most, ++building)
      await sleep(2)
      building--
      built++
      return { drew: false, line, meter: createMeter() }
    },
  }
  const plan = {
    methods: [{ id: 'm', row: { method: 'm', variant: '' }, method: {} } as MethodEntry],
    repeats: 1,
    indexPerRepeat: false,
    indexesAhead,
    cut: async (corpus: Corpus) =>
      chunkCorpus(corpus, { size: 100, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' }),
    corpora: async function* () {
      yield* all
    },
  }
  const kinds: string[] = []
  for await (const { kind } of jobs(plan, performer, new Set(), openIndexes(), callCounts())) {
    kinds.push(kind)
    if (kinds.length === 2 * corpora) await sleep(100)
  }
  return { kinds, most, built }
}

test('however many small corpora there are, few of their indexes are begun ahead, and then all', async () => {
  const { kinds, most, built } = await drawn(30, 3)
  expect(kinds).toEqual(Array(30).fill(['index', 'trial']).flat())
  expect(most).toBe(4)
  expect(built).toBe(30)
})

test('where none is to be begun ahead none is', async () => {
  expect(await drawn(5, 0)).toMatchObject({ most: 0, built: 0 })
})
