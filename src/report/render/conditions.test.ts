import { expect, test } from 'vitest'
import type { Manifest } from '../../records.ts'
import { madeRun, scorerRecord } from '../../test-support/fake-run.ts'
import { conditionsOf } from './conditions.ts'

const small = { provider: 'openai', model: 'small', parameters: {} }
const large = { ...small, model: 'large' }
const { manifest } = madeRun({ rows: {} })
const { dataset } = manifest
const chunks = (more: object) => ({ chunks: { ...manifest.chunks, size: 1500, ...more } })

/** What differs in a run that large judges by the scorer faithfulness. */
const conditions = ({ models, ...more }: Omit<Partial<Manifest>, 'models'> & { readonly models?: object }): string => {
  const scorers = [scorerRecord('faithfulness', { judge: true })]
  const prompts = { 'answer-question': { version: 1, hash: 'aa' } }
  const used = { complete: small, embed: small, judge: large, ...models }
  return conditionsOf({ ...manifest, scorers, prompts, models: used, ...more })
}

const two = ['faithfulness', 'relevancy'].map((name, index) =>
  scorerRecord(name, { judge: true, ...(index === 1 && { judgedBy: small }) }),
)

test.each([
  [chunks({}), 'chunks of 1500 tokens'],
  [chunks({ by: 'sentences' }), 'chunks of whole sentences, at most 1500 tokens'],
  [chunks({ by: 'none' }), 'one chunk per document'],
  [{}, 'embeddings by openai small'],
  [{ models: { embed: { ...small, readsTokens: 256 } } }, 'embeddings by openai small (reads 256 tokens of a text)'],
  [{}, 'judged by openai large'],
  [{ models: { judge: small } }, 'judged by the model that answers, openai small'],
  [{ models: { judge: small, answer: large } }, 'judged by openai small'],
  [{ scorers: two }, 'judged by openai large (faithfulness) and by the model that answers, openai small (relevancy)'],
])('%o is named: %s', (more, statement) => {
  expect(conditions(more).split('; ')).toContain(statement)
})

test('names the options of the dataset, and its file where these do not select it', () => {
  const mine = { options: { split: 'dev', corpus: 'gold' }, files: ['mine.jsonl'], unused: ['split'] }
  expect(conditions({ dataset: { ...dataset, ...mine } })).toMatch(/^toy \(file mine\.jsonl, corpus gold\): \d/)
})
