import { itemAt, valueOf } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { seedFrom, mulberry32 } from '../../math/random.ts'
import { answerFromPassages, simulateQuery } from '../../tasks/records.ts'
import type { Chunk, Models } from '../../types.ts'
import { attempt, refuseAllLost } from '../shared/attempt.ts'
import { groupsInScope } from '../shared/whole-documents.ts'
import { recordGraph, type RecordGraph } from './record-graph.ts'

/** The record graph of a document, or of a corpus. `units`: its chunks, to which nodes refer by position. */
export interface BuiltGraph extends RecordGraph {
  readonly units: readonly Chunk[]
  readonly simulation: Awaited<ReturnType<typeof simulate>>
}

/** The record graphs of a corpus, which all systems share; none for a document without text. */
export const recordGraphs = { name: 'record graphs', options: [], make: build }

/** Builds all record graphs. Throws ModelError if every call of a task is lost. */
export async function build(chunks: readonly Chunk[], models: Models): Promise<readonly BuiltGraph[]> {
  const groups = groupsOf(chunks)
  if (groups.length === 0) return []
  const allUnits = await withVectors(groups.flat(), models, 'document')
  const vectors = new Map(allUnits.map((unit) => [unit.id, unit]))
  const seed = models.seed(defaultSeed)
  const replies: (string | ModelError)[] = []
  const graphs = await Promise.all(
    groups.map((group) => {
      const units = group.map(({ id }) => valueOf(vectors, id))
      // a seed of the document alone, whatever else the corpus has
      return buildGraph(units, models, replies, seedFrom(seed, group[0]?.documentId ?? ''))
    }),
  )
  const attempts = graphs.flatMap(({ simulation }) => simulation.attempts)
  refuseAllLost(simulateQuery, attempts)
  refuseAllLost(answerFromPassages, replies)
  return graphs
}

/** The seed of the reference code. */
export const defaultSeed = 42

/** Simulated queries of one record graph (ulab-uiuc/GoR@47ac674). */
export const simulatedQueries = 30

/** Materials that a simulated query is answered from (reference code). */
const materials = 6

/** Temperatures of simulated queries and of their answers (reference code). */
const queryTemperature = 0.5
const answerTemperature = 0

async function withVectors<T extends { readonly text: string }>(
  items: readonly T[],
  models: Models,
  role: 'document' | 'query',
): Promise<readonly (T & { readonly vector: Float32Array })[]> {
  const texts = items.map(({ text }) => text)
  const vectors = await models.embed(texts, role)
  return items.map((item, place) => ({ ...item, vector: itemAt(vectors, place) }))
}

/**
 * The chunks of each graph: one graph per document (ulab-uiuc/GoR@47ac674), or one for all if at least half of several
 * documents have no more chunks than a simulated query has materials (our reading).
 */
export const groupsOf = (chunks: readonly Chunk[]): readonly (readonly Chunk[])[] => {
  const units = chunks.filter(({ text }) => text.trim() !== '')
  return groupsInScope(units, 'auto', materials).groups
}

async function buildGraph(
  units: readonly (Chunk & { readonly vector: Float32Array })[],
  models: Models,
  replies: (string | ModelError)[],
  seed: number,
): Promise<BuiltGraph> {
  const simulation = await simulate(units, models, seed)
  const queries = await withVectors(simulation.queries, models, 'query')
  const graph = await recordGraph(units, queries, {
    materials,
    respond: async (question, passages) => {
      const input = { question, passages, temperature: answerTemperature }
      const reply = await attempt(models, answerFromPassages, input)
      replies.push(reply)
      return reply instanceof ModelError ? undefined : reply
    },
    embed: async (text) => itemAt(await models.embed([text], 'document'), 0),
  })
  return { ...graph, units, simulation }
}

/**
 * Distinct questions about chunks that are sampled uniformly with
 * replacement (section 2, step 2). A graph makes at most two calls per
 * query: attempts end when the remaining calls are needed for answers.
 */
async function simulate(chunks: readonly Pick<Chunk, 'text'>[], models: Models, seed: number) {
  const random = mulberry32(seed)
  const drawCounts = chunks.map(() => 0)
  const chunkByQuery = new Map<string, number>()
  const attempts: (string | ModelError)[] = []
  for (;;) {
    const calls = 2 * simulatedQueries - attempts.length - chunkByQuery.size
    // this many are needed whatever the replies are, so they run concurrently
    const open = Math.min(simulatedQueries - chunkByQuery.size, Math.floor(calls / 2))
    if (open <= 0 || chunks.length === 0) break
    const requests = Array.from({ length: open }, () => {
      const chunk = Math.floor(random() * chunks.length)
      const variant = itemAt(drawCounts, chunk)
      drawCounts[chunk] = variant + 1
      return { chunk, input: { passage: plain(itemAt(chunks, chunk).text), temperature: queryTemperature, variant } }
    })
    const replies = await Promise.all(requests.map(({ input }) => attempt(models, simulateQuery, input)))
    for (const [place, { chunk }] of requests.entries()) {
      const reply = itemAt(replies, place)
      attempts.push(reply)
      const text = reply instanceof ModelError ? '' : questionIn(reply)
      if (text !== '' && !chunkByQuery.has(text)) chunkByQuery.set(text, chunk)
    }
  }
  return { queries: Array.from(chunkByQuery, ([text, chunk]) => ({ text, chunk })), attempts }
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

function questionIn(reply: string): string {
  const [line = ''] = reply.trim().split('\n')
  return line.replace(/^[^\p{L}]+/u, '').trim()
}
