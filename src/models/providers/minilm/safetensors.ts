import { z } from 'zod'

/** Where one tensor lies: its numbers start at byte `offset` of the file and take `bytes`. */
export interface TensorPlace {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly offset: number
  readonly bytes: number
}

const size = z.int().min(0)
const header = z.record(
  z.string(),
  z.object({ dtype: z.string(), shape: z.array(size), data_offsets: z.tuple([size, size]) }),
)

/** The tensors of a safetensors file by name: 8 bytes header length (little endian), a JSON header, then the numbers. Throws when the file is not one. */
export function readSafetensors(file: Uint8Array): ReadonlyMap<string, TensorPlace> {
  const start = 8 + Number(new DataView(file.buffer, file.byteOffset, file.byteLength).getBigUint64(0, true))
  const json = JSON.parse(new TextDecoder().decode(file.subarray(8, start))) as Record<string, unknown>
  const tensors = Object.entries(json).filter(([name]) => name !== '__metadata__')
  return new Map(
    Object.entries(header.parse(Object.fromEntries(tensors))).map(([name, { dtype, shape, data_offsets }]) => {
      const [from, to] = data_offsets
      if (from > to || start + to > file.byteLength) throw new Error(`tensor ${name} lies outside its file`)
      return [name, { dtype, shape, offset: start + from, bytes: to - from }]
    }),
  )
}
