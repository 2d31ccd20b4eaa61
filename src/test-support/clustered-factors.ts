import { mulberry32 } from '../math/random.ts'
import type { Factors } from '../math/spectrum/factors.ts'

/**
 * What the synthetic nodes look like; `common` is the length of a direction that all share, which sets how many cosines
 * are negative.
 */
export interface Clustered {
  readonly n: number
  readonly d: number
  readonly clusters?: number
  readonly common?: number
  readonly bits?: 32 | 64
  readonly seed?: number
}

const questions = 3

/**
 * Factors of nodes in clusters, as embeddings of 12 topics might be: mean cosine about 0.6, none negative, with common
 * = 1.
 */
export function clusteredFactors({ n, d, clusters = 12, common = 1, bits = 32, seed = 1 }: Clustered): Factors {
  const random = mulberry32(seed)
  // of mean 0 and variance 1: in many dimensions as good as normal
  const noise = () => (random() - 0.5) * Math.sqrt(12)
  const vector = (scale: number) => Float64Array.from({ length: d }, () => scale * noise())
  const [direction, centres] = [vector(common), Array.from({ length: clusters }, () => vector(0.6))]
  const rows = () => ({ data: new (bits === 32 ? Float32Array : Float64Array)(n * d), rows: n, columns: d })
  const [a, b] = [rows(), rows()]
  for (let i = 0; i < n; i++) {
    const centre = centres[Math.floor(random() * clusters)]!
    const node = direction.map((value, c) => value + centre[c]! + 0.6 * noise())
    const norm = Math.sqrt(node.reduce((sum, value) => sum + value * value, 0))
    for (let c = 0; c < d; c++) {
      b.data[i * d + c] = node[c]! / norm
      a.data[i * d + c] = (questions * node[c]!) / norm + (0.3 * noise()) / Math.sqrt(d)
    }
  }
  return { a, b }
}
