import { normalise, topK } from '../../math/vectors.ts'

/** A chunk, or a response; `chunks` are the chunks that it holds, or was made of, by their places. */
export interface RecordNode {
  readonly text: string
  readonly kind: 'chunk' | 'response'
  readonly vector: Float32Array
  readonly chunks: readonly number[]
}

/** What one simulated query found and became. `chunk` is the one that it was asked about; materials may repeat. */
interface Recorded {
  readonly query: string
  readonly queryVector: Float32Array
  readonly chunk: number
  readonly responseId: number
  readonly materialIds: readonly number[]
}

/** Nodes in order; an edge leads from a material to the response made of it. Responses are materials too. */
export interface RecordGraph {
  readonly nodes: readonly RecordNode[]
  readonly edges: readonly (readonly [material: number, response: number])[]
  readonly records: readonly Recorded[]
  /** Nodes of chunks that no query found, which have no edge. */
  readonly isolated: readonly number[]
  /** Responses that repeated an earlier one, or a chunk, word for word. */
  readonly repeatedResponses: number
  /** Queries without a response: the reply could not be read or was refused. */
  readonly unanswered: number
}

interface Vectored {
  readonly text: string
  readonly vector: Float32Array
}

/** How a graph is made. `respond` gives nothing where the reply was lost; `embed` gives the vector of a response. */
export interface Making {
  readonly materials: number
  readonly respond: (query: string, passages: readonly string[]) => Promise<string | undefined>
  readonly embed: (response: string) => Promise<Float32Array>
}

/**
 * The record graph of a document (section 2, step 3; section 9, points 5 and 11): query after query finds the nearest
 * of all nodes so far and all chunks, a model answers from them, and the answer becomes a node. Nodes of the same text
 * are one.
 */
export async function recordGraph(
  chunks: readonly Vectored[],
  queries: readonly (Vectored & { readonly chunk: number })[],
  { materials: most, respond, embed }: Making,
): Promise<RecordGraph> {
  const units = chunks.map(({ text, vector }) => ({ text, vector, direction: normalise(vector) }))
  const places = new Map<string, number[]>()
  for (const [place, { text }] of units.entries()) places.set(text, [...(places.get(text) ?? []), place])
  const nodes: (RecordNode & { readonly direction: Float32Array })[] = []
  const ids = new Map<string, number>()
  const edges = new Map<string, readonly [number, number]>()
  const records: Recorded[] = []
  let [repeated, unanswered] = [0, 0]
  const add = (text: string, vector: Float32Array, from: readonly number[]): number => {
    const known = ids.get(text)
    if (known !== undefined) return known
    const own = places.get(text)
    const kind = own ? 'chunk' : 'response'
    ids.set(text, nodes.length)
    return nodes.push({ text, kind, vector, chunks: own ?? from, direction: normalise(vector) }) - 1
  }
  for (const { text: query, vector: queryVector, chunk } of queries) {
    const found = nearest(queryVector)
    const reply = await respond(
      query,
      found.map(({ text }) => text),
    )
    if (reply === undefined) {
      unanswered++
      continue
    }
    const from = [...new Set(found.flatMap(({ text }) => places.get(text) ?? nodes[ids.get(text) ?? -1]?.chunks ?? []))]
    const same = nodes[ids.get(reply) ?? -1] ?? units[places.get(reply)?.[0] ?? -1]
    if (same) repeated++
    const responseId = add(
      reply,
      same?.vector ?? (await embed(reply)),
      from.sort((a, b) => a - b),
    )
    const materialIds = found.map((one) => add(one.text, one.vector, []))
    records.push({ query, queryVector, chunk, responseId, materialIds })
    for (const id of materialIds) edges.set(`${id} ${responseId}`, [id, responseId])
  }
  const isolated = unseen().map(({ text, vector }) => add(text, vector, []))
  return {
    nodes: nodes.map(({ text, kind, vector, chunks: own }) => ({ text, kind, vector, chunks: own })),
    edges: [...edges.values()],
    records,
    isolated,
    repeatedResponses: repeated,
    unanswered,
  }

  /** The first chunk of every text that is no node. */
  function unseen() {
    return [...places].flatMap(([text, [place = 0]]) => (ids.has(text) ? [] : (units[place] ?? [])))
  }

  /** What a query is answered from: the nearest so far; the first one sees chunks alone. */
  function nearest(query: Float32Array): readonly Vectored[] {
    const candidates = nodes.length === 0 ? units : [...nodes, ...unseen()]
    if (nodes.length === 0 && units.length <= most) return units
    const directions = candidates.map(({ direction }) => direction)
    return topK(query, directions, most).flatMap(({ index }) => candidates[index] ?? [])
  }
}

/** Whether a response says that the passages do not tell. */
export const isRefusal = (response: string): boolean =>
  /\b(?:unanswerable|not known|not answerable|(?:do|does|did)(?: not|n't|n’t) (?:say|tell|mention|provide|contain|specify|state|give)|can(?:not| not|'t|’t) (?:answer|be answered|determine|be determined))\b/i.test(
    response,
  )
