import type { Chunk, Graph } from '../../types.ts'
import { strongestEdges } from './drawing-edges.ts'
import { spectrumNotes } from './drawing-notes.ts'
import { factorsOf, type Memory } from './memory.ts'
import type { GemOptions } from './options.ts'

/** The strongest edges of every node that are drawn. */
export const neighbours = 8

/** The memories as one drawing: chunks and eigenthemes as nodes, a group for every theme, and the spectrum of the largest memory. */
export function drawingOf(memories: readonly Memory[], options: GemOptions, chunks: readonly Chunk[]): Graph {
  const documents = new Map(chunks.map(({ id, documentId }) => [id, documentId]))
  const documentOf = ({ nodes }: Memory): string => documents.get(nodes[0]?.from[0] ?? '') ?? ''
  const nodes: Graph['nodes'][number][] = []
  const edges: Graph['edges'][number][] = []
  const groups: string[] = []
  let leftOut = 0
  for (const memory of memories) {
    const firstNode = nodes.length
    const groupOf = themeGroups(memory, groups.length)
    for (const [index, { kind, text, from, questions, theme }] of memory.nodes.entries()) {
      const name = theme && `theme ${theme.number}${memories.length > 1 ? ` of ${documentOf(memory)}` : ''}`
      if (name !== undefined) groups.push(name)
      const degree = memory.spectrum?.graph.degrees[index]
      const eigenvector = eigenvectorEntries(memory, index, options)
      nodes.push({
        id: name ?? from[0] ?? String(index),
        kind,
        text,
        group: groupOf.get(index) ?? 0,
        data: {
          questions: questions.map((question) => question.text),
          ...(theme && {
            theme: theme.number,
            eigenvalue: theme.eigenvalue,
            members: theme.members.map((member) => firstNode + member),
          }),
          ...(degree !== undefined && { degree }),
          ...(eigenvector.length > 0 && { eigenvector }),
        },
      })
    }
    const strongest = strongestEdges(factorsOf(memory.nodes), options.symmetrize, neighbours)
    leftOut += strongest.leftOut
    for (const { from, to, weight } of strongest.edges)
      edges.push({ from: firstNode + from, to: firstNode + to, weight })
  }
  const { spectrum, notes = [] } = spectrumOf(memories, documentOf, options)
  const told = [...notes, ...(leftOut > 0 ? [edgesNote(edges.length, leftOut)] : [])]
  return { nodes, edges, groups, leftOut, ...(spectrum && { spectrum }), ...(told.length > 0 && { notes: told }) }
}

const edgesNote = (drawn: number, leftOut: number): string =>
  `The graph is complete: of its ${drawn + leftOut} edges of positive weight the ${neighbours} strongest of every node are drawn, ${drawn} in all.`

/** The entries of a chunk in the eigenvectors that make themes, to four digits; none of a summary, or where clusters make the themes. */
function eigenvectorEntries(
  { spectrum }: Memory,
  index: number,
  { clustering, components }: GemOptions,
): readonly number[] {
  if (!spectrum || clustering !== 'spectral' || index >= spectrum.graph.n) return []
  return spectrum.pairs.vectors.slice(0, components).map((vector) => Number((vector[index] ?? 0).toPrecision(4)) + 0)
}

/** The group of every node that has one: that of its theme, or of the first theme that a chunk is a member of. */
function themeGroups({ nodes }: Memory, before: number): ReadonlyMap<number, number> {
  const groups = new Map<number, number>()
  const themes = nodes.flatMap(({ theme }, index) => (theme ? [[index, ...theme.members]] : []))
  for (const [number, members] of themes.entries()) {
    for (const node of members) if (!groups.has(node)) groups.set(node, before + number + 1)
  }
  return groups
}

/** The spectrum of the memory of the most chunks, and what is to be said of it; nothing where it was not computed. */
function spectrumOf(
  memories: readonly Memory[],
  documentOf: (memory: Memory) => string,
  options: GemOptions,
): Pick<Graph, 'spectrum' | 'notes'> {
  const size = ({ nodes }: Memory): number => nodes.filter(({ kind }) => kind === 'chunk').length
  const [largest] = [...memories].sort((a, b) => size(b) - size(a))
  if (!largest?.spectrum) return {}
  const name =
    memories.length > 1
      ? `${documentOf(largest)}, the largest of ${memories.length} memories`
      : `the graph of ${size(largest)} chunks`
  return { spectrum: [...largest.spectrum.pairs.values], notes: spectrumNotes(largest.spectrum, name, options) }
}
