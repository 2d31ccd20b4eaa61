import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { linearPolling } from '../../math/polling.ts'
import { readReply } from '../../models/calls/task-call.ts'
import { cleanText, extractTextGraph, questionKeywords, type TextGraph } from '../../tasks/lightrag.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import { notOurs, replayGolden, vectorsFolder } from '../../test-support/golden.ts'
import { toyEmbedding } from '../../test-support/toy-embedding.ts'
import type { Budget, Chunk, Models, Task } from '../../types.ts'
import { buildIndex, descriptionOf, extractGraph, type Item, type LightragIndex } from './graph.ts'
import { keywordsOf, lightrag, passagesOf, search, searchLimits } from './lightrag.ts'
import { summariseFragments } from '../shared/descriptions.ts'
import { byCodePoint } from '../../text/characters.ts'
import { fittingLines, fittingRows } from '../shared/fitting.ts'
import { rankByModel } from '../shared/rank-by-model.ts'
import { chunkAt } from '../../test-support/ask-method.ts'

/** Everything that LightRAG 1.5.7 was run for, with scripted replies and the embedder of the vectors. */
replayGolden({
  'lightrag.extract': extracted,
  'lightrag.merge': merged,
  'lightrag.retrieve': retrieved,
  'lightrag.name': ({ names }: { names: readonly string[] }) => names.map((name) => cleanText(name, true)),
  'lightrag.keywords': ({ replies }: { replies: readonly string[] }) => replies.map(keywordsIn),
  'lightrag.polling': ({ runs }: { runs: readonly { sizes: readonly number[]; relatedChunks: number }[] }) =>
    runs.map(({ sizes, relatedChunks }) =>
      linearPolling(
        sizes.map((size, row) => Array.from({ length: size }, (_, at) => `${row}.${at}`)),
        relatedChunks,
      ),
    ),
  'lightrag.describe': described,
  'lightrag.passages': passages,
})

/** The budget in which the tables have the tokens of the release. */
const contextTokens = 30_000

/** One token is one code point. */
const countTokens = (text: string): number => Array.from(text).length

type ScriptedReply = string | object

interface Replies {
  readonly gleanings: number
  readonly replies: Readonly<Record<string, readonly ScriptedReply[]>>
  readonly documents?: Readonly<Record<string, string>>
  readonly graph?: string
}

const chunkOf = (id: string, documentId: string, text = id): Chunk => chunkAt(0, text, { id, documentId })

/** Models that reply to the text of a chunk as it was written beforehand, and to the nth summary with "summary n". */
function scripted(textReplies: ReadonlyMap<string, readonly ScriptedReply[]>) {
  const summaries: (readonly string[])[] = []
  const models: Models = {
    ...fakeModels(),
    countTokens,
    embed: async (texts) => texts.map((text) => Float32Array.from(toyEmbedding(text))),
    async run<I, T>(task: Task<I, T>, input: I): Promise<T> {
      const { text, replies, descriptions } = Object(input) as {
        readonly text: string
        readonly replies: readonly TextGraph[]
        readonly descriptions: readonly string[]
      }
      if (task.name !== extractTextGraph.name) {
        summaries.push(descriptions)
        return `summary ${summaries.length}` as T
      }
      const reply = textReplies.get(text)?.[replies.length] ?? { entities: [], relationships: [] }
      const read = readReply(task, typeof reply === 'string' ? reply : JSON.stringify(reply))
      if ('error' in read) throw new ModelError('reply', read.error)
      return read.value
    },
  }
  return { models, summaries }
}

async function indexOf({ gleanings, replies, documents = {} }: Replies): Promise<{
  readonly index: LightragIndex
  readonly summaries: readonly (readonly string[])[]
}> {
  const chunks = Object.keys(replies).map((id) => chunkOf(id, documents[id] ?? 'document'))
  const { models, summaries } = scripted(new Map(Object.entries(replies)))
  return { index: await buildIndex(chunks, models, { gleanings, compat: true }), summaries }
}

async function extracted({ gleanings, replies }: Replies) {
  const graphs = await Promise.all(
    Object.entries(replies).map(async ([id, list]) => {
      const { models } = scripted(new Map([[id, list]]))
      const { records } = await extractGraph(id, models, gleanings)
      if (records instanceof ModelError) throw records
      const { entities, relationships } = records
      return [
        id,
        {
          entities: entities.map(({ name, type, description }) => [name, type, description]),
          relations: relationships.map(({ source, target, keywords, description }) => [
            source,
            target,
            keywords,
            description,
          ]),
        },
      ] as const
    }),
  )
  return Object.fromEntries(graphs)
}

interface Corpus {
  readonly chunks: readonly { readonly id: string; readonly document: string; readonly text: string }[]
  readonly replies: Readonly<Record<string, readonly ScriptedReply[]>>
}

/** The corpus of a name, in any file of the vectors. */
function corpusOf(name: string): Corpus {
  for (const file of readdirSync(vectorsFolder).filter((one) => one.endsWith('.json'))) {
    const { graphs } = JSON.parse(readFileSync(join(vectorsFolder, file), 'utf8')) as {
      readonly graphs?: Readonly<Record<string, Corpus>>
    }
    const corpus = graphs?.[name]
    if (corpus && 'replies' in corpus) return corpus
  }
  throw new Error(`no graph ${name} in ${vectorsFolder}`)
}

async function corpusIndex(name: string) {
  const { chunks, replies } = corpusOf(name)
  const { models } = scripted(new Map(chunks.map(({ id, text }) => [text, replies[id] ?? []])))
  const made = chunks.map(({ id, document, text }) => chunkOf(id, document, text))
  return { index: await buildIndex(made, models, { gleanings: 0, compat: true }), models }
}

async function merged(input: Replies) {
  if (input.graph !== undefined) return tables((await corpusIndex(input.graph)).index)
  const { index, summaries } = await indexOf(input)
  return { ...tables(index), summaryCalls: summaries }
}

function tables({ entities, relations }: LightragIndex) {
  const degree = ({ names }: Item) =>
    relations.items.filter((relation) => names.some((n) => relation.names.includes(n))).length
  const fields = (item: Item) => ({
    ...item,
    description: descriptionOf(item),
    chunks: item.chunks.map(({ id }) => id),
  })
  return {
    entities: entities.items
      .map((item) => ({ ...fields(item), name: item.names[0] ?? '', degree: degree(item) }))
      .sort((a, b) => byCodePoint(a.name, b.name)),
    relations: relations.items
      .map((item) => ({ ...fields(item), pair: item.names }))
      .sort((a, b) => byCodePoint(a.pair.join('\n'), b.pair.join('\n'))),
  }
}

interface Retrieve {
  readonly graph: string
  readonly mode: 'mix' | 'naive' | 'local' | 'global' | 'hybrid'
  readonly query: string
  readonly low: readonly string[]
  readonly high: readonly string[]
  readonly params: Partial<typeof searchLimits> & {
    readonly chunkPick?: 'vector' | 'weight'
    readonly chunkTokens?: number
  }
  readonly keywordReply?: string
  readonly rerank?: Readonly<Record<string, number>>
  readonly minRerankScore?: number
  readonly compat?: boolean
}

async function retrieved({ graph, mode, query, low, high, params, keywordReply, ...input }: Retrieve) {
  const { index, models } = await corpusIndex(graph)
  const { chunkTokens, ...limits } = params
  const options = { mode, chunkPick: 'vector' as const, ...searchLimits, ...limits }
  const keywords =
    keywordReply === undefined
      ? { high, low }
      : (await keywordsOf(query, lightrag.options.parse({ mode, compat: input.compat }), replying(keywordReply)))
          .keywords
  const { candidates, entities, relations, ways } = await search(index, query, keywords, options, contextTokens, models)
  const unlimited = { ...options, entityTokens: Infinity, relationTokens: Infinity }
  const hits = await search(index, query, keywords, unlimited, contextTokens, models)
  const scores = input.rerank
  const rerank = async (_question: string, texts: readonly string[]) =>
    texts.map((_text, at) => ({ score: scores?.[itemAt(candidates, at).id] ?? 0, unread: 0 }))
  const ranked = scores
    ? (await rankByModel(query, candidates, { rerank }))
        .map(({ item }) => item)
        .slice(0, options.chunkTopK)
        .filter(({ id }) => (scores[id] ?? 0) >= (input.minRerankScore ?? 0))
    : candidates
  const read = ranked.slice(0, options.chunkTopK)
  const names = ({ items }: typeof entities) => items.map(({ item }) => item.names[0])
  const pairs = ({ items }: typeof entities) => items.map(({ item }) => item.names)
  const ids = (list: readonly Pick<Chunk, 'id'>[]) => list.map(({ id }) => id)
  const isNone = mode !== 'naive' && hits.entities.items.length + hits.relations.items.length === 0
  return {
    vectorChunks: ids(ways.vector),
    entityChunks: ids(ways.entity),
    relationChunks: ids(ways.relation),
    foundEntities: names(hits.entities),
    foundRelations: pairs(hits.relations),
    entities: names(entities),
    relations: pairs(relations),
    mergedChunks: ids(candidates),
    // the run cuts a context to its tokens, not the method
    chunks: chunkTokens === undefined ? ids(read) : notOurs,
    entityLines: linesOf(entities.text),
    relationLines: linesOf(relations.text),
    none: isNone && read.length === 0,
  }
}

const linesOf = (text: string) => text.split('\n').filter(Boolean)

/** Models that reply to everything with one text. */
const replying = (text: string): Models => ({
  ...fakeModels(),
  async run<I, T>(task: Task<I, T>): Promise<T> {
    const read = readReply(task, text)
    if ('error' in read) throw new ModelError('reply', read.error)
    return read.value
  },
})

function keywordsIn(reply: string) {
  const read = readReply(questionKeywords, reply)
  return 'error' in read ? { high: [], low: [] } : read.value
}

interface Describe {
  readonly compat: boolean
  readonly runs: readonly {
    readonly descriptions: readonly string[]
    readonly forceAt: number
    readonly maxTokens: number
    readonly contextTokens: number
  }[]
}

function described({ compat, runs }: Describe) {
  return Promise.all(
    runs.map(async ({ descriptions, forceAt, maxTokens, contextTokens }) => {
      const calls: (readonly string[])[] = []
      const limits = { forceAt, summaryTokens: maxTokens, groupTokens: contextTokens }
      const fragments = await summariseFragments(descriptions, limits, countTokens, async (group) => {
        calls.push(
          compat ? fittingLines(group, (Description) => ({ Description }), contextTokens, countTokens).items : group,
        )
        return `summary ${calls.length}`
      })
      return { text: fragments.join('<SEP>'), calls }
    }),
  )
}

interface Passages {
  readonly entities: readonly (readonly [string, readonly string[]])[]
  readonly relations: readonly (readonly [string, readonly string[]])[]
  readonly chunks: readonly (readonly [string, string])[]
  readonly budget: Budget
  readonly show?: 'all' | 'chunks' | 'facts'
}

function passages({ entities, relations, chunks, budget, show = 'all' }: Passages) {
  const tableOf = (lines: Passages['entities'], share: number) =>
    fittingRows(
      '',
      lines.map(([line, ids], place) => ({
        text: `${place > 0 ? '\n' : ''}${line}`,
        item: { chunks: ids.map((id) => ({ id })) },
        score: 0,
      })),
      ({ text }) => text,
      Math.floor(budget.tokens * share),
      countTokens,
    )
  const tables = [tableOf(entities, 0.2), tableOf(relations, 0.8 / 3)]
  const texts = chunks.map(([id, text]) => ({ id, text, why: {} }))
  return passagesOf(tables, texts, show, budget, { countTokens })
}
