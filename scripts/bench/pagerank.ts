import { z } from 'zod'
import { buildGraph, type Edges } from '../../src/math/graph.ts'
import { personalisedPagerank } from '../../src/math/pagerank.ts'
import { mulberry32 } from '../../src/math/random.ts'
import { comparedRow } from './pairs.ts'
import { small, type BenchRow } from './row.ts'

const sizes = small
  ? [{ nodes: 100, edges: 600 }]
  : [
      { nodes: 10_000, edges: 100_000 },
      { nodes: 100_000, edges: 1_000_000 },
    ]

/** 0.5 is HippoRAG's and UnWeaver's. */
const dampings = [0.5, 0.85]

/** Personalised PageRank of one reset, on a graph that is built, against igraph's prpack on the same graph. */
export async function* pagerankBench(): AsyncGenerator<BenchRow> {
  for (const size of sizes) {
    const problem = randomProblem(size.nodes, size.edges)
    for (const damping of dampings) yield await measure(problem, damping)
  }
}

interface Problem {
  readonly nodes: number
  readonly edges: Edges & { readonly from: Uint32Array; readonly to: Uint32Array; readonly weight: Float64Array }
  readonly reset: Float64Array
}

function randomProblem(nodes: number, edges: number): Problem {
  const random = mulberry32(42)
  const someNode = () => Math.floor(random() * nodes)
  const reset = new Float64Array(nodes)
  for (let seed = 0; seed < 10; seed++) reset[someNode()]! += 1 - random()
  return {
    nodes,
    edges: {
      from: Uint32Array.from({ length: edges }, someNode),
      to: Uint32Array.from({ length: edges }, someNode),
      weight: Float64Array.from({ length: edges }, () => 1 - random()),
    },
    reset,
  }
}

function measure({ nodes, edges, reset }: Problem, damping: number): Promise<BenchRow> {
  const graph = buildGraph(nodes, edges)
  let { scores, iterations } = personalisedPagerank(graph, reset, { damping })
  const counts = [nodes, edges.weight.length].map((count) => count.toLocaleString('en-US'))
  return comparedRow({
    name: `PageRank, ${counts[0]} nodes, ${counts[1]} edges, damping ${damping}`,
    about: 'float64, 1 thread',
    work: () => ({ scores, iterations } = personalisedPagerank(graph, reset, { damping })),
    comparator: {
      script: 'pagerank-igraph.py',
      task: 'pagerank',
      given: { nodes, damping },
      data: { from: edges.from, to: edges.to, weight: edges.weight, reset },
      result: z.array(z.number()),
    },
    check: (theirs) => {
      const apart = scores.reduce((most, score, node) => Math.max(most, Math.abs(score - theirs[node]!)), 0)
      return { right: apart < 1e-9, note: `${iterations} sweeps; scores differ by ${apart.toExponential(0)}` }
    },
  })
}
