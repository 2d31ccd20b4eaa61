/**
 * The exponent e of y = c · n^e by least squares of log y on log n, of all sizes and of the last two alone; undefined where fewer than two
 * measurements reach `least`, below which they are noise.
 */
export function exponents(
  sizes: readonly number[],
  values: readonly number[],
  least: number,
): { readonly all: number; readonly last: number } | undefined {
  const points = sizes.flatMap((size, place) => {
    const value = values[place] ?? 0
    return value >= least ? [{ x: Math.log(size), y: Math.log(value) }] : []
  })
  return points.length < 2 ? undefined : { all: slope(points), last: slope(points.slice(-2)) }
}

function slope(points: readonly { readonly x: number; readonly y: number }[]): number {
  const mean = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2)
}
