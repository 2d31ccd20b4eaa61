import { BaseRetriever } from '@langchain/core/retrievers'
import { Document } from '@langchain/core/documents'
import { BaseRetriever as BaseLlamaindexRetriever } from '@llamaindex/core/retriever'
import { TextNode, type NodeWithScore } from '@llamaindex/core/schema'
import { expect, test } from 'vitest'
import { run, table } from '../../index.ts'
import { testMethod } from '../../testing/index.ts'
import { fromLangchain, fromLlamaindex } from '../../toolkit.ts'
import type { Chunk, Method } from '../../types.ts'
import { unseenCalls } from '../../basics/metrics.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Words that a question and a text share. */
const shared = (question: string, text: string): number => {
  const asked = new Set(question.toLowerCase().match(/\w+/g))
  return (text.toLowerCase().match(/\w+/g) ?? []).filter((word) => asked.has(word)).length
}
const best = (chunks: readonly Chunk[], question: string) =>
  chunks
    .map(({ id, text }) => ({ id, text, score: shared(question, text) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 4)

class OwnRetriever extends BaseRetriever {
  lc_namespace = ['test']
  constructor(private readonly chunks: readonly Chunk[]) {
    super()
  }
  override async _getRelevantDocuments(question: string): Promise<Document[]> {
    return best(this.chunks, question).map(({ id, text }) => new Document({ pageContent: text, id }))
  }
}

class OwnLlamaindexRetriever extends BaseLlamaindexRetriever {
  constructor(private readonly chunks: readonly Chunk[]) {
    super()
  }
  override async _retrieve({ query }: { query: unknown }): Promise<NodeWithScore[]> {
    return best(this.chunks, String(query)).map(({ id, text, score }) => ({
      node: new TextNode({ id_: id, text, metadata: { file: 'not of the text' } }),
      score,
    }))
  }
}

const named = { name: 'mine', version: 1 }
const langchain = fromLangchain((chunks) => new OwnRetriever(chunks), named)
const llamaindex = fromLlamaindex(async (chunks) => new OwnLlamaindexRetriever(chunks), { ...named, name: 'other' })

testMethod(langchain)
testMethod(llamaindex)

test('runs retrievers of LangChain.js and LlamaIndex.TS next to BM25, with evidence and a note on their cost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-foreign-'))
  const found = await run(
    {
      name: 'rows',
      chunks: { size: 60 },
      budget: { passages: 3, tokens: 400 },
      dataset: {
        documents: [
          { id: 'a', text: 'Ada Vale kept the lighthouse at Orrin.' },
          { id: 'b', text: 'Edric Sloe rang the bell in Lisk.' },
        ],
        questions: [
          { question: 'Who rang the bell?', answer: 'Edric Sloe', evidence: 'Edric Sloe rang the bell in Lisk.' },
        ],
      },
      methods: ['bm25', langchain, llamaindex],
      scorers: ['retrieval'],
    },
    { results: folder },
  )
  const { rows } = await table(found.folder)
  expect(rows.map(({ name, scores, warnings }) => [name, scores['recall@2']?.mean, warnings])).toEqual([
    ['bm25', 1, {}],
    ['mine', 1, { [unseenCalls]: 1 }],
    ['other', 1, { [unseenCalls]: 1 }],
  ])
})

const retrieve = async (method: Method<object>, question = 'Who?') => {
  const chunk = { id: 'a:0', documentId: 'a', position: 0, start: 0, end: 12, text: 'The mill. Go', tokens: 4 }
  const index = await method.index([chunk], fakeModels(), {})
  return index.retrieve({ id: 'q', text: question }, { passages: 5, tokens: 99 }, fakeModels())
}

test("locates a document by the source in its metadata, as LangChain's loaders set it", async () => {
  const documents = [new Document({ pageContent: 'mill. Go', metadata: { source: 'a' } })]
  const found = await retrieve(fromLangchain({ invoke: async () => documents }, named))
  expect(found).toEqual([
    { text: 'mill. Go', score: 1, kind: 'chunk', from: ['a:0'], spans: [{ documentId: 'a', start: 4, end: 12 }] },
  ])
})
