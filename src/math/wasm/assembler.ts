/** Bytes of WebAssembly code that leave what their name says on the stack. */
export type Code = readonly number[]

/** A parameter or a local variable of a function. */
export interface Local {
  readonly type: ValueType
  readonly get: Code
  readonly set: (value: Code) => Code
}

export type ValueType = 'i32' | 'f64' | 'v128'

export interface Func {
  readonly name: string
  readonly params: readonly Local[]
  readonly locals: readonly Local[]
  readonly body: Code
}

/** `count` locals numbered from `first`; parameters come first. */
export const locals = (type: ValueType, first: number, count: number): Local[] =>
  Array.from({ length: count }, (_, i) => ({
    type,
    get: [0x20, ...unsigned(first + i)],
    set: (value) => [...value, 0x21, ...unsigned(first + i)],
  }))

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  add: (a: Code, b: Code): Code => [...a, ...b, 0x6a],
  mul: (a: Code, b: Code): Code => [...a, ...b, 0x6c],
  lessThan: (a: Code, b: Code): Code => [...a, ...b, 0x49],
  load: (address: Code, offset: number): Code => [...address, 0x28, ...memory(offset)],
}

/** Doubles, one at a time. */
export const f64 = {
  zero: [0x44, 0, 0, 0, 0, 0, 0, 0, 0] satisfies Code,
  load: (address: Code, offset: number): Code => [...address, 0x2b, ...memory(offset)],
  store: (address: Code, offset: number, value: Code): Code => [...address, ...value, 0x39, ...memory(offset)],
  abs: (a: Code): Code => [...a, 0x99],
  add: (a: Code, b: Code): Code => [...a, ...b, 0xa0],
  sub: (a: Code, b: Code): Code => [...a, ...b, 0xa1],
  mul: (a: Code, b: Code): Code => [...a, ...b, 0xa2],
}

export const v128 = {
  load: (address: Code, offset: number): Code => [...address, ...simd(0x00), ...memory(offset)],
  store: (address: Code, offset: number, value: Code): Code => [...address, ...value, ...simd(0x0b), ...memory(offset)],
}

/** `zero`, and sixteen of the 32 bytes of two vectors, by their places. */
export const bytes = {
  zero: [0xfd, 0x0c, ...new Array<number>(16).fill(0)] satisfies Code,
  shuffle: (a: Code, b: Code, places: readonly number[]): Code => [...a, ...b, 0xfd, 0x0d, ...places],
}

/** Whole numbers side by side: `load8` reads eight of 8 bits as 16 bits; `dot16` multiplies eight by eight of 16 bits and adds two products each in 32. */
export const integers = {
  load8: (address: Code, offset: number): Code => [...address, ...simd(0x01), ...memory(offset)],
  dot16: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xba)],
  add32: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xae)],
}

/** Two doubles side by side. The two splats read one number, of 32 or 64 bits, into both places; `load32` reads two of 32 bits. */
export const f64x2 = {
  load32: (address: Code, offset: number): Code => [...address, ...simd(0x5d), ...memory(offset), ...simd(0x5f)],
  splat32: (address: Code): Code => [...address, ...simd(0x09), ...memory(0), ...simd(0x5f)],
  splat64: (address: Code): Code => [...address, ...simd(0x0a), ...memory(0)],
  add: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xf0)],
  mul: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xf2)],
}

/** Four floats side by side. */
export const f32x4 = {
  splat: (address: Code): Code => [...address, ...simd(0x09), ...memory(0)],
  add: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xe4)],
  mul: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xe6)],
}

/** Runs the body, and again for as long as the condition, computed after it, is not 0. */
export const repeatWhile = (condition: Code, ...body: readonly Code[]): Code => [
  ...[0x03, 0x40],
  ...body.flat(),
  ...condition,
  ...[0x0d, 0x00, 0x0b],
]

/** Runs the body for as long as the condition, computed before it, is not 0. */
export const whileDo = (condition: Code, ...body: readonly Code[]): Code => [
  ...condition,
  ...[0x04, 0x40],
  ...repeatWhile(condition, ...body),
  0x0b,
]

/** The most pages of 64 KiB that a memory may have: 4 GiB. */
export const mostPages = 2 ** 16

/**
 * A WebAssembly module (core specification 2.0, section 5) that exports the functions, and imports the `memory` of `env` that they
 * work on; a `shared` one (threads proposal) is seen by several threads.
 */
export function assemble(functions: readonly Func[], shared: boolean): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ params }) => [0x60, ...list(params.map(typeByte)), 0x00])
  const exported = functions.map(({ name }, i) => [...text(name), 0x00, ...unsigned(i)])
  const bodies = functions.map(({ locals, body }) => {
    const code = [...list(locals.map((local) => [1, ...typeByte(local)])), ...body, 0x0b]
    return [...unsigned(code.length), ...code]
  })
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, list(types)),
    ...section(
      2,
      list([[...text('env'), ...text('memory'), 0x02, shared ? 0x03 : 0x01, 0x00, ...unsigned(mostPages)]]),
    ),
    ...section(3, list(functions.map((_, i) => unsigned(i)))),
    ...section(7, list(exported)),
    ...section(10, list(bodies)),
  ])
}

const typeByte = ({ type }: Local): Code => [{ i32: 0x7f, f64: 0x7c, v128: 0x7b }[type]]
const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content]
const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()]
const text = (name: string): Code => list([...new TextEncoder().encode(name)].map((byte) => [byte]))
const simd = (operation: number): Code => [0xfd, ...unsigned(operation)]
/** Alignment 1, which is a hint, and the offset added to the address. */
const memory = (offset: number): Code => [0x00, ...unsigned(offset)]

/** LEB128, seven bits a byte, the lowest first. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): Code {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}
