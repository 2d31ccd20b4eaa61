import { deepFreeze } from '../../basics/plain-data.ts'
import { chunk, type ChunkOptions, sentenceWindows, subjectChanges } from '../../chunking/index.ts'
import { ModelError } from '../../errors.ts'
import { createUsageCounter, type UsageCounter, type PhaseUsage } from '../../models/index.ts'
import { tokenizer, type TokenizerName } from '../../text/tokens.ts'
import { type Chunk, type Corpus, type Document, usualPercentile } from '../../types.ts'
import { withModels, type CallContext } from './run-context.ts'
import { locator, type Locator } from './evidence.ts'

/** A corpus with its chunks, the same for all methods; both are frozen. */
export interface ChunkedCorpus {
  readonly corpus: Corpus
  readonly chunks: readonly Chunk[]
  readonly locate: Locator
  /** Usage of the calls that chunking made, if any. Every index of the corpus counts it. */
  readonly chunkingUsage?: PhaseUsage
  /** Why no index can be built, such as that a model failed while chunking. */
  readonly failure?: Error
}

type ChunkSettings = ChunkOptions & { readonly tokenizer: TokenizerName }

type Changes = ReadonlyMap<string, readonly number[]>

/** Chunks the documents of a corpus without a model: `semantic` falls back to `sentences`. */
export function chunkCorpus(corpus: Corpus, settings: ChunkSettings, changes: Changes = new Map()): ChunkedCorpus {
  const words = tokenizer(settings.tokenizer)
  const chunks = deepFreeze(
    corpus.documents.flatMap((document, index) => chunk(document, index, settings, words, changes.get(document.id))),
  )
  return { corpus: deepFreeze(corpus), chunks, locate: locator(corpus, chunks) }
}

/** Chunks the documents of a corpus, by the embedder if need be; a call that fails is an outcome. */
export async function chunkWithModels(
  corpus: Corpus,
  settings: ChunkSettings,
  context: CallContext,
  usage: UsageCounter = createUsageCounter(),
): Promise<ChunkedCorpus> {
  if (settings.by !== 'semantic') return chunkCorpus(corpus, settings)
  try {
    const changes = await changesOf(corpus, settings, context, usage)
    return { ...chunkCorpus(corpus, settings, changes), chunkingUsage: usage.totals('index') }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return {
      ...chunkCorpus({ ...corpus, documents: [] }, settings),
      corpus,
      chunkingUsage: usage.totals('index'),
      failure: error,
    }
  }
}

/** Windows of sentences that are embedded together at least, while there are more. */
const windowsAtOnce = 1000

/** Where the subjects of documents change. Throws ModelError. */
async function changesOf(
  { id: corpus, documents }: Corpus,
  { percentile = usualPercentile }: ChunkSettings,
  context: CallContext,
  usage: UsageCounter,
): Promise<Changes> {
  const changes = new Map<string, readonly number[]>()
  const caller = { method: 'chunks', corpus, repeat: 0 }
  for (const group of groupWindows(documents)) {
    const texts = group.flatMap(({ windows }) => windows)
    const vectors = await withModels(context, 'index', caller, usage, (models) => models.embed(texts, 'document'))
    let from = 0
    for (const { document, windows } of group) {
      const windowVectors = vectors.slice(from, from + windows.length)
      changes.set(document.id, subjectChanges(document.text, windowVectors, percentile))
      from += windows.length
    }
  }
  return changes
}

/** Documents of several sentences with their windows, in groups whose windows are embedded together. */
function* groupWindows(documents: readonly Document[]) {
  let group: { readonly document: Document; readonly windows: readonly string[] }[] = []
  let count = 0
  for (const document of documents) {
    const windows = sentenceWindows(document.text)
    if (windows.length > 0) group.push({ document, windows })
    count += windows.length
    if (count < windowsAtOnce) continue
    yield group
    group = []
    count = 0
  }
  if (group.length > 0) yield group
}
