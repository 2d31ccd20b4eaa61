import { BaseRetriever } from '@langchain/core/retrievers'
import { Document } from '@langchain/core/documents'
import { BaseRetriever as BaseLlamaindexRetriever } from '@llamaindex/core/retriever'
import { TextNode, type NodeWithScore } from '@llamaindex/core/schema'
import { expect, test } from 'vitest'
import { testMethod } from '../../testing/index.ts'
import { fromLangchain, fromLlamaindex } from '../../toolkit.ts'
import type { Chunk } from '../../types.ts'
import { unseenCalls } from '../../basics/metrics.ts'
import { chunksOf } from '../../test-support/ask-method.ts'
import { fakeModels } from '../../testing/fake-models.ts'

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

test("locates a document by the source in its metadata, as LangChain's loaders set it, at a cost that is not known", async () => {
  const documents = [new Document({ pageContent: 'mill. Go', metadata: { source: 'a' } })]
  const index = await fromLangchain({ invoke: async () => documents }, named).index(
    chunksOf('a: 0 The mill. Go'),
    fakeModels(),
    {},
  )
  const passages = await index.retrieve({ id: 'q', text: 'Who?' }, { passages: 5, tokens: 99 }, fakeModels())
  expect(passages).toEqual([
    { text: 'mill. Go', score: 1, kind: 'chunk', from: ['c0'], spans: [{ documentId: 'a', start: 4, end: 12 }] },
  ])
  expect(index.warnings?.()).toEqual({ [unseenCalls]: 1 })
})
