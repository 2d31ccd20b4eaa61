import { itemAt } from '../../basics/collections.ts'
import type { Chunk, Graph } from '../../types.ts'
import type { Factors } from '../../math/spectrum/factors.ts'
import { forEachPair } from '../../math/spectrum/strips.ts'
import { factorsOf, type Memory } from './memory.ts'
import type { GemOptions } from './options.ts'
import { weightOf } from './recall.ts'
import type { Spectrum } from './themes.ts'

const neighbours = 8

/** All memories as one graph: chunks, eigenthemes, a group per theme, and the spectrum of the largest memory. */
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
      const degree = memory.spectrum?.degrees[index]
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
    const strongest = strongestEdges(factorsOf(memory.nodes), neighbours)
    leftOut += strongest.leftOut
    for (const { from, to, weight } of strongest.edges)
      edges.push({ from: firstNode + from, to: firstNode + to, weight })
  }
  const largest = largestOf(memories)
  const count = largest?.nodes.filter(({ kind }) => kind === 'chunk').length ?? 0
  const name =
    largest && memories.length > 1
      ? `${documentOf(largest)}, the largest of ${memories.length} memories`
      : `the graph of ${count} chunks`
  const notes = [
    ...(largest?.spectrum ? spectrumNotes(largest.spectrum, name, options) : []),
    ...(leftOut > 0
      ? [
          `The graph is complete: of its ${edges.length + leftOut} edges of positive weight the ${neighbours} strongest of every node are drawn, ${edges.length} in all.`,
        ]
      : []),
  ]
  return {
    nodes,
    edges,
    groups,
    leftOut,
    ...(largest?.spectrum && { spectrum: [...largest.spectrum.pairs.values] }),
    ...(notes.length > 0 && { notes }),
  }
}

/** The memory with the most chunks; ties go to the first. */
export function largestOf(memories: readonly Memory[]): Memory | undefined {
  const size = ({ nodes }: Memory): number => nodes.filter(({ kind }) => kind === 'chunk').length
  return [...memories].sort((a, b) => size(b) - size(a))[0]
}

function eigenvectorEntries({ spectrum }: Memory, index: number, options: GemOptions): readonly number[] {
  if (!spectrum || options.clustering !== 'spectral' || index >= spectrum.degrees.length) return []
  const vectors = spectrum.pairs.vectors.slice(0, options.components)
  return vectors.map((vector) => Number(itemAt(vector, index).toPrecision(4)) + 0)
}

function themeGroups({ nodes }: Memory, before: number): ReadonlyMap<number, number> {
  const groups = new Map<number, number>()
  const themes = nodes.flatMap(({ theme }, index) => (theme ? [[index, ...theme.members]] : []))
  for (const [number, members] of themes.entries())
    for (const node of members) {
      if (!groups.has(node)) groups.set(node, before + number + 1)
    }
  return groups
}

/**
 * The `limit` strongest positive edges of every node, ties by lower neighbour, each edge once, in node order; `leftOut`
 * counts the rest. O(n²d) time.
 */
export function strongestEdges(factors: Factors, limit: number) {
  const strongest = Array.from({ length: factors.a.rows }, (): { to: number; weight: number }[] => [])
  const insertEdge = (node: number, to: number, weight: number): void => {
    const edges = itemAt(strongest, node)
    if (edges.length === limit && itemAt(edges, -1).weight >= weight) return
    edges.splice(edges.findLastIndex((edge) => edge.weight >= weight) + 1, 0, { to, weight })
    if (edges.length > limit) edges.pop()
  }
  let positive = 0
  forEachPair(factors, (i, j, above, below) => {
    const weight = weightOf(above, below)
    if (i === j || weight <= 0) return true
    positive++
    insertEdge(i, j, weight)
    insertEdge(j, i, weight)
    return true
  })
  const isStrong = (node: number, neighbour: number) => itemAt(strongest, node).some(({ to }) => to === neighbour)
  const edges = strongest.flatMap((nodeEdges, from) =>
    nodeEdges
      .filter(({ to }) => from < to || !isStrong(to, from))
      .map(({ to, weight }) => ({ from: Math.min(from, to), to: Math.max(from, to), weight })),
  )
  return { edges, leftOut: positive - edges.length }
}

/** Notes on the eigenvalues of a memory: their graph, their relation to the themes, remarks 2 and 3. */
export function spectrumNotes(
  { degrees, pairs, remarks }: Spectrum,
  name: string,
  options: GemOptions,
): readonly string[] {
  const { form, Lambda, themeEstimate: themes, largestGapIndex: gap } = remarks
  const count = Math.min(options.components, degrees.length - 1)
  const origin =
    options.clustering === 'kmeans' ? 'clusters of k-means' : `the first ${count} eigenvectors, in their order`
  const largestGap = gap ? `; from the highest down, the largest gap follows number ${gap}` : ''
  return [
    `Leading eigenvalues of ${name}, by magnitude${pairs.converged ? '' : ', which did not converge'}. The themes come from ${origin}.`,
    `Λ, the sum of all squared eigenvalues (Remark 3): ${Number(Lambda.toPrecision(3))}.`,
    `Remark 2 ${themes ? `estimates ${themes} themes` : 'gives no estimate of the number of themes'}${largestGap}.`,
    ...(form === 'unclamped'
      ? ['Negative weights count in these eigenvalues as they are, because clamping them takes too much memory.']
      : []),
  ]
}
