import { groupBy, itemAt, valueOf } from '../../basics/collections.ts'
import { dot } from '../../math/vectors.ts'
import { addTrace } from '../shared/add-trace.ts'
import type { Extraction } from './extract.ts'
import type { Models, Chunk, Passage } from '../../types.ts'

/** Labels in order of first occurrence, each with the rows of its chunks. */
type Labels = ReadonlyMap<string, ReadonlySet<number>>

/** A directed graph with labelled edges (the paper's AssociationGraph), neighbours in insertion order. */
export type AssociationGraph = ReturnType<typeof associationGraph>

/**
 * The graph of an extraction: one node per text, as first written, ignoring case, in the order of the chunks. `labels`
 * concern a node alone; `chunks`: rows that name it.
 */
export function associationGraph({ subjects, associations }: Pick<Extraction, 'subjects' | 'associations'>) {
  const endMentions = associations.flatMap(({ chunk, ends }) => ends.map((text) => ({ chunk, text })))
  const mentions = [...subjects, ...endMentions]
  const groups = groupBy(
    mentions.toSorted((a, b) => a.chunk - b.chunk),
    ({ text }) => keyOf(text),
  )
  const numbers = new Map(Array.from(groups.keys(), (key, node) => [key, node]))
  const nodes = Array.from(groups.values(), (group) => ({
    text: group[0].text.trim(),
    labels: labels(),
    chunks: new Set(group.map(({ chunk }) => chunk)),
  }))
  const edges = nodes.map(() => new Map<number, ReturnType<typeof labels>>())
  const connect = (from: number, to: number, label: string, chunk: number): void => {
    const targets = itemAt(edges, from)
    targets.set(to, add(targets.get(to) ?? labels(), label, chunk))
  }
  for (const { chunk, ends, label, back } of associations) {
    const [first = 0, second = first] = ends.map((end) => valueOf(numbers, keyOf(end)))
    if (first === second) add(itemAt(nodes, first).labels, label, chunk)
    else {
      connect(first, second, label, chunk)
      connect(second, first, back, chunk)
    }
  }
  return { nodes, edges }
}

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
  const allTexts = labelsByTarget.flatMap(([to, labels]) => labelTexts(labels, itemAt(nodes, to).text))
  const texts = [...new Set(allTexts)]
  const vectors = texts.length > 0 ? await models.embed(texts, 'document') : []
  return new Map(texts.map((text, row) => [text, itemAt(vectors, row)]))
}

/** Orders neighbours by the similarity of their best label to the search term, ties in insertion order. */
export function nearestFirst({ nodes, edges }: AssociationGraph, vectors: LabelVectors, term: Float32Array): Descend {
  const best = (from: number, to: number): number =>
    labelTexts(valueOf(itemAt(edges, from), to), itemAt(nodes, to).text).reduce(
      (most, text) => Math.max(most, dot(term, valueOf(vectors, text))),
      -Infinity,
    )
  return (node, candidates) =>
    candidates
      .map((to) => ({ to, score: best(node, to) }))
      .sort((a, b) => b.score - a.score)
      .map(({ to }) => to)
}

const labelTexts = (labels: Labels, text: string): string[] => Array.from(labels.keys(), (label) => `${label} ${text}`)

/** A line of a context and the rows of its chunks. */
interface Line {
  readonly text: string
  readonly chunks: Iterable<number>
}

/**
 * One passage per idea, best start first, `order` by idea; no line occurs twice. An idea has its visited nodes, start
 * first, and the cosine of idea and start.
 */
export function contextOf(
  graph: AssociationGraph,
  chunks: readonly Chunk[],
  ideas: readonly { readonly idea: string; readonly nodes: readonly number[]; readonly cosine: number }[],
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
      const lineRows = new Set(lines.flatMap((line) => [...line.chunks]))
      const rows = [...lineRows].sort((a, b) => a - b)
      const names = nodes.map((node) => itemAt(graph.nodes, node).text)
      const text = lines.map((line) => line.text).join('\n')
      const from = rows.map((row) => itemAt(chunks, row).id)
      const why = { idea, start: names[0] ?? '', nodes: names }
      return [{ text, score: cosine, from, kind: 'facts', order, why }]
    })
  return addTrace(passages, [fallback])
}

function linesOf({ nodes, edges }: AssociationGraph, path: readonly number[]): readonly Line[] {
  const textOf = (node: number): string => itemAt(nodes, node).text
  const between = path.flatMap((to, place) => {
    const earlierNodes = path.slice(0, place)
    return earlierNodes.flatMap((from) => {
      const labels = itemAt(edges, from).get(to)
      return linesOfLabels(labels, textOf(from), ` ${textOf(to)}`)
    })
  })
  const alone = path.flatMap((node) => {
    const labelLines = linesOfLabels(itemAt(nodes, node).labels, textOf(node), '')
    const isRelated = path.some((neighbour) => itemAt(edges, node).has(neighbour))
    if (labelLines.length > 0 || isRelated) return labelLines
    return [{ text: textOf(node), chunks: itemAt(nodes, node).chunks }]
  })
  return [...between, ...alone]
}

const linesOfLabels = (labels: Labels | undefined, from: string, to: string): readonly Line[] =>
  Array.from(labels ?? [], ([label, chunks]) => ({ text: `${from} [${label}]${to}`, chunks }))
