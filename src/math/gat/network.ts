import { mulberry32, normal } from '../random.ts'

/** A graph attention layer. Arrays are float64, row-major. */
export interface Layer {
  readonly inputs: number
  /** heads · dim rows of `inputs` numbers: head h has the rows from h · dim on. */
  readonly weight: Float64Array
  /** heads · dim: attention weights of a message's source and of its destination. */
  readonly attnSrc: Float64Array
  readonly attnDst: Float64Array
  /** heads · dim. Its gradient is 0 in front of a batch norm: it is never trained (section 9, point 1). */
  readonly bias: Float64Array
  readonly bnGamma: Float64Array
  readonly bnBeta: Float64Array
  readonly bnMean: Float64Array
  readonly bnVar: Float64Array
  /** A slope for every channel. */
  readonly prelu: Float64Array
}

/** The network of Graph of Records: layers of attention, batch norm and PReLU; `dim` numbers go in and come out. */
export interface Network {
  readonly dim: number
  readonly heads: number
  readonly layers: readonly Layer[]
}

/** Trained parameters of a layer, in serialisation order. */
export const trainedParameters = ['weight', 'attnSrc', 'attnDst', 'bnGamma', 'bnBeta', 'prelu'] as const
/** All arrays of a layer, in serialisation order. */
export const storedArrays = [...trainedParameters, 'bias', 'bnMean', 'bnVar'] as const

/** Slope of the leaky ReLU, and ε of the batch norm (reference code). */
export const attentionSlope = 0.2
export const bnEpsilon = 1e-5
/** Momentum of the running statistics. */
export const bnMomentum = 0.1

/** Standard deviations of fresh weights: Xavier with a gain of √2, as GATConv resets them (section 9, point 7). */
export const initialScales = (inputs: number, dim: number, heads: number) => ({
  weight: Math.SQRT2 * Math.sqrt(2 / (inputs + heads * dim)),
  attention: Math.SQRT2 * Math.sqrt(2 / (heads * dim + dim)),
})

/** A randomly initialised network, deterministic by seed. */
export function freshNetwork(dim: number, heads: number, layers: number, seed: number): Network {
  const random = mulberry32(seed)
  const width = heads * dim
  return {
    dim,
    heads,
    layers: Array.from({ length: layers }, (_, place): Layer => {
      const inputs = place === 0 ? dim : width
      const scales = initialScales(inputs, dim, heads)
      const randomWeights = (length: number, scale: number) =>
        Float64Array.from({ length }, () => scale * normal(random))
      const all = (value: number) => new Float64Array(width).fill(value)
      return {
        inputs,
        weight: randomWeights(width * inputs, scales.weight),
        attnSrc: randomWeights(width, scales.attention),
        attnDst: randomWeights(width, scales.attention),
        bias: all(0),
        bnGamma: all(1),
        bnBeta: all(0),
        bnMean: all(0),
        bnVar: all(1),
        prelu: all(0.25),
      }
    }),
  }
}

export const copyOf = ({ dim, heads, layers }: Network): Network => ({
  dim,
  heads,
  layers: layers.map((layer): Layer => ({
    ...layer,
    ...Object.fromEntries(storedArrays.map((name) => [name, layer[name].slice()])),
  })),
})

/** Array lengths of a layer, by name; `place` counts layers from 0. */
function sizesOf(dim: number, heads: number, place: number) {
  const inputs = place === 0 ? dim : dim * heads
  return { inputs, of: (name: (typeof storedArrays)[number]) => dim * heads * (name === 'weight' ? inputs : 1) }
}

/** Length of `packNetwork` for this shape. */
export const packedLength = (dim: number, heads: number, layers: number): number =>
  Array.from({ length: layers }, (_, place) => sizesOf(dim, heads, place)).reduce(
    (sum, { of }) => storedArrays.reduce((count, name) => count + of(name), sum),
    0,
  )

/** All arrays of a network in one: layer after layer, in the order of `storedArrays`. */
export function packNetwork({ dim, heads, layers }: Network): Float32Array {
  const all = new Float32Array(packedLength(dim, heads, layers.length))
  let at = 0
  for (const layer of layers) {
    for (const name of storedArrays) {
      all.set(layer[name], at)
      at += layer[name].length
    }
  }
  return all
}

/** The inverse of `packNetwork`. Throws RangeError where the length does not fit the shape. */
export function unpackNetwork(all: Float32Array, dim: number, heads: number, layers: number): Network {
  if (all.length !== packedLength(dim, heads, layers))
    throw new RangeError(`${all.length} numbers where ${packedLength(dim, heads, layers)} are needed`)
  let at = 0
  return {
    dim,
    heads,
    layers: Array.from({ length: layers }, (_, place): Layer => {
      const { inputs, of } = sizesOf(dim, heads, place)
      const entries = storedArrays.map((name) => [name, Float64Array.from(all.subarray(at, (at += of(name))))] as const)
      return { inputs, ...(Object.fromEntries(entries) as Record<(typeof storedArrays)[number], Float64Array>) }
    }),
  }
}

/** How edges carry messages: from materials to responses, or both ways. */
export type Direction = 'toResponse' | 'both'

/** A self-loop beside a self-edge: merged into one, or kept twice as in the reference code. */
export type DuplicateSelfLoop = 'merge' | 'keep'

/** Messages sorted by destination, then source: those into node n are `first[n]` to `first[n + 1]`. */
export interface Messages {
  readonly source: Uint32Array
  readonly destination: Uint32Array
  readonly first: Uint32Array
}

/** The messages of a graph of so many nodes: its edges, in one direction or both, and a self-loop on every node. */
export function messagesOf(
  nodes: number,
  edges: readonly (readonly [source: number, destination: number])[],
  { direction, duplicateSelfLoop }: { readonly direction: Direction; readonly duplicateSelfLoop: DuplicateSelfLoop },
): Messages {
  const keys = new Set(edges.map(([from, to]) => from * nodes + to))
  const reverse = direction === 'both' ? edges.filter(([from, to]) => !keys.has(to * nodes + from)) : []
  const loops = Array.from({ length: nodes }, (_, node) => [node, node] as const)
  const forwardEdges = duplicateSelfLoop === 'merge' ? edges.filter(([from, to]) => from !== to) : edges
  const all = [...forwardEdges, ...reverse.map(([from, to]) => [to, from] as const), ...loops]
  all.sort((a, b) => a[1] - b[1] || a[0] - b[0])
  const first = new Uint32Array(nodes + 1)
  for (const [, to] of all) first[to + 1]!++
  for (let node = 0; node < nodes; node++) first[node + 1]! += first[node]!
  return {
    source: Uint32Array.from(all, ([from]) => from),
    destination: Uint32Array.from(all, ([, to]) => to),
    first,
  }
}

/** The messages of the disjoint union of several graphs. */
export function joinMessages(graphs: readonly Messages[]): Messages {
  const source: number[] = []
  const destination: number[] = []
  const first = [0]
  for (const graph of graphs) {
    const nodes = first.length - 1
    const messages = source.length
    for (const node of graph.source) source.push(nodes + node)
    for (const node of graph.destination) destination.push(nodes + node)
    for (const offset of graph.first.subarray(1)) first.push(messages + offset)
  }
  return {
    source: Uint32Array.from(source),
    destination: Uint32Array.from(destination),
    first: Uint32Array.from(first),
  }
}
