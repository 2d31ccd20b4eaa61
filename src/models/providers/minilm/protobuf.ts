/**
 * Fields of a Protocol Buffers message in their binary form (https://protobuf.dev/programming-guides/encoding). A message is its
 * fields one after the other; a list is the same field several times.
 */

/** A whole number, an enumeration's value too; negative ones take ten bytes, as int64 asks. */
export const integerField = (field: number, value: number): Uint8Array =>
  joined([tag(field, wire.varint), varint(BigInt.asUintN(64, BigInt(value)))])

/** A 32-bit float. */
export function floatField(field: number, value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setFloat32(0, value, true)
  return joined([tag(field, wire.fixed32), bytes])
}

/** A string. */
export const textField = (field: number, value: string): Uint8Array =>
  lengthDelimited(field, new TextEncoder().encode(value))

/** A message inside the message. */
export const messageField = (field: number, fields: readonly Uint8Array[]): Uint8Array =>
  lengthDelimited(field, joined(fields))

/** The bytes of a message. */
export const joined = (fields: readonly Uint8Array[]): Uint8Array => Buffer.concat(fields)

const wire = { varint: 0, lengthDelimited: 2, fixed32: 5 } as const

const tag = (field: number, type: number): Uint8Array => varint(BigInt(field * 8 + type))

const lengthDelimited = (field: number, bytes: Uint8Array): Uint8Array =>
  joined([tag(field, wire.lengthDelimited), varint(BigInt(bytes.length)), bytes])

/** Seven bits a byte, the lowest first; the eighth bit says that more follow. */
function varint(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (; value >= 128n; value >>= 7n) bytes.push(Number(value & 127n) | 128)
  return Uint8Array.from([...bytes, Number(value)])
}
