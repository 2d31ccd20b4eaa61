/**
 * Functions with bit-identical results on every engine, from sums, products and quotients alone. `Math.exp`, `log`,
 * `cos` and `**` may differ in their last digits between engine versions, and random walks and training amplify that.
 */

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
/** Index of a double's high word. */
const high = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0

function highWord(x: number): number {
  double[0] = x
  return words[high]!
}

function withHighWord(x: number, word: number): number {
  double[0] = x
  words[high] = word
  return double[0]
}

/** 2^k for k from -1022 to 1023. */
const powerOfTwo = (k: number): number => withHighWord(0, (k + 1023) << 20)

const ln2High = 6.9314718036912381649e-1
const ln2Low = 1.90821492927058770002e-10

/** e to the power x, to less than one unit in the last place. Source: FreeBSD's msun (fdlibm), e_exp.c. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return NaN
  if (x > 709.782712893384) return Infinity
  if (x < -745.1332191019411) return 0
  const size = highWord(x) & 0x7fffffff
  let r = x
  let above = 0
  let below = 0
  let k = 0
  if (size > 0x3fd62e42) {
    if (x === 1) return Math.E
    // between 0.5 and 1.5 ln 2 the power is 1 or -1
    k = size < 0x3ff0a2b2 ? Math.sign(x) : Math.trunc(1.4426950408889634 * x + Math.sign(x) / 2)
    above = x - k * ln2High
    below = k * ln2Low
    r = above - below
  } else if (size < 0x3e300000) return 1 + x
  const t = r * r
  const series =
    1.66666666666666019037e-1 +
    t *
      (-2.77777777770155933842e-3 +
        t * (6.61375632143793436117e-5 + t * (-1.6533902205465251539e-6 + t * 4.13813679705723846039e-8)))
  const c = r - t * series
  if (k === 0) return 1 - ((r * c) / (c - 2) - r)
  const y = 1 - (below - (r * c) / (2 - c) - above)
  if (k === 1024) return y * 2 * powerOfTwo(1023)
  return k >= -1021 ? y * powerOfTwo(k) : y * powerOfTwo(k + 1000) * powerOfTwo(-1000)
}

/** The natural logarithm, to less than one unit in the last place; NaN below 0. Source: fdlibm, e_log.c. */
export function log(x: number): number {
  if (Number.isNaN(x) || x < 0) return NaN
  if (x === 0) return -Infinity
  if (x === Infinity) return Infinity
  const isSubnormal = x < 2.2250738585072014e-308
  const normal = isSubnormal ? x * powerOfTwo(54) : x
  const word = highWord(normal)
  const fraction = word & 0xfffff
  // 1 + f is between sqrt(2) / 2 and sqrt(2)
  const carry = (fraction + 0x95f64) & 0x100000
  const k = (word >> 20) - 1023 + (carry >> 20) - (isSubnormal ? 54 : 0)
  const f = withHighWord(normal, fraction | (carry ^ 0x3ff00000)) - 1
  if ((0xfffff & (2 + fraction)) < 3) {
    if (f === 0) return k * ln2High + k * ln2Low
    const rest = f * f * (0.5 - 0.33333333333333333 * f)
    return k === 0 ? f - rest : k * ln2High - (rest - k * ln2Low - f)
  }
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const even = w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1))
  const odd =
    z *
    (6.66666666666673513e-1 +
      w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)))
  const rest = odd + even
  if (((fraction - 0x6147a) | (0x6b851 - fraction)) > 0) {
    const half = 0.5 * f * f
    return k === 0 ? f - (half - s * (half + rest)) : k * ln2High - (half - (s * (half + rest) + k * ln2Low) - f)
  }
  return k === 0 ? f - s * (f - rest) : k * ln2High - (s * (f - rest) - k * ln2Low - f)
}

/** x to the power y for x >= 0. The relative error is about 1e-16 times 1 + |y log x|. */
export const pow = (x: number, y: number): number => (y === 0 ? 1 : exp(y * log(x)))

/** The cosine of an angle of a few turns at most, to 1e-14: its Taylor series about 0. */
export function cos(angle: number): number {
  const near = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI))
  let sum = 1
  let term = 1
  for (let i = 2; i <= 40; i += 2) sum += term *= (-near * near) / ((i - 1) * i)
  return sum
}

/** The root of the sum of squares. */
export function norm(values: Iterable<number>): number {
  let squares = 0
  for (const value of values) squares += value * value
  return Math.sqrt(squares)
}
