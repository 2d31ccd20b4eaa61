import type { Rows } from './kernels.ts'

/** Throws RangeError at the first number that is not finite: what is computed from it would mean nothing. */
export function refuseNonFinite({ data, columns }: Rows): void {
  const at = data.findIndex((value: number) => !Number.isFinite(value))
  if (at < 0) return
  throw new RangeError(`row ${Math.floor(at / columns)} holds ${data[at]}: rows must be of finite numbers`)
}
