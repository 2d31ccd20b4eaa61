import { ModelError } from '../../errors.ts'
import { seedFrom } from '../../math/random.ts'
import { answerFromPassages } from '../../tasks/records/answer-from-passages.ts'
import { simulateQuery } from '../../tasks/records/simulate-query.ts'
import type { Chunk, Models } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { byDocument } from '../shared/by-document.ts'
import { refuseAllLost } from '../shared/run-each.ts'
import { sourceUnits, type SourceUnit } from '../shared/text-units.ts'
import { graphOptionNames, usualSeed, type GraphOptions } from './options.ts'
import { recordGraph, type RecordGraph } from './record-graph.ts'
import { simulate, type Simulated } from './simulate.ts'

/** The record graph of a document, or of a corpus: `units` are its chunks, which its nodes name by their places. */
export interface BuiltGraph extends RecordGraph {
  readonly units: readonly SourceUnit[]
  readonly simulated: Simulated
}

/** The record graphs of a corpus, none for a document without text. The rows of a run that agree in the options of the graph share them. */
export const recordGraphs = {
  name: 'record graphs',
  options: graphOptionNames,
  make: build,
}

/**
 * Embeds all chunks, and only then asks a language model. A document whose replies are all lost has a graph of its chunks alone; throws
 * ModelError where every call of a kind was lost in all documents.
 */
export async function build(
  chunks: readonly Chunk[],
  models: Models,
  options: GraphOptions,
): Promise<readonly BuiltGraph[]> {
  const groups = groupsOf(chunks, options, (text) => models.countTokens(text))
  if (groups.length === 0) return []
  const all = groups.flat()
  const vectors = await models.embed(
    all.map(({ text }) => text),
    'document',
  )
  const units = all.map((unit, place) => ({ ...unit, vector: vectors[place] ?? new Float32Array() }))
  const seed = options.seed ?? models.seed(usualSeed)
  const asked: Asked = { attempts: [], replies: [] }
  const ends = groups.reduce<readonly number[]>((sums, group) => [...sums, (sums.at(-1) ?? 0) + group.length], [0])
  const graphs = await Promise.all(
    groups.map((group, place) =>
      one(units.slice(ends[place], ends[place + 1]), models, options, asked, seedOf(seed, group)),
    ),
  )
  refuseAllLost(simulateQuery, asked.attempts)
  refuseAllLost(answerFromPassages, asked.replies)
  return graphs
}

/** The chunks of a corpus, by the graph that they belong to. */
export function groupsOf(
  chunks: readonly Chunk[],
  options: Pick<GraphOptions, 'scope' | 'chunkTokens' | 'overlap'>,
  count: (text: string) => number,
): readonly (readonly SourceUnit[])[] {
  const units = sourceUnits(chunks, options, count).filter(({ text }) => text.trim() !== '')
  if (options.scope === 'corpus') return units.length > 0 ? [units] : []
  return [...byDocument(units.map((unit) => ({ ...unit, documentId: unit.docId }))).values()]
}

/** A document's own draws do not depend on what else is in the corpus. */
const seedOf = (seed: number, group: readonly SourceUnit[]): number => seedFrom(seed, group[0]?.docId ?? '')

/** What became of the calls of all documents: replies, or errors where they were lost. */
interface Asked {
  readonly attempts: (string | ModelError)[]
  readonly replies: (string | ModelError)[]
}

async function one(
  units: readonly (SourceUnit & { readonly vector: Float32Array })[],
  models: Models,
  options: GraphOptions,
  asked: Asked,
  seed: number,
): Promise<BuiltGraph> {
  const { simulated, outcomes } = await simulate(
    units.map(({ text }) => text),
    models,
    options,
    seed,
  )
  asked.attempts.push(...outcomes)
  const vectors = await models.embed(
    simulated.queries.map(({ text }) => text),
    'query',
  )
  const queries = simulated.queries.map((query, place) => ({ ...query, vector: vectors[place] ?? new Float32Array() }))
  const graph = await recordGraph(units, queries, {
    materials: options.materials,
    dropRefusals: options.dropRefusals,
    respond: async (question, passages) => {
      const reply = await attempt(models, answerFromPassages, {
        ...{ question, passages, temperature: options.responseTemperature },
      })
      asked.replies.push(reply)
      return reply instanceof ModelError ? undefined : reply
    },
    embed: async (response) => (await models.embed([response], 'document'))[0] ?? new Float32Array(),
  })
  return { ...graph, units, simulated }
}
