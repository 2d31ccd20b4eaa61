import type { IndexStats } from '../../types.ts'
import type { BuiltGraph } from './build.ts'
import type { GraphOptions } from './options.ts'

const total = (graphs: readonly BuiltGraph[], of: (graph: BuiltGraph) => number): number =>
  graphs.reduce((sum, graph) => sum + of(graph), 0)

/** What the record graphs of a corpus hold. */
export const statsOf = (graphs: readonly BuiltGraph[]): IndexStats => ({
  recordGraphs: graphs.length,
  chunks: total(graphs, ({ units }) => units.length),
  mergedTexts: total(graphs, ({ nodes, units }) => units.length - nodes.filter(({ kind }) => kind === 'chunk').length),
  simulatedQueries: total(graphs, ({ simulated }) => simulated.queries.length),
  attempts: total(graphs, ({ simulated }) => simulated.attempts),
  calls: total(graphs, ({ simulated }) => simulated.attempts + simulated.queries.length),
  responses: total(graphs, ({ nodes }) => nodes.filter(({ kind }) => kind === 'response').length),
  repeatedResponses: total(graphs, ({ repeatedResponses }) => repeatedResponses),
  refusals: total(graphs, ({ refusals }) => refusals),
  edges: total(graphs, ({ edges }) => edges.length),
  isolatedChunks: total(graphs, ({ isolated }) => isolated.length),
})

/** What was lost, in words that end a note. */
export const warningsOf = (
  graphs: readonly BuiltGraph[],
  { simulatedQueries }: GraphOptions,
): Readonly<Record<string, number>> => ({
  'simulated queries fewer than the option asks for': total(graphs, ({ simulated }) =>
    Math.max(0, simulatedQueries - simulated.queries.length),
  ),
  'simulated queries whose reply could not be read or was refused': total(graphs, ({ simulated }) => simulated.lost),
  'simulated queries without a response, because the reply could not be read or was refused': total(
    graphs,
    ({ unanswered }) => unanswered,
  ),
  'responses that repeat another node word for word': total(graphs, ({ repeatedResponses }) => repeatedResponses),
})
