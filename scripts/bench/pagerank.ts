import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { buildGraph, type Edges } from '../../src/math/graph.ts'
import { personalisedPagerank } from '../../src/math/pagerank/pagerank.ts'
import { mulberry32 } from '../../src/math/random.ts'
import { best, seconds, type BenchRow } from './row.ts'

const script = new URL('pagerank-igraph.py', import.meta.url).pathname
const sizes = [
  { nodes: 10_000, edges: 100_000, times: 15 },
  { nodes: 100_000, edges: 1_000_000, times: 5 },
]

/** 0.5 is HippoRAG's and UnWeaver's. */
const dampings = [0.5, 0.85]

/** Personalised PageRank of one reset, on a graph that is built, against igraph's prpack on the same graph. */
export async function pagerankBench(): Promise<readonly BenchRow[]> {
  const python = pythonWithIgraph()
  const rows: BenchRow[] = []
  for (const size of sizes) {
    const problem = randomProblem(size.nodes, size.edges)
    for (const damping of dampings) rows.push(await measure(problem, damping, size.times, python))
  }
  return rows
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

async function measure(problem: Problem, damping: number, times: number, python?: string): Promise<BenchRow> {
  const { nodes, edges, reset } = problem
  let graph = buildGraph(nodes, edges)
  const build = await seconds(() => (graph = buildGraph(nodes, edges)))
  let { scores, iterations } = personalisedPagerank(graph, reset, { damping })
  const ours = await best(times, () => ({ scores, iterations } = personalisedPagerank(graph, reset, { damping })))
  const counts = [nodes, edges.weight.length].map((count) => count.toLocaleString('en-US'))
  const row = {
    name: `PageRank, ${counts[0]} nodes, ${counts[1]} edges, damping ${damping}`,
    goal: '<= 1.0x prpack',
  }
  const note = `${milliseconds(ours)} in ${iterations} sweeps, graph built in ${milliseconds(build)}`
  if (python === undefined) {
    const absent = 'no python with igraph to compare with (GEMBENCH_PYTHON names one)'
    return { ...row, figure: milliseconds(ours), met: null, note: `${note}; ${absent}` }
  }
  const theirs = igraph(python, problem, damping, times)
  const apart = scores.reduce((most, score, node) => Math.max(most, Math.abs(score - theirs.scores[node]!)), 0)
  return {
    ...row,
    figure: `${(ours / theirs.seconds).toFixed(2)}x`,
    met: ours <= theirs.seconds && apart < 1e-9,
    note: `${note}; igraph ${theirs.version} ${milliseconds(theirs.seconds)}, built in ${milliseconds(theirs.build)}; scores differ by ${apart.toExponential(0)}`,
  }
}

const milliseconds = (duration: number): string => `${(duration * 1000).toFixed(1)} ms`

const pythonWithIgraph = (): string | undefined =>
  [process.env['GEMBENCH_PYTHON'], 'python3'].find(
    (python) => python && spawnSync(python, ['-c', 'import igraph'], { stdio: 'ignore' }).status === 0,
  )

const reply = z.object({ version: z.string(), seconds: z.number(), build: z.number() })

function igraph(python: string, { nodes, edges, reset }: Problem, damping: number, times: number) {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-bench-'))
  try {
    const file = join(folder, 'graph')
    writeFileSync(file, Buffer.concat([edges.weight, reset, edges.from, edges.to].map(bytes)))
    const given = [script, file, nodes, edges.weight.length, damping, times].map(String)
    const { status, stdout, stderr } = spawnSync(python, given, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${python} failed: ${stderr}`)
    const scores = readFileSync(`${file}.scores`)
    return {
      ...reply.parse(JSON.parse(stdout)),
      scores: new Float64Array(scores.buffer.slice(scores.byteOffset, scores.byteOffset + scores.byteLength)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const bytes = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
