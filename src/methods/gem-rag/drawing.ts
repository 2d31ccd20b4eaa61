import type { Graph } from '../../types.ts'
import { edgeWeight } from './edges.ts'
import type { Memory } from './memory.ts'
import type { GemOptions } from './options.ts'

/** The strongest edges of every node that are drawn: the graph is complete, and all of them would be n². */
const neighbours = 8

/** The memories as one drawing: chunks and eigenthemes as nodes, their strongest edges, the spectrum of the largest memory. */
export function drawingOf(memories: readonly Memory[], options: GemOptions): Graph {
  const nodes: Graph['nodes'][number][] = []
  const edges: Graph['edges'][number][] = []
  for (const [number, memory] of memories.entries()) {
    const offset = nodes.length
    memory.nodes.forEach(({ kind, text, from, questions, theme }, index) => {
      nodes.push({
        id: kind === 'chunk' ? (from[0] ?? String(index)) : `theme ${number + 1}.${theme?.number ?? index}`,
        kind,
        text,
        group: theme?.number ?? themeOf(memory, index),
        data: {
          questions: questions.map((question) => question.text),
          ...(theme && {
            theme: theme.number,
            eigenvalue: theme.eigenvalue,
            members: theme.members.map((member) => offset + member),
          }),
          ...(kind === 'chunk' && { degree: memory.operator.degrees[index] ?? 0 }),
        },
      })
    })
    edges.push(
      ...strongest(memory, options).map(({ from, to, weight }) => ({ from: offset + from, to: offset + to, weight })),
    )
  }
  const largest = memories.reduce<Memory | undefined>(
    (most, memory) => (memory.nodes.length > (most?.nodes.length ?? -1) ? memory : most),
    undefined,
  )
  return { nodes, edges, spectrum: [...(largest?.pairs.values ?? [])] }
}

/** The first theme that a chunk is a member of; 0 where it is in none. */
const themeOf = ({ nodes }: Memory, index: number): number =>
  nodes.find(({ theme }) => theme?.members.includes(index))?.theme?.number ?? 0

function strongest(memory: Memory, options: GemOptions): readonly { from: number; to: number; weight: number }[] {
  const kept = new Map<string, { from: number; to: number; weight: number }>()
  memory.nodes.forEach((_node, from) => {
    memory.nodes
      .map((_other, to) => ({
        to,
        weight: to === from ? 0 : edgeWeight(memory, from, to, { ...options, edge: 'symmetric' }),
      }))
      .filter(({ weight }) => weight > 0)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, neighbours)
      .forEach(({ to, weight }) => {
        const [low, high] = from < to ? [from, to] : [to, from]
        kept.set(`${low} ${high}`, { from: low, to: high, weight })
      })
  })
  return [...kept.values()]
}
