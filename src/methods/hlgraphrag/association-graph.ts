import { similarityJoin } from '../../math/similarity-join.ts'
import { rowsToMatrix } from '../../math/vectors.ts'
import type { Extracted } from './extract.ts'

/** Labels in the order in which they were first given, each with the rows of the chunks that it was taken from. */
export type Labels = ReadonlyMap<string, ReadonlySet<number>>

/** A subject or event, as it was first written; `labels`: what is said of it alone; `chunks`: rows of those that name it. */
export interface AssociationNode {
  readonly text: string
  readonly labels: Labels
  readonly chunks: ReadonlySet<number>
}

/** A directed graph with a list of labels on every edge (the paper's AssociationGraph): of each node its neighbours, in the order in which they were first related. */
export interface AssociationGraph {
  readonly nodes: readonly AssociationNode[]
  readonly edges: readonly ReadonlyMap<number, Labels>[]
}

/** What names one node: the text without outer spaces, whatever the case. */
export const keyOf = (text: string): string => text.trim().toLowerCase()

/** The texts of all subjects and ends of associations by their keys, as first written, in the order of the chunks. */
export function namesOf({ subjects, associations }: Extracted): ReadonlyMap<string, string> {
  const all = [...subjects, ...associations.flatMap(({ chunk, ends }) => ends.map((text) => ({ chunk, text })))].sort(
    (a, b) => a.chunk - b.chunk,
  )
  const names = new Map<string, string>()
  for (const { text } of all) if (!names.has(keyOf(text))) names.set(keyOf(text), text.trim())
  return names
}

/** Of each vector, the first row that it belongs to: itself, or the first kept one before it whose cosine with it is at least that. */
export function mergedRows(vectors: readonly Float32Array[], cosine: number | null): readonly number[] {
  if (cosine === null) return vectors.map((_, row) => row)
  const kept = new Set<number>()
  return Array.from(similarityJoin(rowsToMatrix(vectors), cosine, vectors.length), (near, row) => {
    const first = near.reduce((least, { index }) => (kept.has(index) ? Math.min(least, index) : least), row)
    if (first === row) kept.add(row)
    return first
  })
}

/** The graph of what was extracted; `nodeOf` gives the number of the node of a key, `texts` the text of each node. */
export function associationGraph(
  { subjects, associations }: Extracted,
  texts: readonly string[],
  nodeOf: (key: string) => number,
): AssociationGraph {
  const nodes = texts.map((text) => ({ text, labels: labels(), chunks: new Set<number>() }))
  const edges = texts.map(() => new Map<number, ReturnType<typeof labels>>())
  const place = (text: string, chunk: number): number => {
    const node = nodeOf(keyOf(text))
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

const labels = (): Map<string, Set<number>> => new Map()

const add = (given: Map<string, Set<number>>, label: string, chunk: number): Map<string, Set<number>> =>
  given.set(label, (given.get(label) ?? new Set()).add(chunk))
