import { exp, log, pow } from '../portable.ts'

/** The similarity 1 / (1 + a d^2b) of two points at distance d of the layout. */
export interface Curve {
  readonly a: number
  readonly b: number
}

/** Places at which the curve is compared with its model, and rounds of the fit. */
const samples = 300
const rounds = 100

/**
 * The curve nearest to a similarity of 1 up to `minDistance` and exp(-(d - minDistance)/spread) beyond: least squares on [0, 3
 * spread] (umap-learn) by Levenberg and Marquardt.
 */
export function fitCurve(minDistance: number, spread: number): Curve {
  const places = Array.from({ length: samples }, (_, i) => (3 * spread * i) / (samples - 1))
  const model = places.map((d) => (d < minDistance ? 1 : exp(-(d - minDistance) / spread)))
  let best = { curve: { a: 1, b: 1 }, ...residual({ a: 1, b: 1 }, places, model) }
  let damping = 1e-3
  for (let round = 0; round < rounds; round++) {
    const curve = step(best.curve, best, damping)
    const next = { curve, ...residual(curve, places, model) }
    if (next.squares < best.squares) {
      best = next
      damping /= 10
    } else damping *= 10
  }
  return best.curve
}

/** The sum of squares, and JᵀJ and Jᵀr over log a and b, which keeps a positive. */
function residual({ a, b }: Curve, places: readonly number[], model: readonly number[]) {
  let [squares, aa, ab, bb, ar, br] = [0, 0, 0, 0, 0, 0]
  for (const [i, d] of places.entries()) {
    const power = d === 0 ? 0 : a * pow(d, 2 * b)
    const value = 1 / (1 + power)
    const slope = -power * value * value
    const byB = d === 0 ? 0 : slope * 2 * log(d)
    const error = value - model[i]!
    squares += error * error
    aa += slope * slope
    ab += slope * byB
    bb += byB * byB
    ar += slope * error
    br += byB * error
  }
  return { squares: Number.isFinite(squares) ? squares : Infinity, aa, ab, bb, ar, br }
}

function step({ a, b }: Curve, { aa, ab, bb, ar, br }: ReturnType<typeof residual>, damping: number): Curve {
  const [p, q] = [aa * (1 + damping), bb * (1 + damping)]
  const determinant = p * q - ab * ab
  if (!(determinant > 0)) return { a, b }
  return { a: a * exp((ab * br - q * ar) / determinant), b: b + (ab * ar - p * br) / determinant }
}
