import { valueOf } from '../../basics/collections.ts'
import { dot } from '../../math/vectors.ts'
import { addTrace } from '../shared/add-trace.ts'
import type { Extraction } from './extract.ts'
import type { Models, Chunk, Passage } from '../../types.ts'

/** Labels in order of first occurrence, each with the rows of its chunks. */
type Labels = ReadonlyMap<string, ReadonlySet<number>>

/** A subject or event as first written; `labels` concern it alone; `chunks`: rows that name it. */
interface AssociationNode {
  readonly text: string
  readonly labels: Labels
  readonly chunks: ReadonlySet<number>
}

/** A directed graph with labelled edges (the paper's AssociationGraph), neighbours in insertion order. */
export interface AssociationGraph {
  readonly nodes: readonly AssociationNode[]
  readonly edges: readonly ReadonlyMap<number, Labels>[]
}

/** The graph of an extraction: one node per text, ignoring case. */
export function associationGraph(extraction: Extraction): AssociationGraph {
  const { subjects, associations } = extraction
  const names = namesOf(extraction)
  const numbers = new Map([...names.keys()].map((key, node) => [key, node]))
  const nodes = Array.from(names.values(), (text) => ({ text, labels: labels(), chunks: new Set<number>() }))
  const edges = nodes.map(() => new Map<number, ReturnType<typeof labels>>())
  const place = (text: string, chunk: number): number => {
    const node = valueOf(numbers, keyOf(text))
    nodes[node]?.chunks.add(chunk)
    return node
  }
  const connect = (from: number, to: number, label: string, chunk: number): void => {
    const targets = edges[from]
    const edgeLabels = targets?.get(to) ?? labels()
    targets?.set(to, add(edgeLabels, label, chunk))
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

/** The texts of all subjects and ends by key, as first written, in the order of the chunks. */
function namesOf({ subjects, associations }: Extraction): ReadonlyMap<string, string> {
  const all = [...subjects, ...associations.flatMap(({ chunk, ends }) => ends.map((text) => ({ chunk, text })))].sort(
    (a, b) => a.chunk - b.chunk,
  )
  const names = new Map<string, string>()
  for (const { text } of all) if (!names.has(keyOf(text))) names.set(keyOf(text), text.trim())
  return names
}

/** The key of a node: its text, trimmed, in lower case. */
const keyOf = (text: string): string => text.trim().toLowerCase()

const labels = (): Map<string, Set<number>> => new Map()

const add = (labelRows: Map<string, Set<number>>, label: string, chunk: number): Map<string, Set<number>> =>
  labelRows.set(label, (labelRows.get(label) ?? new Set()).add(chunk))

/** Orders the unvisited neighbours of a node for the search. */
type Descend = (node: number, candidates: readonly number[]) => readonly number[]

/** Depth-first search from a node, in pre-order, up to `limit` nodes. */
export function depthFirst(
  start: number,
  neighbours: (node: number) => Iterable<number>,
  limit: number,
  descend: Descend = (_, candidates) => candidates,
): readonly number[] {
  const visitedNodes = new Set<number>()
  const visit = (node: number): void => {
    visitedNodes.add(node)
    const candidates = [...neighbours(node)].filter((next) => !visitedNodes.has(next))
    for (const next of visitedNodes.size < limit ? descend(node, candidates) : []) {
      if (visitedNodes.size >= limit) return
      // an earlier sibling's subtree may have visited it
      if (!visitedNodes.has(next)) visit(next)
    }
  }
  visit(start)
  return [...visitedNodes]
}

/** Vectors by label and target text. */
type LabelVectors = ReadonlyMap<string, Float32Array>

/** Embeds each label with the text of its target node (the paper's ranked retrieval). */
export async function labelVectors({ nodes, edges }: AssociationGraph, models: Models): Promise<LabelVectors> {
  const labelsByTarget = edges.flatMap((targets) => [...targets])
  const texts = new Set(labelsByTarget.flatMap(([to, labels]) => labelTexts(labels.keys(), nodes[to]?.text)))
  const vectors = texts.size > 0 ? await models.embed([...texts], 'document') : []
  return new Map([...texts].map((text, row) => [text, requireVector(vectors[row])]))
}

/** Orders neighbours by the similarity of their best label to the search term, ties in insertion order. */
export function nearestFirst({ nodes, edges }: AssociationGraph, vectors: LabelVectors, term: Float32Array): Descend {
  const best = (from: number, to: number): number =>
    labelTexts(edges[from]?.get(to)?.keys() ?? [], nodes[to]?.text).reduce(
      (most, text) => Math.max(most, dot(term, requireVector(vectors.get(text)))),
      -Infinity,
    )
  return (node, candidates) =>
    candidates
      .map((to) => ({ to, score: best(node, to) }))
      .sort((a, b) => b.score - a.score)
      .map(({ to }) => to)
}

function requireVector(vector: Float32Array | undefined): Float32Array {
  if (!vector) throw new Error('the embedding model returned no vector for a label')
  return vector
}

const labelTexts = (labels: Iterable<string>, text = ''): string[] => Array.from(labels, (label) => `${label} ${text}`)

/** A main idea of a message, the nodes visited for it, start first, and the cosine of idea and start. */
export interface IdeaNodes {
  readonly idea: string
  readonly nodes: readonly number[]
  readonly cosine: number
}

/** A line of a context and the rows of its chunks. */
interface Line {
  readonly text: string
  readonly chunks: Iterable<number>
}

/** One passage per idea, best start first, `order` by idea; no line occurs twice. */
export function contextOf(
  graph: AssociationGraph,
  chunks: readonly Chunk[],
  ideas: readonly IdeaNodes[],
  fallback?: string,
): readonly Passage[] {
  const printedLines = new Set<string>()
  const passages = ideas
    .map((item, order) => ({ ...item, order }))
    .sort((a, b) => b.cosine - a.cosine || a.order - b.order)
    .flatMap(({ idea, nodes, cosine, order }): readonly Passage[] => {
      const lines = linesOf(graph, nodes).filter(({ text }) => !printedLines.has(text))
      for (const { text } of lines) printedLines.add(text)
      if (lines.length === 0) return []
      const rows = [...new Set(lines.flatMap((line) => [...line.chunks]))].sort((a, b) => a - b)
      const why = { idea, start: textOf(graph, nodes[0]), nodes: nodes.map((node) => textOf(graph, node)) }
      const text = lines.map((line) => line.text).join('\n')
      return [{ text, score: cosine, from: rows.flatMap((row) => chunks[row]?.id ?? []), kind: 'facts', order, why }]
    })
  return addTrace(passages, [fallback])
}

/** Lines of the relations between nodes, each once; of the labels of single nodes; of nodes without either. */
function linesOf(graph: AssociationGraph, nodes: readonly number[]): readonly Line[] {
  const between = nodes.flatMap((to, place) =>
    nodes
      .slice(0, place)
      .flatMap((from) => linesOfLabels(graph.edges[from]?.get(to), textOf(graph, from), ` ${textOf(graph, to)}`)),
  )
  const relatedNodes = new Set(
    nodes.filter((node) => nodes.some((neighbour) => graph.edges[node]?.has(neighbour) === true)),
  )
  const alone = nodes.flatMap((node) => {
    const labelLines = linesOfLabels(graph.nodes[node]?.labels, textOf(graph, node), '')
    if (labelLines.length > 0 || relatedNodes.has(node)) return labelLines
    return [{ text: textOf(graph, node), chunks: graph.nodes[node]?.chunks ?? [] }]
  })
  return [...between, ...alone]
}

const linesOfLabels = (labels: Labels | undefined, from: string, to: string): readonly Line[] =>
  Array.from(labels ?? [], ([label, chunks]) => ({ text: `${from} [${label}]${to}`, chunks }))

const textOf = ({ nodes }: AssociationGraph, node: number | undefined): string =>
  node === undefined ? '' : (nodes[node]?.text ?? '')
