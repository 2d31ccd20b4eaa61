import type { Factors } from '../../math/spectrum/factors.ts'
import type { GemOptions } from './options.ts'

/** The weight of the edge between two nodes: W, one for both ways, or where edges are directed S from the first to the second as it is. */
export function edgeWeight(
  { factors }: { readonly factors: Factors },
  from: number,
  to: number,
  { edge, symmetrize, negatives }: Pick<GemOptions, 'edge' | 'symmetrize' | 'negatives'>,
): number {
  if (edge === 'directed') return similarity(factors, from, to)
  const [low, high] = from < to ? [from, to] : [to, from]
  const [above, below] = [similarity(factors, low, high), similarity(factors, high, low)]
  return weightOf(factors, low, high, above, below, { symmetrize, negatives })
}

/** W_ij from S_ij and S_ji with i < j. */
export function weightOf(
  { terms }: Pick<Factors, 'terms'>,
  i: number,
  j: number,
  above: number,
  below: number,
  { symmetrize, negatives }: Pick<GemOptions, 'symmetrize' | 'negatives'>,
): number {
  const shift = negatives === 'shift'
  const weight = joined[symmetrize](
    shift ? ((terms[i] ?? 0) + above) / 2 : above,
    shift ? ((terms[j] ?? 0) + below) / 2 : below,
  )
  return negatives === 'clamp' ? Math.max(weight, 0) : weight
}

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
