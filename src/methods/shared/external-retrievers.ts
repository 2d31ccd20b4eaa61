import { z } from 'zod'
import { unseenCalls } from '../../basics/metrics.ts'
import { defineMethod } from '../../define.ts'
import type { Chunk, Method } from '../../types.ts'
import { externalPassageReader } from './external-passages.ts'

/** A retriever of LangChain.js: the structural type of `BaseRetriever`. */
export interface LangchainRetriever {
  invoke(question: string): Promise<readonly LangchainDocument[]>
}

interface LangchainDocument {
  readonly pageContent: string
  readonly id?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A retriever of LlamaIndex.TS: the structural type of `BaseRetriever`. */
export interface LlamaindexRetriever {
  retrieve(question: { readonly query: string }): Promise<readonly LlamaindexNode[]>
}

interface LlamaindexNode {
  readonly node: { readonly id_?: string; readonly text?: unknown }
  readonly score?: number | undefined
}

/** The name of the row, and a version that changes with the retriever: results of versions are kept apart. */
export interface ForeignRetriever {
  readonly name: string
  readonly version: string | number
}

/** A retriever, or a function that builds one from the chunks of the run. */
type Source<R> = R | ((chunks: readonly Chunk[]) => R | Promise<R>)

/**
 * A retriever of LangChain.js as a method. The `id` of a document, or `id` or `source` of its metadata, may name a
 * chunk or a document. Its model calls are not counted.
 */
export const fromLangchain = (retriever: Source<LangchainRetriever>, identity: ForeignRetriever): Method<object> =>
  externalMethod('LangChain.js', retriever, identity, async (instance, question) =>
    mapList(await instance.invoke(question), ({ pageContent: text, id, metadata }) => {
      const documentId = id ?? metadata?.['id'] ?? metadata?.['source']
      return { text, id: typeof documentId === 'string' ? documentId : undefined }
    }),
  )

/**
 * A retriever of LlamaIndex.TS as a method. The id of a node may name a chunk or a document. Its model calls are not
 * counted.
 */
export const fromLlamaindex = (retriever: Source<LlamaindexRetriever>, identity: ForeignRetriever): Method<object> =>
  externalMethod('LlamaIndex.TS', retriever, identity, async (instance, question) =>
    mapList(await instance.retrieve({ query: question }), ({ node, score }) => {
      return { text: node.text, id: node.id_, score }
    }),
  )

/** What is no list stays as it is: the reader of passages refuses it. */
const mapList = <D>(documents: readonly D[], passageOf: (document: D) => object): unknown =>
  Array.isArray(documents) ? documents.map(passageOf) : documents

const externalMethod = <R extends object>(
  library: string,
  retriever: Source<R>,
  { name, version }: ForeignRetriever,
  search: (instance: R, question: string) => Promise<unknown>,
): Method<object> =>
  defineMethod({
    name,
    version,
    summary: `A retriever of ${library}.`,
    options: z.strictObject({}),
    async index(chunks) {
      const instance = typeof retriever === 'function' ? await retriever(chunks) : retriever
      const read = externalPassageReader(chunks)
      return {
        warnings: () => ({ [unseenCalls]: 1 }),
        retrieve: async ({ text }, { passages }) => read(await search(instance, text), passages),
      }
    },
  })
