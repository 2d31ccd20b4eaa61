import { pow } from '../portable.ts'

/** Powers of one exponent by the leading bits of a 32-bit float. */
export interface PowerTable {
  readonly table: Float64Array
  readonly float: Float32Array
  /** The same four bytes. */
  readonly bits: Uint32Array
}

/** Bits of a float's fraction that choose an entry; between two entries lies a straight line. */
const steps = 5
const rest = 23 - steps

/** The table for an exponent. */
export function powerTable(exponent: number): PowerTable {
  const float = new Float32Array(1)
  const bits = new Uint32Array(float.buffer)
  const table = Float64Array.from({ length: 2 ** (8 + steps) }, (_, entry) => {
    bits[0] = entry << rest
    return pow(float[0]!, exponent)
  })
  return { table, float, bits }
}

/** x ** exponent for 0 <= x < 2^127 and exponents up to 2, to 3 in 10 000, in a tenth of the time. */
export function power({ table, float, bits }: PowerTable, x: number): number {
  float[0] = x
  const entry = bits[0]! >>> rest
  const part = (bits[0]! & (2 ** rest - 1)) / 2 ** rest
  return table[entry]! + part * (table[entry + 1]! - table[entry]!)
}
