import { z } from 'zod'
import { unseenCalls } from '../../basics/metrics.ts'
import { defineMethod } from '../../define.ts'
import type { Chunk, Method } from '../../types.ts'
import { foreignPassages } from './foreign-passages.ts'

/** What is asked of a retriever of LangChain.js: `BaseRetriever`, by its shape. */
export interface LangchainRetriever {
  invoke(question: string): Promise<readonly LangchainDocument[]>
}

interface LangchainDocument {
  readonly pageContent: string
  readonly id?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** What is asked of a retriever of LlamaIndex.TS: `BaseRetriever`, by its shape. */
export interface LlamaindexRetriever {
  retrieve(question: { readonly query: string }): Promise<readonly LlamaindexNode[]>
}

interface LlamaindexNode {
  readonly node: { readonly id_?: string; readonly text?: unknown }
  readonly score?: number | undefined
}

/** The name of the row, and what tells its results apart: another `version` whenever the retriever changes. */
export interface ForeignRetriever {
  readonly name: string
  readonly version: string | number
}

/** A retriever, or a function that makes one of the chunks that all methods of the run get. */
type Given<R> = R | ((chunks: readonly Chunk[]) => R | Promise<R>)

/**
 * A retriever of LangChain.js as a method. The `id` of a document, or `id` or `source` of its metadata, names a chunk
 * or a document where it is one of these. Its own calls to models are not counted.
 */
export const fromLangchain = (retriever: Given<LangchainRetriever>, named: ForeignRetriever): Method<object> =>
  foreign('LangChain.js', retriever, named, async (own, question) =>
    listed(await own.invoke(question)).map(({ pageContent: text, id, metadata }: LangchainDocument) => {
      const known = id ?? metadata?.['id'] ?? metadata?.['source']
      return { text, ...(typeof known === 'string' && { id: known }) }
    }),
  )

/**
 * A retriever of LlamaIndex.TS as a method. The id of a node names a chunk or a document where it is one of these. Its
 * own calls to models are not counted.
 */
export const fromLlamaindex = (retriever: Given<LlamaindexRetriever>, named: ForeignRetriever): Method<object> =>
  foreign('LlamaIndex.TS', retriever, named, async (own, question) =>
    listed(await own.retrieve({ query: question })).map(({ node, score }: LlamaindexNode) => ({
      text: node.text,
      ...(node.id_ !== undefined && { id: node.id_ }),
      ...(score !== undefined && { score }),
    })),
  )

/** Throws Error for what is no list. */
function listed<T>(given: readonly T[]): readonly T[] {
  const isList: boolean = Array.isArray(given)
  if (!isList) throw new Error('its retriever gave no list')
  return given
}

function foreign<R extends object>(
  library: string,
  retriever: Given<R>,
  { name, version }: ForeignRetriever,
  ask: (own: R, question: string) => Promise<unknown>,
): Method<object> {
  return defineMethod({
    name,
    version,
    summary: `A retriever of ${library}.`,
    options: z.strictObject({}),
    async index(chunks) {
      const own = typeof retriever === 'function' ? await retriever(chunks) : retriever
      const read = foreignPassages(chunks)
      return {
        warnings: () => ({ [unseenCalls]: 1 }),
        retrieve: async ({ text }, { passages }) => read(await ask(own, text), passages),
      }
    },
  })
}
