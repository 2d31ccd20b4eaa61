import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { hierarchicalLeiden } from '../../src/math/communities/hierarchical-leiden.ts'
import { modularity } from '../../src/math/communities/modularity.ts'
import { buildGraph, type Edges } from '../../src/math/graph.ts'
import { mulberry32 } from '../../src/math/random.ts'
import { localContext } from '../../src/methods/graphrag/query/local-context.ts'
import { relationshipsByTitle } from '../../src/methods/graphrag/query/relationship-rank.ts'
import { visibleAt } from '../../src/methods/graphrag/query/visible.ts'
import { counted } from '../../src/methods/graphrag/counted.ts'
import { tokenizer } from '../../src/text/tokens.ts'
import { pythonOutput } from './python-output.ts'
import { best, seconds, type BenchRow } from './row.ts'
import { madeTables } from './graphrag-tables.ts'

const script = new URL('graphrag-leiden.py', import.meta.url).pathname
const [nodes, edges, groups] = [10_000, 100_000, 200]
const seeds = Array.from({ length: 10 }, (_, seed) => seed)

/** Hierarchical Leiden against the one that GraphRAG uses, and the local context of a question without its embedding. */
export const graphragBench = async (): Promise<readonly BenchRow[]> => [await leidenRow(), await localRow()]

async function leidenRow(): Promise<BenchRow> {
  const problem = planted()
  const graph = buildGraph(nodes, problem)
  const options = { maxSize: 9, iterations: 1 }
  const divide = (seed: number) => hierarchicalLeiden(graph, { ...options, random: mulberry32(seed) })
  divide(0)
  const [times, found]: [number[], number[]] = [[], []]
  for (const seed of seeds) {
    let communities = divide(seed)
    times.push(await seconds(() => (communities = divide(seed))))
    const membership = new Uint32Array(nodes)
    for (const { number, level, nodes: own } of communities)
      if (level === 0) for (const node of own) membership[node] = number
    found.push(modularity(graph, membership))
  }
  const [ours, quality] = [mean(times), mean(found)]
  const theirs = reference(problem, seeds.length)
  const shown = `${(ours * 1000).toFixed(0)} ms, modularity ${quality.toFixed(4)}`
  return {
    name: `hierarchical Leiden, ${nodes.toLocaleString('en-US')} nodes / ${edges.toLocaleString('en-US')} edges, mean of ${seeds.length} seeds`,
    figure: theirs ? `${(ours / theirs.seconds).toFixed(2)}x` : shown,
    goal: '<= 1.0x graspologic-native, modularity not .002 lower',
    met: theirs ? ours <= theirs.seconds && quality >= theirs.modularity - 0.002 : null,
    note: theirs
      ? `${shown}; graspologic-native ${theirs.version} ${(theirs.seconds * 1000).toFixed(0)} ms, modularity ${theirs.modularity.toFixed(4)}`
      : 'no Python with graspologic-native (pip install graspologic-native; PYTHON names another interpreter)',
  }
}

/** Groups of equal size; of all edges 60 % stay within one. */
function planted(): Edges & { readonly from: number[]; readonly to: number[]; readonly weight: number[] } {
  const random = mulberry32(1)
  const size = nodes / groups
  const drawn = { from: new Array<number>(), to: new Array<number>(), weight: new Array<number>() }
  while (drawn.from.length < edges) {
    const from = Math.floor(random() * nodes)
    const first = Math.floor(from / size) * size
    const to = Math.floor(random() < 0.4 ? random() * nodes : first + random() * size)
    if (from === to) continue
    drawn.from.push(from)
    drawn.to.push(to)
    drawn.weight.push(1 + Math.floor(random() * 9))
  }
  return drawn
}

const timed = z.object({ version: z.string(), seconds: z.number(), modularity: z.number() })

/** The same on graspologic-native; undefined where no Python has it. */
function reference({ from, to, weight }: ReturnType<typeof planted>, times: number) {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-leiden-'))
  try {
    const file = join(folder, 'edges.txt')
    writeFileSync(file, from.map((node, edge) => `${node} ${to[edge] ?? 0} ${weight[edge] ?? 0}`).join('\n'))
    const said = pythonOutput(process.env['PYTHON'] ?? 'python3', [script, file, String(times)], 'graspologic_native')
    return said === undefined ? undefined : timed.parse(JSON.parse(said))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function localRow(): Promise<BenchRow> {
  const count = 20_000
  const tables = madeTables(count)
  const visible = visibleAt(tables, 2)
  const byTitle = relationshipsByTitle(tables.relationships)
  const words = tokenizer('o200k_base')
  const random = mulberry32(7)
  const select = () =>
    Array.from({ length: 20 }, () => tables.entities[Math.floor(random() * count)]).flatMap((one) => one ?? [])
  const options = { contextTokens: 12_000, communityShare: 0.15, textShare: 0.5, topRelationships: 10 }
  const once = () =>
    localContext(
      { ...tables, visible, byTitle },
      select(),
      options,
      counted({ countTokens: (text) => words.count(text) }),
    )
  once()
  const took = await best(9, once)
  return {
    name: `GraphRAG local context over ${count.toLocaleString('en-US')} entities, 12,000 tokens, no row counted before`,
    figure: `${(took * 1000).toFixed(0)} ms`,
    goal: '< 30 ms',
    met: took < 0.03,
    note: `${tables.relationships.length.toLocaleString('en-US')} relationships, ${tables.textUnits.length.toLocaleString('en-US')} text units; the embedding is not in it`,
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
