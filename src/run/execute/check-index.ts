import { z } from 'zod'
import { plainData } from '../../basics/plain-data.ts'
import { messageOf } from '../../errors.ts'
import { buildGraph, connectedComponents } from '../../math/graph.ts'
import { describe, validationErrors } from '../../text/validation-errors.ts'
import type { Graph, GraphHealth, Index, IndexStats } from '../../types.ts'

/** Validates the result of a method's index(), reading each field once. Throws Error that names the fault. */
export function checkIndex(index: unknown, method: string): Index {
  if (typeof index !== 'object' || index === null) throw new Error(noIndex(method))
  const { retrieve, limits, nested, isExemptFromBudget, graph, stats, warnings, answer, concurrency, hasEnded, close } =
    index as Readonly<Record<keyof Index, unknown>>
  if (typeof retrieve !== 'function') throw new Error(noIndex(method))
  const may = Object.entries({ graph, stats, warnings, answer, hasEnded, close }).filter(
    ([, value]) => value !== undefined,
  )
  const odd = may.find(([, value]) => typeof value !== 'function')
  if (odd) throw new Error(`${method}: index() returned an object of which "${odd[0]}" is no function`)
  const functions = [['retrieve', retrieve] as const, ...may].map(([name, value]) => [name, bindTo(value, index)])
  if (concurrency !== undefined && !(Number.isSafeInteger(concurrency) && Number(concurrency) > 0))
    throw new Error(`${method}: index() returned a concurrency that is ${describe(concurrency)}: give 1 or more`)
  if (nested !== undefined && typeof nested !== 'boolean')
    throw new Error(`${method}: index() returned a "nested" that is ${describe(nested)}: give true or false`)
  const most = concurrency === undefined ? {} : { concurrency }
  return {
    ...Object.fromEntries(functions),
    ...limitsOf(limits, method),
    ...(nested === true && { nested }),
    ...(isExemptFromBudget === true && answer !== undefined && { isExemptFromBudget }),
    ...most,
  } as Index
}

const noIndex = (method: string): string => `${method}: index() returned no object with a retrieve function`

const bindTo = (value: unknown, index: object): unknown => (value as () => unknown).bind(index)

/** Limits, validated: one that is no number would be ignored. */
function limitsOf(limitValues: unknown, method: string): Pick<Index, 'limits'> {
  if (limitValues === undefined) return {}
  const { passages, tokens } = limitValues as Readonly<Record<string, unknown>>
  const limits = Object.entries({ passages, tokens }).filter(([, limit]) => limit !== undefined)
  const odd = limits.find(([, limit]) => typeof limit !== 'number' || !(limit >= 0))
  if (odd)
    throw new Error(
      `${method}: index() returned limits whose "${odd[0]}" is ${describe(odd[1])}: give a number, 0 or more`,
    )
  return { limits: Object.fromEntries(limits) }
}

/** The statistics of an index: flat JSON. Throws Error that names an invalid entry. */
export function statsOf(index: Index, method: string): IndexStats | undefined {
  const stats = dataOf(() => index.stats?.(), `${method}: stats()`)
  if (stats !== undefined) refuse(flat, stats, `${method}: stats()`, 'give flat JSON: text, numbers, and lists of them')
  return stats as IndexStats | undefined
}

/** What an index lost, counted, or an Error that names the entry which is no count. */
export function warningsOf(index: Index, method: string): Readonly<Record<string, number>> {
  const warnings = dataOf(() => index.warnings?.() ?? {}, `${method}: warnings()`)
  refuse(counts, warnings, `${method}: warnings()`, "give counts, such as { 'replies that could not be read': 3 }")
  return warnings as Readonly<Record<string, number>>
}

const plain = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number()]))])
const flat = z.record(z.string(), plain)
const counts = z.record(z.string(), z.int().min(0))

function dataOf(say: () => unknown, where: string): unknown {
  const value = say()
  try {
    return plainData(value)
  } catch (error) {
    throw new Error(`${where} cannot be written as JSON: ${messageOf(error)}`, { cause: error })
  }
}

function refuse(schema: typeof flat | typeof counts, value: unknown, where: string, advice: string): void {
  const [fault] = validationErrors(schema, value, {})
  if (fault) throw new Error(`${where}: ${fault.message}: ${advice}`)
}

/** Validates a graph, which may come from a plug-in. Throws Error that names the fault. */
export function checkGraph(graph: Graph, method: string): Graph {
  const { nodes, edges, groups = [], levels = [], notes = [], spectrum = [] } = graph
  const at = nodes.findIndex(({ id, kind, text }) => [id, kind, text].some((word) => typeof word !== 'string'))
  if (at >= 0) throw new Error(`${method} returned a graph whose node ${at + 1} has no id, no kind or no text`)
  const isNode = (index: number): boolean => Number.isInteger(index) && index >= 0 && index < nodes.length
  const loose = edges.findIndex(({ from, to, weight }) => !isNode(from) || !isNode(to) || !Number.isFinite(weight))
  const edge = edges[loose]
  if (edge) {
    throw new Error(
      `${method} returned a graph whose edge ${loose + 1}, from ${edge.from} to ${edge.to} with weight ${edge.weight}, is not valid (number of nodes: ${nodes.length})`,
    )
  }
  if ([...groups, ...notes].some((words) => typeof words !== 'string'))
    throw new Error(`${method} returned a graph in which the name of a group or a note is not text`)
  const uneven = levels.find((level) => level.groups.length !== nodes.length || !level.groups.every(Number.isInteger))
  if (uneven)
    throw new Error(`${method} returned a graph whose level "${uneven.name}" has no whole number for each of its nodes`)
  if (!spectrum.every(Number.isFinite))
    throw new Error(`${method} returned a graph whose spectrum has values that are not numbers`)
  return graph
}

/** Measures a graph, in time nearly linear in its size. */
export function measureGraph({ nodes, edges, leftOut = 0 }: Graph): GraphHealth {
  const ends = { from: edges.map(({ from }) => from), to: edges.map(({ to }) => to), weight: edges.map(() => 1) }
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
