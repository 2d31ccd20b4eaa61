import { z } from 'zod'
import { hierarchicalLeiden } from '../../src/math/leiden/hierarchical-leiden.ts'
import { modularity } from '../../src/math/leiden/leiden.ts'
import { buildGraph, type Edges } from '../../src/math/graph.ts'
import { mulberry32 } from '../../src/math/random.ts'
import { memoise } from '../../src/basics/memoise.ts'
import { combinedDegree, degreesOf } from '../../src/methods/graphrag/extract.ts'
import { localContext } from '../../src/methods/graphrag/local.ts'
import { visibleAt } from '../../src/methods/graphrag/search.ts'
import { relationshipsByTitle } from '../../src/methods/graphrag/tables.ts'
import { tokenizer } from '../../src/text/tokens.ts'
import { comparedRow } from './pairs.ts'
import { best, type BenchRow, small } from './row.ts'
import type { Tables } from '../../src/methods/graphrag/tables.ts'

const [nodes, edges, groups] = small ? [200, 800, 10] : [10_000, 100_000, 200]

/** Hierarchical Leiden against the one that GraphRAG uses, and the local context of a question. */
export async function* graphragBench(): AsyncGenerator<BenchRow> {
  yield await leidenRow()
  yield await localRow()
}

function leidenRow(): Promise<BenchRow> {
  const problem = plantCommunities()
  const graph = buildGraph(nodes, problem)
  const [ours, theirs]: [number[], number[]] = [[], []]
  return comparedRow({
    name: `hierarchical Leiden, ${nodes.toLocaleString('en-US')} nodes / ${edges.toLocaleString('en-US')} edges, a seed for each pair`,
    about: 'float64, 1 thread',
    work: (seed) => {
      const results = hierarchicalLeiden(graph, { maxSize: 9, iterations: 1, random: mulberry32(seed) })
      const membership = new Uint32Array(nodes)
      for (const { number, level, nodes: part } of results)
        if (level === 0) for (const node of part) membership[node] = number
      ours.push(modularity(graph, membership))
    },
    comparator: {
      script: 'graphrag-leiden.py',
      task: 'leiden',
      data: {
        from: Uint32Array.from(problem.from),
        to: Uint32Array.from(problem.to),
        weight: Uint32Array.from(problem.weight),
      },
      result: z.number().transform((quality) => theirs.push(quality)),
    },
    given: (seed) => ({ seed }),
    pairs: small ? 1 : 10,
    alsoGoal: 'modularity not .002 lower',
    check: () => ({
      right: mean(ours) >= mean(theirs) - 0.002,
      note: `modularity ${mean(ours).toFixed(4)}, theirs ${mean(theirs).toFixed(4)}`,
    }),
  })
}

/** Groups of equal size; of all edges 60 % stay within one. */
function plantCommunities(): Edges & { readonly from: number[]; readonly to: number[]; readonly weight: number[] } {
  const random = mulberry32(1)
  const size = nodes / groups
  const samples = { from: new Array<number>(), to: new Array<number>(), weight: new Array<number>() }
  while (samples.from.length < edges) {
    const from = Math.floor(random() * nodes)
    const first = Math.floor(from / size) * size
    const to = Math.floor(random() < 0.4 ? random() * nodes : first + random() * size)
    if (from === to) continue
    samples.from.push(from)
    samples.to.push(to)
    samples.weight.push(1 + Math.floor(random() * 9))
  }
  return samples
}

async function localRow(): Promise<BenchRow> {
  const count = small ? 200 : 20_000
  const tables = madeTables(count)
  const visible = visibleAt(tables, 2)
  const byTitle = relationshipsByTitle(tables.relationships)
  const words = tokenizer('o200k_base')
  const random = mulberry32(7)
  const select = () =>
    Array.from({ length: 20 }, () => tables.entities[Math.floor(random() * count)]).flatMap((item) => item ?? [])
  const options = { contextTokens: 12_000, communityShare: 0.15, textShare: 0.5, topRelationships: 10 }
  const once = () =>
    localContext(
      { ...tables, visible, byTitle },
      select(),
      options,
      memoise((text: string) => words.count(text)),
    )
  once()
  const duration = await best(9, once)
  return {
    name: `GraphRAG local context over ${count.toLocaleString('en-US')} entities, 12,000 tokens, no row counted before`,
    figure: `${(duration * 1000).toFixed(0)} ms`,
    goal: '< 30 ms',
    met: duration < 0.03,
    note: `${tables.relationships.length.toLocaleString('en-US')} relationships, ${tables.textUnits.length.toLocaleString('en-US')} text units; the embedding is not in it`,
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** An invented index: four relationships an entity, twenty entities a community, two text units an entity. */
export function madeTables(count: number): Tables {
  const random = mulberry32(3)
  const randomBelow = (most: number): number => Math.floor(random() * most)
  const vocabulary = Array.from({ length: 3000 }, (_, word) => `word${word.toString(36)}`)
  const text = (words: number): string =>
    Array.from({ length: words }, () => vocabulary[randomBelow(3000)] ?? '').join(' ')
  const titles = Array.from({ length: count }, (_, entity) => `ENTITY ${entity}`)
  const units = Math.floor(count / 5)
  const pairs = Array.from({ length: 4 * count }, (_, pair) => ({
    source: titles[Math.floor(pair / 4)] ?? '',
    target: titles[randomBelow(count)] ?? '',
  }))
  const degrees = degreesOf(pairs)
  const textUnitsOf = () => [randomBelow(units), randomBelow(units)]
  const communities = Array.from({ length: count / 20 }, (_, id) => ({
    id,
    level: 0,
    parent: -1,
    children: [],
    title: `Community ${id}`,
    relationshipIds: [],
    textUnitIds: [],
    entityIds: Array.from({ length: 20 }, (_, member) => id * 20 + member),
    size: 20,
  }))
  return {
    entities: titles.map((title, id) => ({
      id,
      title,
      type: '',
      description: text(25),
      textUnitIds: textUnitsOf(),
      frequency: 2,
      degree: degrees.get(title) ?? 0,
    })),
    relationships: pairs.map((pair, id) => ({
      id,
      ...pair,
      description: text(20),
      weight: 1 + randomBelow(9),
      textUnitIds: textUnitsOf(),
      combinedDegree: combinedDegree(pair, degrees),
    })),
    communities,
    reports: communities.map(({ id, title }) => ({
      community: id,
      level: 0,
      title,
      summary: '',
      fullContent: text(300),
      rank: randomBelow(10),
      findings: [],
    })),
    textUnits: Array.from({ length: units }, (_, id) => ({
      id,
      docId: 'd',
      text: text(250),
      tokens: 300,
      entityIds: [],
      relationshipIds: [],
    })),
  }
}
