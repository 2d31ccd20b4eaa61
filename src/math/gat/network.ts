import { mulberry32 } from '../random.ts'
import { cos, log, sin } from '../portable.ts'

/** A graph attention layer. Every number stands in float64, row after row. */
export interface Layer {
  readonly inputs: number
  /** heads · dim rows of `inputs` numbers: head h has the rows from h · dim on. */
  readonly weight: Float64Array
  /** heads · dim: what a node as the source, or as the destination, of a message adds to its attention. */
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

/** The network of Graph of Records: each layer is attention, batch norm and PReLU; `dim` numbers go in, and come out. */
export interface Network {
  readonly dim: number
  readonly heads: number
  readonly layers: readonly Layer[]
}

/** The parameters of a layer in the order in which they are written and trained. */
export const trained = ['weight', 'attnSrc', 'attnDst', 'bnGamma', 'bnBeta', 'prelu'] as const
/** All that is needed to use a layer. */
export const stored = [...trained, 'bias', 'bnMean', 'bnVar'] as const

/** Leaky slope of the attention, and what keeps a batch norm from dividing by 0 (reference code). */
export const attentionSlope = 0.2
export const bnEpsilon = 1e-5
/** How far running statistics move towards those of a batch. */
export const bnMomentum = 0.1

/** Standard deviations of fresh weights: Xavier with a gain of √2, as GATConv resets them (section 9, point 7). */
export const initialScales = (inputs: number, dim: number, heads: number) => ({
  weight: Math.SQRT2 * Math.sqrt(2 / (inputs + heads * dim)),
  attention: Math.SQRT2 * Math.sqrt(2 / (heads * dim + dim)),
})

/** A network of fresh weights; the same seed gives the same numbers. */
export function freshNetwork(dim: number, heads: number, layers: number, seed: number): Network {
  const normal = normals(mulberry32(seed))
  const width = heads * dim
  return {
    ...{ dim, heads },
    layers: Array.from({ length: layers }, (_, place): Layer => {
      const inputs = place === 0 ? dim : width
      const scales = initialScales(inputs, dim, heads)
      const drawn = (length: number, scale: number) => Float64Array.from({ length }, () => scale * normal())
      const all = (value: number) => new Float64Array(width).fill(value)
      return {
        inputs,
        weight: drawn(width * inputs, scales.weight),
        attnSrc: drawn(width, scales.attention),
        attnDst: drawn(width, scales.attention),
        bias: all(0),
        ...{ bnGamma: all(1), bnBeta: all(0), bnMean: all(0), bnVar: all(1), prelu: all(0.25) },
      }
    }),
  }
}

/** Numbers that a network of this size trains, the bias that stands still included (section 9, point 9). */
export const parameterCount = ({ layers }: Network): number =>
  layers.reduce((sum, layer) => [...trained, 'bias' as const].reduce((own, name) => own + layer[name].length, sum), 0)

/** A copy whose numbers can be changed without those of the original. */
export const copyOf = ({ dim, heads, layers }: Network): Network => ({
  ...{ dim, heads },
  layers: layers.map((layer): Layer => ({
    ...layer,
    ...Object.fromEntries(stored.map((name) => [name, layer[name].slice()])),
  })),
})

/** Standard normal numbers, by Box and Muller. */
function normals(random: () => number): () => number {
  let spare: number | undefined
  return () => {
    if (spare !== undefined) {
      const drawn = spare
      spare = undefined
      return drawn
    }
    const radius = Math.sqrt(-2 * log(1 - random()))
    const angle = 2 * Math.PI * random()
    spare = radius * sin(angle)
    return radius * cos(angle)
  }
}
