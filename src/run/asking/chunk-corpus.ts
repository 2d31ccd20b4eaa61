import { deepFreeze } from '../../basics/plain-data.ts'
import { chunk, type ChunkOptions, sentenceWindows, subjectChanges } from '../../chunking/index.ts'
import { ModelError } from '../../errors.ts'
import { createMeter, type Meter, type PhaseUsage } from '../../models/index.ts'
import { tokenizer, type TokenizerName } from '../../text/tokens.ts'
import { type Chunk, type Corpus, type Document, usualPercentile } from '../../types.ts'
import { withModels, type CallConditions } from './conditions.ts'
import { locator, type Locator } from './evidence.ts'

/** A corpus, cut into chunks once for all methods; both are frozen. */
export interface ChunkedCorpus {
  readonly corpus: Corpus
  readonly chunks: readonly Chunk[]
  readonly locate: Locator
  /** What cutting asked of models; absent where it asked nothing. Every index of the corpus counts it. */
  readonly spent?: PhaseUsage
  /** Why no index can be built, such as that a model failed while chunking. */
  readonly failure?: Error
}

type ChunkSettings = ChunkOptions & { readonly tokenizer: TokenizerName }

type Changes = ReadonlyMap<string, readonly number[]>

/** Cuts the documents of a corpus into chunks without a model: `semantic` is cut as `sentences`. */
export function chunkCorpus(corpus: Corpus, settings: ChunkSettings, changes: Changes = new Map()): ChunkedCorpus {
  const words = tokenizer(settings.tokenizer)
  const chunks = deepFreeze(
    corpus.documents.flatMap((document, index) => chunk(document, index, settings, words, changes.get(document.id))),
  )
  return { corpus: deepFreeze(corpus), chunks, locate: locator(corpus, chunks) }
}

/** Cuts the documents of a corpus into chunks with what that needs of the embedder; a call that fails is an outcome. */
export async function cutCorpus(
  corpus: Corpus,
  settings: ChunkSettings,
  conditions: CallConditions,
  meter: Meter = createMeter(),
): Promise<ChunkedCorpus> {
  if (settings.by !== 'semantic') return chunkCorpus(corpus, settings)
  try {
    const changes = await changesOf(corpus, settings, conditions, meter)
    return { ...chunkCorpus(corpus, settings, changes), spent: meter.spent('index') }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return {
      ...chunkCorpus({ ...corpus, documents: [] }, settings),
      corpus,
      spent: meter.spent('index'),
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
  conditions: CallConditions,
  meter: Meter,
): Promise<Changes> {
  const changes = new Map<string, readonly number[]>()
  const caller = { method: 'chunks', corpus, repeat: 0 }
  for (const group of grouped(documents)) {
    const texts = group.flatMap(({ windows }) => windows)
    const vectors = await withModels(conditions, 'index', caller, meter, (models) => models.embed(texts, 'document'))
    let from = 0
    for (const { document, windows } of group)
      changes.set(document.id, subjectChanges(document.text, vectors.slice(from, (from += windows.length)), percentile))
  }
  return changes
}

interface Windowed {
  readonly document: Document
  readonly windows: readonly string[]
}

/** Documents of several sentences with their windows, in groups whose windows are embedded together. */
function* grouped(documents: readonly Document[]): Generator<readonly Windowed[]> {
  let [held, count]: [Windowed[], number] = [[], 0]
  for (const document of documents) {
    const windows = sentenceWindows(document.text)
    if (windows.length === 0) continue
    held.push({ document, windows })
    count += windows.length
    if (count < windowsAtOnce) continue
    yield held
    ;[held, count] = [[], 0]
  }
  if (held.length > 0) yield held
}
