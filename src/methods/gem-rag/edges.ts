import type { Factors } from '../../math/spectrum/factors.ts'
import type { GemOptions } from './options.ts'

/** The weight of the edge between two nodes: from the first to the second where edges are directed, one for both ways where not. */
export function edgeWeight(
  { factors }: { readonly factors: Factors },
  from: number,
  to: number,
  { edge, symmetrize }: Pick<GemOptions, 'edge' | 'symmetrize'>,
): number {
  const forth = similarity(factors, from, to)
  if (edge === 'directed') return forth
  const back = similarity(factors, to, from)
  switch (symmetrize) {
    case 'mean':
      return (forth + back) / 2
    case 'sum':
      return forth + back
    case 'max':
      return Math.max(forth, back)
    case 'min':
      return Math.min(forth, back)
    case 'lower':
      return from > to ? forth : back
  }
}

/** S_ij = A_i · B_j. */
function similarity({ a, b }: Factors, i: number, j: number): number {
  let sum = 0
  for (let c = 0; c < a.columns; c++) sum += (a.data[i * a.columns + c] ?? 0) * (b.data[j * b.columns + c] ?? 0)
  return sum
}
