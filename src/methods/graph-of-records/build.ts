import { itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { seedFrom, mulberry32 } from '../../math/random.ts'
import { answerFromPassages, simulateQuery } from '../../tasks/records.ts'
import type { Chunk, Models } from '../../types.ts'
import { attempt, refuseAllLost } from '../shared/attempt.ts'
import { scopeOf } from '../shared/scope.ts'
import { byDocument } from '../shared/whole-documents.ts'
import { recordGraph, type RecordGraph } from './record-graph.ts'

/** The record graph of a document, or of a corpus: `units` are its chunks, which its nodes name by their places. */
export interface BuiltGraph extends RecordGraph {
  readonly units: readonly Chunk[]
  readonly simulated: Simulated
}

/** The record graphs of a corpus, none for a document without text; all rows share them. */
export const recordGraphs = {
  name: 'record graphs',
  options: [],
  make: build,
}

/** Embeds all chunks, then asks a language model. Throws ModelError where every call of a kind was lost. */
export async function build(chunks: readonly Chunk[], models: Models): Promise<readonly BuiltGraph[]> {
  const groups = groupsOf(chunks)
  if (groups.length === 0) return []
  const units = await withVectors(groups.flat(), models, 'document')
  const seed = models.seed(usualSeed)
  const asked: Asked = { attempts: [], replies: [] }
  const ends = groups.reduce<readonly number[]>((sums, group) => [...sums, (sums.at(-1) ?? 0) + group.length], [0])
  const graphs = await Promise.all(
    groups.map((group, place) => one(units.slice(ends[place], ends[place + 1]), models, asked, seedOf(seed, group))),
  )
  refuseAllLost(simulateQuery, asked.attempts)
  refuseAllLost(answerFromPassages, asked.replies)
  return graphs
}

/** The seed of the reference code. */
export const usualSeed = 42

/** Simulated queries of one record graph (ulab-uiuc/GoR@47ac674). */
export const simulatedQueries = 30

/** Nodes that a simulated query finds, from which it is answered, and the answers' temperature (reference code). */
const responding = { materials: 6, temperature: 0 }

/** The temperature of simulated queries (reference code). */
const simulating = { temperature: 0.5 }

async function withVectors<T extends { readonly text: string }>(
  items: readonly T[],
  models: Models,
  role: 'document' | 'query',
): Promise<readonly (T & { readonly vector: Float32Array })[]> {
  const vectors = await models.embed(
    items.map(({ text }) => text),
    role,
  )
  return items.map((item, place) => ({ ...item, vector: itemAt(vectors, place) }))
}

/**
 * The chunks of a corpus, by the graph that they belong to: a graph for each document (ulab-uiuc/GoR@47ac674), or one
 * for all where at least half of several documents have no more chunks than every simulated query would find (our
 * reading).
 */
export function groupsOf(chunks: readonly Chunk[]): readonly (readonly Chunk[])[] {
  const units = chunks.filter(({ text }) => text.trim() !== '')
  const documents = [...byDocument(units).values()]
  if (scopeOf(documents, 'auto', responding.materials) === 'document') return documents
  return units.length > 0 ? [units] : []
}

/** A document's own draws do not depend on what else is in the corpus. */
const seedOf = (seed: number, group: readonly Chunk[]): number => seedFrom(seed, group[0]?.documentId ?? '')

/** What became of the calls of all documents: replies, or errors where they were lost. */
interface Asked {
  readonly attempts: (string | ModelError)[]
  readonly replies: (string | ModelError)[]
}

async function one(
  units: readonly (Chunk & { readonly vector: Float32Array })[],
  models: Models,
  asked: Asked,
  seed: number,
): Promise<BuiltGraph> {
  const { simulated, outcomes } = await simulate(
    units.map(({ text }) => text),
    models,
    seed,
  )
  asked.attempts.push(...outcomes)
  const queries = await withVectors(simulated.queries, models, 'query')
  const graph = await recordGraph(units, queries, {
    materials: responding.materials,
    respond: async (question, passages) => {
      const { temperature } = responding
      const reply = await attempt(models, answerFromPassages, { question, passages, temperature })
      asked.replies.push(reply)
      return reply instanceof ModelError ? undefined : reply
    },
    embed: async (text) => itemAt(await models.embed([text], 'document'), 0),
  })
  return { ...graph, units, simulated }
}

/** `lost`: attempts whose reply could not be read or was refused. */
interface Simulated {
  readonly queries: readonly { readonly text: string; readonly chunk: number }[]
  readonly lost: number
}

/**
 * Distinct questions about chunks that are drawn uniformly with replacement (section 2, step 2); a chunk that is drawn
 * again is asked about with another seed. A graph takes two calls for each of its queries at most: attempts end where
 * the calls that are left are needed to answer what was asked. Lost attempts are counted, even where all are.
 */
async function simulate(chunks: readonly string[], models: Models, seed: number) {
  const random = mulberry32(seed)
  const drawn = chunks.map(() => 0)
  const accepted = new Map<string, number>()
  const outcomes: (string | ModelError)[] = []
  for (;;) {
    const calls = 2 * simulatedQueries - outcomes.length - accepted.size
    // as many as must be asked whatever their replies are: so they may be asked at once
    const open = Math.min(simulatedQueries - accepted.size, Math.floor(calls / 2))
    if (open <= 0 || chunks.length === 0) break
    const asked = Array.from({ length: open }, () => {
      const chunk = Math.floor(random() * chunks.length)
      const variant = itemAt(drawn, chunk)
      drawn[chunk] = variant + 1
      return { chunk, input: { passage: plain(itemAt(chunks, chunk)), ...simulating, variant } }
    })
    const replies = await Promise.all(asked.map(({ input }) => attempt(models, simulateQuery, input)))
    for (const [place, { chunk }] of asked.entries()) {
      const reply = itemAt(replies, place)
      outcomes.push(reply)
      const text = reply instanceof ModelError ? '' : questionIn(reply)
      if (text !== '' && !accepted.has(text)) accepted.set(text, chunk)
    }
  }
  const simulated: Simulated = {
    queries: Array.from(accepted, ([text, chunk]) => ({ text, chunk })),
    lost: outcomes.filter((outcome) => outcome instanceof ModelError).length,
  }
  return { simulated, outcomes }
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The first line of a reply from its first letter on: lists begin with numbers and dashes. */
const questionIn = (reply: string): string => (reply.trim().split('\n')[0] ?? '').replace(/^[^\p{L}]+/u, '').trim()
