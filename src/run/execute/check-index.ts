import { z, type ZodType } from 'zod'
import { plainData } from '../../basics/plain-data.ts'
import { messageOf } from '../../errors.ts'
import { count, counts, number, text, texts } from '../../records/parts.ts'
import { buildGraph, connectedComponents } from '../../math/graph.ts'
import { validationErrors } from '../../text/validation-errors.ts'
import type { Graph, GraphHealth, Index, IndexStats } from '../../types.ts'

const callable = z.custom((value) => typeof value === 'function', 'must be a function')
const limit = z.custom((value) => typeof value === 'number' && value >= 0, 'must be a number, 0 or more').optional()

const indexSchema = z.object({
  retrieve: callable,
  graph: callable.optional(),
  stats: callable.optional(),
  warnings: callable.optional(),
  answer: callable.optional(),
  hasEnded: callable.optional(),
  close: callable.optional(),
  limits: z.object({ passages: limit, tokens: limit }).optional(),
  nested: z.boolean().optional(),
  isExemptFromBudget: z.literal(true).optional(),
  concurrency: z.int().min(1).optional(),
})

/** Validates an index and binds its functions to it. Throws Error that names the fault. */
export function checkIndex(index: unknown, method: string): Index {
  refuse(indexSchema, index, `${method}: index() returned no valid index`)
  const bound = Object.entries(indexSchema.parse(index)).map(([name, value]) => [
    name,
    typeof value === 'function' ? (value.bind(index) as unknown) : value,
  ])
  return Object.fromEntries(bound) as Index
}

/** The statistics of an index: flat JSON. Throws Error that names an invalid entry. */
export function statsOf(index: Index, method: string): IndexStats | undefined {
  const where = `${method}: stats()`
  const stats = copyOf(index.stats?.(), where)
  if (stats !== undefined) refuse(flat, stats, where, ': give flat JSON: text, numbers, and lists of them')
  return stats as IndexStats | undefined
}

/** What an index lost, counted, or an Error that names the entry which is no count. */
export function warningsOf(index: Index, method: string): Readonly<Record<string, number>> {
  const where = `${method}: warnings()`
  const warnings = copyOf(index.warnings?.() ?? {}, where)
  refuse(counts, warnings, where, ": give counts, such as { 'replies that could not be read': 3 }")
  return warnings as Readonly<Record<string, number>>
}

const list = z.array(z.union([z.string(), z.number()]))
const plain = z.union([z.string(), z.number(), z.boolean(), z.null(), list])
const flat = z.record(z.string(), plain)

/** A copy of what a plug-in returned. Throws Error where JSON cannot represent it. */
export function copyOf(value: unknown, where: string): unknown {
  try {
    return plainData(value)
  } catch (error) {
    throw new Error(`${where} cannot be written as JSON: ${messageOf(error)}`, { cause: error })
  }
}

function refuse(schema: ZodType, value: unknown, where: string, advice = '') {
  const [fault] = validationErrors(schema, value, {})
  if (fault) throw new Error(`${where}: ${fault.message}${advice}`)
}

const graphSchema = z
  .object({
    nodes: z.array(z.object({ id: text, kind: text, text })),
    edges: z.array(z.object({ from: count, to: count, weight: number })),
    groups: texts.optional(),
    levels: z.array(z.object({ name: text, groups: z.array(z.int()) })).optional(),
    notes: texts.optional(),
    spectrum: z.array(number).optional(),
  })
  .superRefine(({ nodes, edges, levels = [] }, context) => {
    const fault = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    const loose = edges.findIndex(({ from, to }) => Math.max(from, to) >= nodes.length)
    if (loose >= 0) fault(['edges', loose], `must join two of the ${nodes.length} nodes`)
    const uneven = levels.findIndex(({ groups }) => groups.length !== nodes.length)
    if (uneven >= 0) fault(['levels', uneven], 'must have a group for each node')
  })

/** Validates a graph, which may come from a plug-in. Throws Error that names the fault. */
export function checkGraph(graph: Graph, method: string): Graph {
  refuse(graphSchema, graph, `${method} returned no valid graph`)
  return graph
}

/** Measures a graph, in time nearly linear in its size. */
export function measureGraph({ nodes, edges, leftOut = 0 }: Graph): GraphHealth {
  const ends = {
    from: edges.map(({ from }) => from),
    to: edges.map(({ to }) => to),
    weight: edges.map(() => 1),
  }
  const { offsets, targets } = buildGraph(nodes.length, ends)
  const neighbours = nodes.map(
    (_, node) => targets.subarray(offsets[node], offsets[node + 1]).filter((to) => to !== node).length,
  )
  const sizes = new Map<number, number>()
  for (const component of connectedComponents({ offsets, targets }))
    sizes.set(component, (sizes.get(component) ?? 0) + 1)
  const isWhole = leftOut === 0
  return {
    nodes: nodes.length,
    edges: neighbours.reduce((sum, count) => sum + count, 0) / 2 + leftOut,
    components: isWhole ? sizes.size : null,
    largest: isWhole ? [...sizes.values()].reduce((most, size) => Math.max(most, size), 0) : null,
  }
}
