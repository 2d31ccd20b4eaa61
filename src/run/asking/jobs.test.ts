import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createMeter } from '../../models/index.ts'
import type { Corpus } from '../../types.ts'
import { callCounts } from './call-counts.ts'
import { chunkCorpus } from './chunk-corpus.ts'
import { jobs, type AskPlan, openIndexes } from './jobs.ts'
import type { MethodEntry } from './method-entry.ts'
import type { Performer } from './performer.ts'

/**
 * Draws all jobs of corpora with a question each, and tells how many indexes were built at the same time and in all.
 */
async function drawn(corpora: number, indexesAhead: number) {
  const all = Array.from({ length: corpora }, (_, n): Corpus => {
    const question = { id: 'q', text: '?', reference: { kind: 'freeform', answers: ['a'] } }
    // only the ids of questions are looked at
    return { id: `c${n}`, documents: [], questions: [question] } as unknown as Corpus
  })
  let [building, most, built] = [0, 0, 0]
  const performer = {
    async build() {
      most = Math.max(most, ++building)
      await sleep(2)
      building--
      built++
      return { drew: false, line: {}, meter: createMeter() }
    },
  } as unknown as Performer
  const plan = {
    ...{
      methods: [{ id: 'm', row: { method: 'm', variant: '' }, method: {} } as MethodEntry],
      repeats: 1,
      indexPerRepeat: false,
      indexesAhead,
    },
    cut: async (corpus: Corpus) =>
      chunkCorpus(corpus, { size: 100, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' }),
    expects: () => ({ index: [], trial: [], drawsAtIndex: false }),
    corpora: async function* () {
      yield* all
    },
  } as unknown as AskPlan
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
