import { neighbours, strongestEdges } from '../drawing.ts'
import { factorsOf, type Gem, type Memory } from '../memory.ts'
import type { ThemeMark } from '../node.ts'
import type { GemOptions } from '../options.ts'
import type { Spectrum } from '../spectrum.ts'
import type { SavedGem, SavedMemory } from './load.ts'
import { packed32, packed64 } from '../../shared/packed-numbers.ts'

/** The memories as plain JSON data; `loadedGem` gives the same again. Why a node has no questions is not kept. */
export function savedGem({ options, chunks, memories }: Gem): SavedGem {
  const places = new Map(chunks.map(({ id }, place) => [id, place]))
  const dimensions = memories[0]?.nodes[0]?.vector.length ?? 0
  return { options, dimensions, memories: memories.map((memory) => savedMemory(memory, options, dimensions, places)) }
}

function savedMemory(
  { nodes, spectrum, components, unreadSummaries, cutSummaries }: Memory,
  options: GemOptions,
  dimensions: number,
  places: ReadonlyMap<string, number>,
): SavedMemory {
  const asked = nodes.flatMap(({ questions }) => questions)
  const inRoles = asked.some(({ raw, asDocument }) => raw !== asDocument)
  const textsOf = (node: Memory['nodes'][number]): readonly string[] => node.questions.map(({ text }) => text)
  return {
    chunks: nodes.flatMap((node) =>
      node.theme ? [] : [{ chunk: places.get(node.from[0] ?? '') ?? -1, questions: textsOf(node) }],
    ),
    summaries: nodes.flatMap((node) =>
      node.theme ? [{ text: node.text, questions: textsOf(node), theme: savedTheme(node.theme) }] : [],
    ),
    vectors: packed32(
      nodes.map(({ vector }) => vector),
      dimensions,
    ),
    questionVectors: packed32(
      asked.map(({ raw }) => raw),
      dimensions,
    ),
    ...(inRoles && {
      questionVectorsAsDocuments: packed32(
        asked.map(({ asDocument }) => asDocument),
        dimensions,
      ),
    }),
    edges: strongestEdges(factorsOf(nodes), options.symmetrize, neighbours).edges,
    spectrum: spectrum ? savedSpectrum(spectrum) : null,
    ...{ components, unreadSummaries, cutSummaries },
  }
}

const savedTheme = ({ number, eigenvalue, members, weights }: ThemeMark): ThemeMark => ({
  ...{ number, eigenvalue, members, weights },
})

function savedSpectrum({ graph, pairs, values }: Spectrum): NonNullable<SavedMemory['spectrum']> {
  const { n, form, degrees, trace, Lambda, pairStats } = graph
  return {
    ...{ form, degrees: packed64([degrees], n), trace, Lambda, ...pairStats },
    eigenvalues: [...pairs.values],
    eigenvectors: packed64(pairs.vectors, n),
    residuals: [...pairs.residuals],
    values: [...values],
    ...{ solver: pairs.solver, iterations: pairs.iterations, converged: pairs.converged },
  }
}
