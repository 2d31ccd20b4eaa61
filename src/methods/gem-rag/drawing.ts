import { itemAt } from '../../basics/collections.ts'
import type { Chunk, Graph } from '../../types.ts'
import { factorsOf, type Memory } from './memory.ts'
import type { GemOptions } from './options.ts'
import type { Factors } from '../../math/spectrum/factors.ts'
import { forEachPair } from '../../math/spectrum/strips.ts'
import { weightOf } from './recall.ts'
import { remarksOn, type Spectrum } from './themes.ts'

/** The strongest edges of every node that are drawn. */
export const neighbours = 8

/** The memories as one drawing: chunks, eigenthemes, a group for every theme, the largest memory's spectrum. */
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
    const strongest = strongestEdges(factorsOf(memory.nodes), neighbours)
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

/** The entries of a chunk in the eigenvectors that make themes, to four digits; none of a summary. */
function eigenvectorEntries({ spectrum }: Memory, index: number, options: GemOptions): readonly number[] {
  if (!spectrum || options.clustering !== 'spectral' || index >= spectrum.graph.n) return []
  const vectors = spectrum.pairs.vectors.slice(0, options.components)
  return vectors.map((vector) => Number(itemAt(vector, index).toPrecision(4)) + 0)
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

/** The edges that are drawn, and how many of positive weight are not. */
interface StrongestEdges {
  readonly edges: Graph['edges']
  readonly leftOut: number
}

/** Of every node its so many strongest edges of positive weight, each edge once, in order of nodes: O(n²d) time. */
export function strongestEdges(factors: Factors, most: number): StrongestEdges {
  const n = factors.a.rows
  // of every node: its neighbours, heaviest first, equal ones by lower index; weight 0: none
  const weights = new Float64Array(n * most)
  const neighbours = new Uint32Array(n * most)
  const offer = (node: number, other: number, weight: number): void => {
    const first = node * most
    let place = first + most - 1
    if (!(weight > (weights[place] ?? Infinity))) return
    for (; place > first && itemAt(weights, place - 1) < weight; place--) {
      weights[place] = itemAt(weights, place - 1)
      neighbours[place] = itemAt(neighbours, place - 1)
    }
    weights[place] = weight
    neighbours[place] = other
  }
  let positive = 0
  forEachPair(factors, (i, j, above, below) => {
    if (i === j) return true
    const weight = weightOf(above, below)
    if (weight > 0) positive++
    offer(i, j, weight)
    offer(j, i, weight)
    return true
  })
  const has = (node: number, other: number): boolean =>
    neighbours.subarray(node * most, (node + 1) * most).some((one, at) => one === other && isEdge(node * most + at))
  const isEdge = (place: number): boolean => itemAt(weights, place) > 0
  const edges = Array.from(weights, (weight, place) => ({
    from: Math.floor(place / most),
    to: itemAt(neighbours, place),
    weight,
  }))
    .filter(({ from, to, weight }) => weight > 0 && (from < to || !has(to, from)))
    .map(({ from, to, weight }) => ({ from: Math.min(from, to), to: Math.max(from, to), weight }))
  return { edges, leftOut: positive - edges.length }
}

/** Below the eigenvalues of a memory: whose they are, what the themes have to do with them, remarks 2 and 3. */
export function spectrumNotes(spectrum: Spectrum, name: string, options: GemOptions): readonly string[] {
  const { Lambda, themeEstimate, largestGapIndex } = remarksOn(spectrum)
  const doubt = spectrum.pairs.converged ? '' : ', which did not converge'
  const gap =
    typeof largestGapIndex === 'number'
      ? `; from the highest down, the largest gap follows number ${largestGapIndex}`
      : ''
  return [
    `Leading eigenvalues of ${name}, by magnitude${doubt}. ${originOf(spectrum, options)}`,
    `Λ, the sum of all squared eigenvalues (Remark 3): ${Number(Lambda.toPrecision(3))}.`,
    `${estimateOf(themeEstimate)}${gap}.`,
    ...(spectrum.graph.form === 'unclamped'
      ? ['Negative weights count in these eigenvalues as they are, because clamping them takes too much memory.']
      : []),
  ]
}

/** Where the themes of a graph of so many chunks come from. */
function originOf({ graph: { n } }: Spectrum, { clustering, components }: GemOptions): string {
  if (clustering === 'kmeans')
    return components === 0 ? 'There are no themes.' : 'The themes are clusters of k-means, not eigenvectors.'
  const made = Math.min(components, n - 1)
  if (made === 0) return 'There are no themes.'
  if (n === 2) return 'Two chunks make one theme.'
  return `The themes come from the first ${made === 1 ? 'eigenvector' : `${made} eigenvectors, in their order`}.`
}

function estimateOf(themes: number | null | undefined): string {
  if (themes === undefined) return 'For the estimate of Remark 2 more eigenvalues would have to be known'
  return themes === null ? 'Remark 2 gives no estimate of the number of themes' : `Remark 2 estimates ${themes} themes`
}
