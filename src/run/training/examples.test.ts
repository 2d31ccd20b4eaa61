import { expect, test } from 'vitest'
import type { Plan } from '../../config/index.ts'
import { ModelError } from '../../errors.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import type { Corpus } from '../../types.ts'
import { silent } from '../progress.ts'
import { examplesOf } from './train.ts'

const models = fakeModels({
  replies: {
    'simulate-query': ({ passage, variant }: { passage: string; variant: number }) => {
      if (passage.includes('forbidden')) throw new ModelError('refused', 'played')
      return `What of ${passage} ${variant}?`
    },
    'answer-from-passages': ({ question }: { question: string }) => `Answer to ${question}`,
  },
})
const train: Plan['train'] = {
  heads: 1,
  layers: 2,
  epochs: 1,
  batch: 1,
  rate: 0.001,
  coe: 0.5,
  contrastive: true,
  tieRule: 'position',
  duplicateSelfLoop: 'merge',
  dropout: 0,
  attentionDropout: 0,
  labels: 'cosine',
  direction: 'toResponse',
}

/** The examples of corpora of one document each. */
function examplesFrom(texts: readonly string[]) {
  async function* corpora(): AsyncGenerator<Corpus> {
    for (const [at, text] of texts.entries()) yield { id: `${at}`, documents: [{ id: 'd', text }], questions: [] }
  }
  const chunks = { by: 'tokens', size: 40, overlap: 0, tokenizer: 'o200k_base' } satisfies Plan['chunks']
  const context = { models: { scope: () => models }, seed: 42 }
  return examplesOf(corpora(), texts.length, { train, chunks }, context, silent)
}

test('a document whose simulated queries are all refused is left out and counted', async () => {
  const { examples, leftOut } = await examplesFrom(['The old mill.', 'A forbidden text.', 'The new bakery.'])
  expect(leftOut).toBe(1)
  expect(examples.length).toBe(2)
})

test('training fails if every document is refused', () =>
  expect(examplesFrom(['A forbidden text.'])).rejects.toThrow('simulate-query: every reply'))
