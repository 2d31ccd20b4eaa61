import type { Lookup, Trace } from '../../types.ts'
import { countOn } from './count-on.ts'
import { readIntegers } from './integers.ts'
import type { EncodedPage, PageData } from './page-format.ts'

/** The data of a page in columns. */
export function decodePage({ nodes, edges, lookups, levels, ...rest }: EncodedPage): PageData {
  const repeat = (runs: readonly number[]): number[] =>
    runs.flatMap((value, at) => (at % 2 === 0 ? new Array<number>(runs[at + 1] ?? 0).fill(value) : []))
  const walk = (steps: readonly number[]): number[] => {
    let at = 0
    return steps.map((step) => (at += step))
  }
  let value = 0
  const dataOf = (shape: number): Trace =>
    Object.fromEntries((nodes.shapes[shape] ?? []).map((name) => [name, nodes.values[value++] ?? null]))

  const from = walk(readIntegers(edges.from))
  const to = readIntegers(edges.to)
  let edge = 0
  const edgeOf = (weight: number, relation: number): number[] => {
    const start = from[edge] ?? 0
    const end = start + (to[edge++] ?? 0)
    return relation < 0 ? [start, end, weight] : [start, end, weight, relation]
  }

  const lookupOf = ([question, own, found, evidence]: EncodedPage['lookups'][number]): Lookup => ({
    question,
    own: own === 1,
    found: found.map(([score, ...what]) => {
      const [text] = what.filter((one) => typeof one === 'string')
      const places = what.filter((one) => typeof one === 'number')
      const [why] = what.filter((one) => typeof one === 'object')
      return { nodes: places, score: Number(score), ...(text !== undefined && { text }), ...(why && { why }) }
    }),
    ...(evidence !== undefined && { evidence: walk(readIntegers(evidence)) }),
  })

  return {
    ...rest,
    ...(levels && { levels: levels.map(([name, group]) => ({ name, group: readIntegers(group) })) }),
    nodes: {
      text: nodes.text,
      id: nodes.id.flatMap(([first, number = 0, length = 1]) =>
        length === 1 ? [first] : Array.from({ length }, (_, by) => countOn(first, number, by)),
      ),
      kind: repeat(readIntegers(nodes.kind)),
      group: readIntegers(nodes.group),
      x: readIntegers(nodes.x),
      y: readIntegers(nodes.y),
      data: repeat(readIntegers(nodes.shape)).map(dataOf),
    },
    edges: edges.runs.flatMap(([weight, relation, length]) => Array.from({ length }, () => edgeOf(weight, relation))),
    lookups: lookups.map(lookupOf),
  }
}
