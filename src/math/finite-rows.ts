import type { Rows } from './wasm/panel.ts'

/** Throws RangeError at the first number that is not finite: what is computed from it would mean nothing. */
export function refuseNonFinite({ data, columns, stride = columns }: Rows): void {
  const at = data.findIndex((value: number) => !Number.isFinite(value))
  if (at < 0) return
  throw new RangeError(`row ${Math.floor(at / stride)} holds ${data[at]}: rows must be of finite numbers`)
}
