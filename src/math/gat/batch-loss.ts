import { graphLoss, type Loss, type Ranked, type Weighing } from './losses.ts'
import { newRoom, type Take } from './room.ts'
import { product, productTransposed, transposed } from '../kernels.ts'

/** The queries of one graph of a batch: `queries` has a row of `dim` numbers for each, and `ranked` how its labels order the nodes. */
export interface Asked {
  readonly nodes: number
  readonly queries: Float64Array
  readonly ranked: readonly Ranked[]
}

/** The loss of a batch, mean over its graphs, and its gradient by the outputs of all nodes. A score is the inner product of query and output. */
export function batchLoss(
  graphs: readonly Asked[],
  outputs: Float64Array,
  dim: number,
  weighing: Weighing,
  take: Take = newRoom,
): Loss & { readonly total: number; readonly byOutput: Float64Array } {
  const queries = joinedQueries(graphs, dim)
  const [asked, nodes] = [queries.length / dim, outputs.length / dim]
  const scores = productTransposed(queries, outputs, asked, dim, nodes, take(asked * nodes))
  const byScore = take(scores.length)
  let [contrastive, ranking, query, node] = [0, 0, 0, 0]
  for (const graph of graphs) {
    const rows = Array.from(graph.ranked, (_, place) => (query + place) * nodes)
    const rowsOf = (all: Float64Array) => rows.map((start) => all.subarray(start, start + nodes))
    const before = node
    const inside = (row: Float64Array) => row.subarray(before, before + graph.nodes)
    const outside = (row: Float64Array) => {
      const others = new Float64Array(nodes - graph.nodes)
      others.set(row.subarray(0, before))
      others.set(row.subarray(before + graph.nodes), before)
      return others
    }
    const byOther = rows.map(() => new Float64Array(nodes - graph.nodes))
    const loss = graphLoss(
      { own: rowsOf(scores).map(inside), other: rowsOf(scores).map(outside), ranked: graph.ranked },
      weighing,
      1 / graphs.length,
      rowsOf(byScore).map(inside),
      byOther,
    )
    for (const [place, row] of rowsOf(byScore).entries()) {
      row.set(byOther[place]!.subarray(0, before))
      row.set(byOther[place]!.subarray(before), before + graph.nodes)
    }
    contrastive += loss.contrastive / graphs.length
    ranking += loss.ranking / graphs.length
    query += graph.ranked.length
    node += graph.nodes
  }
  const byOutput = product(transposed(byScore, asked, nodes), queries, nodes, asked, dim, take(nodes * dim))
  const total = weighing.contrastive * contrastive + weighing.coe * ranking
  return { contrastive, ranking, total, byOutput }
}

function joinedQueries(graphs: readonly Asked[], dim: number): Float64Array {
  if (graphs.length === 1) return graphs[0]!.queries
  const all = new Float64Array(graphs.reduce((sum, { ranked }) => sum + ranked.length * dim, 0))
  let at = 0
  for (const { queries } of graphs) {
    all.set(queries, at)
    at += queries.length
  }
  return all
}
