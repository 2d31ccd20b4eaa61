/** How S becomes the weights W of an undirected graph (our reading; the paper leaves S as it is). */
export interface GraphOptions {
  /** W_ij from S_ij and S_ji: their mean (`sum` is the same, for L has no scale), the larger, the smaller, or the one below the diagonal. */
  readonly symmetrize: 'mean' | 'sum' | 'max' | 'min' | 'lower'
  /** `zero`: W_ii = 0. `literal`: W_ii = S_ii - 1, as the paper writes S - I. */
  readonly diagonal: 'zero' | 'literal'
  /** `clamp`: negative weights are 0. `shift`: every cosine c counts as (1 + c)/2. `keep`: as they are. */
  readonly negatives: 'clamp' | 'shift' | 'keep'
  /** Bytes that weights may take where they have to be stored. */
  readonly memory: number
}

export const graphDefaults: GraphOptions = { symmetrize: 'mean', diagonal: 'zero', negatives: 'clamp', memory: 2 ** 30 }

/** Up to so many nodes the whole matrix is built and solved densely. */
export const fewNodes = 300
