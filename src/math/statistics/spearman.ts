import { mulberry32, shuffle } from '../random.ts'
import { mean, midRanks, sum } from './descriptive.ts'

interface Spearman {
  /** From -1 to 1; NaN where one list is the same throughout. */
  readonly rho: number
  /** Two-sided: the share of the orders of one list in which the correlation is at least as far from 0. */
  readonly p: number
  /** Whether every order was tried. */
  readonly exact: boolean
}

/** Up to as many pairs every order is tried: 40,320 of 8. */
const exactUpTo = 8

/**
 * Spearman's rank correlation of pairs, ties by their mean ranks (as scipy.stats.spearmanr), and its permutation test:
 * exact up to 8 pairs; above, (1 + count) / (1 + B) of B random orders. Throws RangeError for lists of unequal length.
 */
export function spearman(
  x: readonly number[],
  y: readonly number[],
  { resamples = 9999, seed = 42 }: { readonly resamples?: number; readonly seed?: number } = {},
): Spearman {
  if (x.length !== y.length) throw new RangeError(`pairs of ${x.length} and ${y.length} numbers`)
  const [a, b] = [centred(x), centred(y)]
  const spread = Math.sqrt(products(a, a) * products(b, b))
  const rho = spread === 0 ? NaN : products(a, b) / spread
  const exact = x.length <= exactUpTo
  if (Number.isNaN(rho)) return { rho, p: NaN, exact }
  const least = Math.abs(rho) * spread - 1e-9 * spread
  const isAsFar = (order: readonly number[]): boolean => Math.abs(products(a, order)) >= least
  if (exact) {
    let [far, all] = [0, 0]
    for (const order of orders(b)) {
      all++
      far += Number(isAsFar(order))
    }
    return { rho, p: far / all, exact }
  }
  const random = mulberry32(seed)
  let far = 0
  for (let draw = 0; draw < resamples; draw++) far += Number(isAsFar(shuffle(b, random)))
  return { rho, p: (1 + far) / (1 + resamples), exact }
}

function centred(values: readonly number[]): readonly number[] {
  const { ranks } = midRanks(values)
  const middle = mean(ranks)
  return ranks.map((rank) => rank - middle)
}

const products = (a: readonly number[], b: readonly number[]): number => sum(a.map((value, at) => value * b[at]!))

/** Every order of the items, as one list that changes (Heap's algorithm). */
function* orders(items: readonly number[]): Generator<readonly number[]> {
  const order = items.slice()
  const turns = order.map(() => 0)
  yield order
  for (let at = 1; at < order.length;) {
    if (turns[at]! >= at) {
      turns[at++] = 0
      continue
    }
    const other = at % 2 === 0 ? 0 : turns[at]!
    ;[order[at], order[other]] = [order[other]!, order[at]!]
    turns[at]!++
    at = 1
    yield order
  }
}
