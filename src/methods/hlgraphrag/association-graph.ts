import { valueOf } from '../../basics/collections.ts'
import { dot } from '../../math/vectors.ts'
import { addTrace } from '../shared/add-trace.ts'
import type { Extracted } from './extract.ts'
import type { Models, Chunk, Passage } from '../../types.ts'

/** Labels in the order in which they were first given, each with the rows of the chunks that it was taken from. */
type Labels = ReadonlyMap<string, ReadonlySet<number>>

/** A subject or event as first written; `labels`: what is said of it alone; `chunks`: rows that name it. */
interface AssociationNode {
  readonly text: string
  readonly labels: Labels
  readonly chunks: ReadonlySet<number>
}

/** A directed graph with labels on every edge (the paper's AssociationGraph), neighbours in order of relation. */
export interface AssociationGraph {
  readonly nodes: readonly AssociationNode[]
  readonly edges: readonly ReadonlyMap<number, Labels>[]
}

/** The graph of what was extracted: a node for every text, whatever the case. */
export function associationGraph(extracted: Extracted): AssociationGraph {
  const { subjects, associations } = extracted
  const names = namesOf(extracted)
  const numbers = new Map([...names.keys()].map((key, node) => [key, node]))
  const nodes = Array.from(names.values(), (text) => ({ text, labels: labels(), chunks: new Set<number>() }))
  const edges = nodes.map(() => new Map<number, ReturnType<typeof labels>>())
  const place = (text: string, chunk: number): number => {
    const node = valueOf(numbers, keyOf(text))
    nodes[node]?.chunks.add(chunk)
    return node
  }
  const connect = (from: number, to: number, label: string, chunk: number): void => {
    const own = edges[from]
    const given = own?.get(to) ?? labels()
    own?.set(to, add(given, label, chunk))
  }
  for (const { text, chunk } of subjects) place(text, chunk)
  for (const { chunk, ends, label, back } of associations) {
    const [first = 0, second = first] = ends.map((end) => place(end, chunk))
    if (first === second) add(nodes[first]?.labels ?? labels(), label, chunk)
    else {
      connect(first, second, label, chunk)
      connect(second, first, back, chunk)
    }
  }
  return { nodes, edges }
}

/** The texts of all subjects and ends of associations by their keys, as first written, in the order of the chunks. */
function namesOf({ subjects, associations }: Extracted): ReadonlyMap<string, string> {
  const all = [...subjects, ...associations.flatMap(({ chunk, ends }) => ends.map((text) => ({ chunk, text })))].sort(
    (a, b) => a.chunk - b.chunk,
  )
  const names = new Map<string, string>()
  for (const { text } of all) if (!names.has(keyOf(text))) names.set(keyOf(text), text.trim())
  return names
}

/** What names one node: the text without outer spaces, whatever the case. */
const keyOf = (text: string): string => text.trim().toLowerCase()

const labels = (): Map<string, Set<number>> => new Map()

const add = (given: Map<string, Set<number>>, label: string, chunk: number): Map<string, Set<number>> =>
  given.set(label, (given.get(label) ?? new Set()).add(chunk))

/** The neighbours of a node that were not visited, in the order in which the search descends to them. */
type Descend = (node: number, unvisited: readonly number[]) => readonly number[]

/** Depth-first search from a node, in pre-order, of no more than so many nodes. */
export function depthFirst(
  start: number,
  neighbours: (node: number) => Iterable<number>,
  most: number,
  descend: Descend = (_, unvisited) => unvisited,
): readonly number[] {
  const visited = new Set<number>()
  const visit = (node: number): void => {
    visited.add(node)
    const unvisited = [...neighbours(node)].filter((next) => !visited.has(next))
    for (const next of visited.size < most ? descend(node, unvisited) : []) {
      if (visited.size >= most) return
      // the search below a neighbour before it may have come here
      if (!visited.has(next)) visit(next)
    }
  }
  visit(start)
  return [...visited]
}

/** Vectors by the text of a label and of the node that it leads to. */
type LabelVectors = ReadonlyMap<string, Float32Array>

/** The vector of each label with the text of the node that it leads to (the paper's ranked retrieval). */
export async function labelVectors({ nodes, edges }: AssociationGraph, models: Models): Promise<LabelVectors> {
  const texts = new Set(
    edges.flatMap((own) => Array.from(own, ([to, labels]) => labelled(labels.keys(), nodes[to]?.text)).flat()),
  )
  const vectors = texts.size > 0 ? await models.embed([...texts], 'document') : []
  return new Map([...texts].map((text, row) => [text, known(vectors[row])]))
}

/** The unvisited neighbour with the label nearest to the search term first, equal ones as they were stored. */
export function nearestFirst({ nodes, edges }: AssociationGraph, vectors: LabelVectors, term: Float32Array): Descend {
  const best = (from: number, to: number): number =>
    labelled(edges[from]?.get(to)?.keys() ?? [], nodes[to]?.text).reduce(
      (most, text) => Math.max(most, dot(term, known(vectors.get(text)))),
      -Infinity,
    )
  return (node, unvisited) =>
    unvisited
      .map((to) => ({ to, score: best(node, to) }))
      .sort((a, b) => b.score - a.score)
      .map(({ to }) => to)
}

function known(vector: Float32Array | undefined): Float32Array {
  if (!vector) throw new Error('the embedding model returned no vector for a label')
  return vector
}

const labelled = (labels: Iterable<string>, text = ''): string[] => Array.from(labels, (label) => `${label} ${text}`)

/** A main idea of a message, the nodes collected for it, the start first, and the cosine of idea and start. */
export interface Collected {
  readonly idea: string
  readonly nodes: readonly number[]
  readonly cosine: number
}

/** One line of a context and the rows of the chunks that it was taken from. */
interface Line {
  readonly text: string
  readonly chunks: Iterable<number>
}

/** One passage for each idea, best start first, read in the order of ideas; nothing is shown twice. */
export function contextOf(
  graph: AssociationGraph,
  chunks: readonly Chunk[],
  collected: readonly Collected[],
  fallback?: string,
): readonly Passage[] {
  const shown = new Set<string>()
  const passages = collected
    .map((one, order) => ({ ...one, order }))
    .sort((a, b) => b.cosine - a.cosine || a.order - b.order)
    .flatMap(({ idea, nodes, cosine, order }): readonly Passage[] => {
      const lines = linesOf(graph, nodes).filter(({ text }) => !shown.has(text))
      for (const { text } of lines) shown.add(text)
      if (lines.length === 0) return []
      const rows = [...new Set(lines.flatMap((line) => [...line.chunks]))].sort((a, b) => a - b)
      const why = { idea, start: textOf(graph, nodes[0]), nodes: nodes.map((node) => textOf(graph, node)) }
      const text = lines.map((line) => line.text).join('\n')
      return [{ text, score: cosine, from: rows.flatMap((row) => chunks[row]?.id ?? []), kind: 'facts', order, why }]
    })
  return addTrace(passages, [fallback])
}

/** What collected nodes are to each other, each relation once; what is said of a node alone; the rest by themselves. */
function linesOf(graph: AssociationGraph, nodes: readonly number[]): readonly Line[] {
  const between = nodes.flatMap((to, place) =>
    nodes
      .slice(0, place)
      .flatMap((from) => linesOfLabels(graph.edges[from]?.get(to), textOf(graph, from), ` ${textOf(graph, to)}`)),
  )
  const related = new Set(nodes.filter((node) => nodes.some((other) => graph.edges[node]?.has(other) === true)))
  const alone = nodes.flatMap((node) => {
    const own = linesOfLabels(graph.nodes[node]?.labels, textOf(graph, node), '')
    if (own.length > 0 || related.has(node)) return own
    return [{ text: textOf(graph, node), chunks: graph.nodes[node]?.chunks ?? [] }]
  })
  return [...between, ...alone]
}

const linesOfLabels = (labels: Labels | undefined, from: string, to: string): readonly Line[] =>
  Array.from(labels ?? [], ([label, chunks]) => ({ text: `${from} [${label}]${to}`, chunks }))

const textOf = ({ nodes }: AssociationGraph, node: number | undefined): string =>
  node === undefined ? '' : (nodes[node]?.text ?? '')
