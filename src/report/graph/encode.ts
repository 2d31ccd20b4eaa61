import type { LookupPassage, Trace } from '../../types.ts'
import { countOn } from './count-on.ts'
import type { EncodedPage, PageData } from './page-format.ts'
import { writeIntegers } from './integers.ts'

/** The data of a page in few bytes: whole numbers as letters, and what follows from what stands before it left out. */
export function encodePage({ nodes, edges, lookups, levels, ...rest }: PageData): EncodedPage {
  const { data, id, text } = nodes
  const names = data.map((one) => JSON.stringify(Object.keys(one)))
  const shapes = [...new Set(names)]
  const numbers = new Map(shapes.map((shape, number) => [shape, number]))
  return {
    ...rest,
    nodes: {
      text,
      id: countingRuns(id),
      kind: writeIntegers(runs(nodes.kind).flat()),
      group: writeIntegers(nodes.group),
      x: writeIntegers(nodes.x),
      y: writeIntegers(nodes.y),
      shapes: shapes.map((shape) => JSON.parse(shape) as string[]),
      shape: writeIntegers(runs(names.map((shape) => numbers.get(shape) ?? 0)).flat()),
      values: data.flatMap((one) => Object.values(one)),
    },
    edges: encodeEdges(edges),
    ...(levels && { levels: levels.map(({ name, group }) => [name, writeIntegers(group)] as const) }),
    lookups: lookups.map(({ question, own, found, evidence }) => {
      const line = [question, own ? 1 : 0, found.map(packFound)] as const
      return evidence ? [...line, writeIntegers(steps(evidence))] : line
    }),
  }
}

/** Edges in few bytes, the fewer the more of them that follow each other weigh the same. */
export function encodeEdges(edges: PageData['edges']): EncodedPage['edges'] {
  const kinds = edges.map(([, , weight = 0, relation = -1]) => `${weight} ${relation}`)
  return {
    runs: runs(kinds).map(([kind, count]) => {
      const [weight = 0, relation = -1] = kind.split(' ').map(Number)
      return [weight, relation, count] as const
    }),
    from: writeIntegers(steps(edges.map(([from = 0]) => from))),
    to: writeIntegers(edges.map(([from = 0, to = 0]) => to - from)),
  }
}

const packFound = ({ score, nodes, text, why }: LookupPassage): (number | string | Trace)[] => [
  score,
  ...nodes,
  ...(text === undefined ? [] : [text]),
  ...(why === undefined ? [] : [why]),
]

/** Each value, and how often it follows itself. */
function runs<T>(values: readonly T[]): (readonly [T, number])[] {
  const starts = values.flatMap((value, at) => (at === 0 || value !== values[at - 1] ? [{ value, at }] : []))
  return starts.map(({ value, at }, run) => [value, (starts[run + 1]?.at ?? values.length) - at])
}

const steps = (values: readonly number[]): number[] => values.map((value, at) => value - (values[at - 1] ?? 0))

/** Names of which each is the one before, counted on. */
function countingRuns(names: readonly string[]): EncodedPage['nodes']['id'] {
  const found: (readonly [string] | readonly [string, number, number])[] = []
  let at = 0
  while (at < names.length) {
    const first = names[at] ?? ''
    const numbers = (first.match(/\d+/g) ?? []).map((_, number) => number)
    const counting = numbers.find((number) => countOn(first, number, 1) === names[at + 1])
    let length = 1
    if (counting !== undefined) while (countOn(first, counting, length) === names[at + length]) length++
    found.push(counting === undefined ? [first] : [first, counting, length])
    at += length
  }
  return found
}
