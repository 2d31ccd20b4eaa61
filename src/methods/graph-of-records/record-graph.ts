import { normalise, topK } from '../../math/vectors.ts'

/** A chunk, or a response; `chunks`: positions of its source chunks. */
export interface RecordNode {
  readonly text: string
  readonly kind: 'chunk' | 'response'
  readonly vector: Float32Array
  readonly chunks: readonly number[]
}

/** A simulated query with its materials and response. `chunk`: the chunk it asks about; materials may repeat. */
interface QueryRecord {
  readonly query: string
  readonly queryVector: Float32Array
  readonly chunk: number
  readonly responseId: number
  readonly materialIds: readonly number[]
}

/** Edges lead from a material to the response generated from it. Responses are materials too. */
export type RecordGraph = Awaited<ReturnType<typeof recordGraph>>

interface EmbeddedText {
  readonly text: string
  readonly vector: Float32Array
}

/** `materials`: nodes per query. `respond` returns undefined for a lost reply; `embed` returns a response's vector. */
interface RecordGraphOptions {
  readonly materials: number
  readonly respond: (query: string, passages: readonly string[]) => Promise<string | undefined>
  readonly embed: (response: string) => Promise<Float32Array>
}

/**
 * The record graph of a document (section 2, step 3; section 9, points 5 and
 * 11): each query retrieves the nearest nodes so far and chunks, and a model's
 * answer from them becomes a node. Nodes with the same text are merged.
 */
export async function recordGraph(
  chunks: readonly EmbeddedText[],
  queries: readonly (EmbeddedText & { readonly chunk: number })[],
  { materials: materialCount, respond, embed }: RecordGraphOptions,
) {
  const units = chunks.map(({ text, vector }) => ({ text, vector, direction: normalise(vector) }))
  const places = new Map<string, number[]>()
  for (const [place, { text }] of units.entries()) places.set(text, [...(places.get(text) ?? []), place])
  const nodes: (RecordNode & { readonly direction: Float32Array })[] = []
  const ids = new Map<string, number>()
  const edges = new Map<string, readonly [number, number]>()
  const records: QueryRecord[] = []
  // queries whose reply could not be read or was refused
  let unansweredQueries = 0
  const add = (text: string, vector: Float32Array, from: readonly number[]): number => {
    const existingId = ids.get(text)
    if (existingId !== undefined) return existingId
    const chunkPlaces = places.get(text)
    const kind = chunkPlaces ? 'chunk' : 'response'
    ids.set(text, nodes.length)
    return nodes.push({ text, kind, vector, chunks: chunkPlaces ?? from, direction: normalise(vector) }) - 1
  }
  for (const { text: query, vector: queryVector, chunk } of queries) {
    const materials = nearest(queryVector)
    const reply = await respond(
      query,
      materials.map(({ text }) => text),
    )
    if (reply === undefined) {
      unansweredQueries++
      continue
    }
    const from = [
      ...new Set(materials.flatMap(({ text }) => places.get(text) ?? nodes[ids.get(text) ?? -1]?.chunks ?? [])),
    ]
    const duplicate = nodes[ids.get(reply) ?? -1] ?? units[places.get(reply)?.[0] ?? -1]
    const responseId = add(
      reply,
      duplicate?.vector ?? (await embed(reply)),
      from.sort((a, b) => a - b),
    )
    const materialIds = materials.map((material) => add(material.text, material.vector, []))
    records.push({ query, queryVector, chunk, responseId, materialIds })
    for (const id of materialIds) edges.set(`${id} ${responseId}`, [id, responseId])
  }
  // no query retrieved these chunks: they have no edge
  const isolatedIds = unseenChunks().map(({ text, vector }) => add(text, vector, []))
  return {
    nodes: nodes.map(({ direction: _, ...node }): RecordNode => node),
    edges: [...edges.values()],
    records,
    isolatedIds,
    unansweredQueries,
  }

  /** The first chunk of every text that is not yet a node. */
  function unseenChunks() {
    return [...places].flatMap(([text, [place = 0]]) => (ids.has(text) ? [] : (units[place] ?? [])))
  }

  /** The materials of a query: the nearest nodes and chunks; chunks alone for the first query. */
  function nearest(query: Float32Array): readonly EmbeddedText[] {
    const candidates = nodes.length === 0 ? units : [...nodes, ...unseenChunks()]
    if (nodes.length === 0 && units.length <= materialCount) return units
    const directions = candidates.map(({ direction }) => direction)
    return topK(query, directions, materialCount).flatMap(({ index }) => candidates[index] ?? [])
  }
}

/** Whether a response says that the passages do not contain the answer. */
export const isRefusal = (response: string): boolean =>
  /\b(?:unanswerable|not known|not answerable|(?:do|does|did)(?: not|n't|n’t) (?:say|tell|mention|provide|contain|specify|state|give)|can(?:not| not|'t|’t) (?:answer|be answered|determine|be determined))\b/i.test(
    response,
  )
