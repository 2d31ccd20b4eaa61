import type { Factors } from '../../math/spectrum/factors.ts'
import type { GemOptions } from './options.ts'

/** The weight W of the edge between two nodes, one for both ways. */
export function edgeWeight(factors: Factors, from: number, to: number, symmetrize: GemOptions['symmetrize']): number {
  const [low, high] = from < to ? [from, to] : [to, from]
  return weightOf(similarity(factors, low, high), similarity(factors, high, low), symmetrize)
}

/** W_ij from S_ij and S_ji with i < j; negative weights are 0. */
export const weightOf = (above: number, below: number, symmetrize: GemOptions['symmetrize']): number =>
  Math.max(joined[symmetrize](above, below), 0)

const joined: Readonly<Record<GemOptions['symmetrize'], (above: number, below: number) => number>> = {
  mean: (above, below) => (above + below) / 2,
  sum: (above, below) => above + below,
  max: Math.max,
  min: Math.min,
  lower: (_above, below) => below,
}

/** S_ij = A_i · B_j. */
function similarity({ a, b }: Factors, i: number, j: number): number {
  let sum = 0
  for (let c = 0; c < a.columns; c++) sum += (a.data[i * a.columns + c] ?? 0) * (b.data[j * b.columns + c] ?? 0)
  return sum
}
