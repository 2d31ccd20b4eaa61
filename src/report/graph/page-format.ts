import type { Lookup, Trace, LookupPassage } from '../../types.ts'

/** What a page shows, in columns. `kind` and the fourth number of an edge are indices into `kinds` and `relations`, `group` counts from 1 in `groups`; edges are [from, to, weight], heaviest first. */
export interface PageData {
  readonly method: string
  readonly kinds: readonly string[]
  readonly relations: readonly string[]
  readonly groups: readonly string[]
  readonly nodes: {
    readonly id: readonly string[]
    readonly text: readonly string[]
    readonly kind: readonly number[]
    readonly group: readonly number[]
    readonly x: readonly number[]
    readonly y: readonly number[]
    readonly data: readonly Trace[]
  }
  readonly edges: readonly (readonly number[])[]
  /** Divisions of the nodes into groups, of which one is shown at a time. */
  readonly levels?: readonly { readonly name: string; readonly group: readonly number[] }[]
  readonly lookups: readonly Lookup[]
}

/** The data of a page as they lie in it: a few bytes a node and an edge. A string of columns or edges is whole numbers (`readIntegers`). */
export interface EncodedPage extends Pick<PageData, 'method' | 'kinds' | 'relations' | 'groups'> {
  readonly nodes: {
    readonly text: readonly string[]
    /** Names that count on: the first, which of its numbers counts, and how many there are; a name alone is one. */
    readonly id: readonly (readonly [string] | readonly [string, number, number])[]
    /** A value and how often it follows itself, by turns; as is `shape`. */
    readonly kind: string
    readonly group: string
    readonly x: string
    readonly y: string
    /** The names of a node's data are one of these; the values of all nodes follow each other. */
    readonly shapes: readonly (readonly string[])[]
    readonly shape: string
    readonly values: readonly Trace[string][]
  }
  /** The names of levels, and the group of each node as a column. */
  readonly levels?: readonly (readonly [string, string])[]
  readonly edges: {
    /** A weight, a relation (-1: none), and how many edges have them. */
    readonly runs: readonly (readonly [number, number, number])[]
    /** How far from the `from` of the edge before. */
    readonly from: string
    /** How far from its own `from`. */
    readonly to: string
  }
  /** Question, own (1) or the dataset's (0), what was found as score, nodes, text and why, and the steps from one node of the evidence to the next. */
  readonly lookups: readonly (readonly [string, number, readonly (readonly (number | string | Trace)[])[], string?])[]
}

/** A place of the layout, or of a screen in CSS pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A name with so much added to its number, the first of which is number 0; digits stay as many: `doc 07` and 1 give `doc 08`. */
export function addToNumber(name: string, number: number, by: number): string {
  const parts = name.split(/(\d+)/)
  const place = 2 * number + 1
  const digits = parts[place] ?? ''
  parts[place] = String(Number(digits) + by).padStart(digits.length, '0')
  return parts.join('')
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Whole numbers out of a text, one to four letters each (VLQ in base 64, as in source maps): the lowest bit of a number is its sign, five
 * bits are a letter, low ones first, and a letter of 32 or more goes on.
 */
export function readIntegers(text: string): number[] {
  const numbers: number[] = []
  let sum = 0
  let place = 1
  for (const letter of text) {
    const value = letters.indexOf(letter)
    sum += (value % 32) * place
    place *= 32
    if (value >= 32) continue
    numbers.push(sum % 2 === 1 ? -(sum - 1) / 2 : sum / 2)
    sum = 0
    place = 1
  }
  return numbers
}

/** Whole numbers as the text that `readIntegers` reads. */
export const writeIntegers = (values: readonly number[]): string => values.map(lettersOf).join('')

function lettersOf(value: number): string {
  let rest = value < 0 ? -2 * value + 1 : 2 * value
  let text = ''
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += letters.charAt(32 + (rest % 32))
  return text + letters.charAt(rest)
}

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
        length === 1 ? [first] : Array.from({ length }, (_, by) => addToNumber(first, number, by)),
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
    const counting = numbers.find((number) => addToNumber(first, number, 1) === names[at + 1])
    let length = 1
    if (counting !== undefined) while (addToNumber(first, counting, length) === names[at + length]) length++
    found.push(counting === undefined ? [first] : [first, counting, length])
    at += length
  }
  return found
}
