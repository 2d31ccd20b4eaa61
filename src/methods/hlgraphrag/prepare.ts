import { type Matrix, rowsToMatrix } from '../../math/vectors.ts'
import type { Chunk, Models } from '../../types.ts'
import { type AssociationGraph, associationGraph, mergedRows, namesOf } from './association-graph.ts'
import { extract, type Extracted } from './extract.ts'
import type { GraphOptions } from './options.ts'

/** A graph ready to be searched. */
export interface Prepared {
  readonly graph: AssociationGraph
  /** Of the nodes. */
  readonly vectors: Matrix
  readonly extracted: Extracted
  /** Nodes that were merged into others because they are near to them. */
  readonly merged: number
}

/** The graph with the vectors of its nodes: all that rows of the same graph share. */
export async function prepare(chunks: readonly Chunk[], models: Models, options: GraphOptions): Promise<Prepared> {
  const extracted = await extract(chunks, models, options)
  const names = namesOf(extracted)
  const all = names.size > 0 ? await models.embed([...names.values()], 'document') : []
  const rows = mergedRows(all, options.nodeMergeCosine)
  const kept = [...new Set(rows)]
  const numbers = new Map(kept.map((row, node) => [row, node]))
  const nodes = new Map([...names.keys()].map((key, row) => [key, numbers.get(rows[row] ?? row) ?? 0]))
  const texts = [...names.values()].filter((_, row) => numbers.has(row))
  return {
    graph: associationGraph(extracted, texts, (key) => nodes.get(key) ?? 0),
    vectors: rowsToMatrix(all.filter((_, row) => numbers.has(row))),
    extracted,
    merged: names.size - kept.length,
  }
}
