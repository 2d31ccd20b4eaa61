import { rowName } from '../../text/names.ts'
import { createUsageCounter, zeroSentUsage, type UsageCounter, type PhaseUsage } from '../../models/index.ts'
import type { IndexLine } from '../../records.ts'
import type { Corpus, GraphHealth, Index } from '../../types.ts'
import { messageOf, ModelError } from '../../errors.ts'
import { failureOf } from '../calls/plain-error.ts'
import { measure } from '../profile.ts'
import { guardMethod } from './guards.ts'
import { renewedIndex } from '../calls/renewed-index.ts'
import { checkGraph, checkIndex, measureGraph, statsOf, warningsOf } from './check-index.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import { withModels, type IndexContext } from './run-context.ts'
import type { CallableMethod, MethodEntry } from '../prepare/method-entries.ts'
import { memoise } from '../../basics/memoise.ts'

/** An index, or a failure that every trial on it inherits. */
export interface BuiltIndex {
  /** Whether it took random numbers, or a seed. */
  readonly isStochastic: boolean
  readonly line: IndexLine
  readonly usage: UsageCounter
  readonly index?: Index
}

/** Which index of a row: the id of its line, and the repeat that it is for. */
export interface IndexAt {
  readonly id: string
  readonly repeat: number
}

/** Builds one method's index of one corpus for a repeat. A failure is an outcome, not an exception. */
export async function buildIndex(
  { id, repeat }: IndexAt,
  entry: MethodEntry,
  chunkedCorpus: ChunkedCorpus,
  context: IndexContext,
  parts: SharedParts,
): Promise<BuiltIndex> {
  const { corpus, chunks } = chunkedCorpus
  const usage = createUsageCounter()
  const head = {
    line: 'index',
    id,
    ...entry.row,
    methodId: entry.id,
    corpus: corpus.id,
    ...(repeat > 0 && { repeat }),
    documents: corpus.documents.length,
    chunks: chunks.length,
  } as const
  const { chunkingUsage } = chunkedCorpus
  if (chunkingUsage)
    usage.add('index', countedCorpora.has(chunkedCorpus) ? { ...chunkingUsage, ...zeroSentUsage } : chunkingUsage)
  countedCorpora.add(chunkedCorpus)
  const build = async (): Promise<Index> => {
    const index = await indexOf(entry, chunkedCorpus, context, usage, { repeat, parts })
    const [embeddingError] = usage.embeddingFailures()
    if (embeddingError !== undefined && usage.totals('index').embeddedTexts === 0)
      throw new ModelError('server', embeddingError)
    return index
  }
  const outcome = await measure(context.profile, 'index', rowName(entry.row), build)
    .then((index) => ({ index, fields: factsOf(index, entry.method.name, usage) }))
    .catch((error: unknown) => ({ fields: { failure: failureOf('index', error) } }))
  const line = { ...head, usage: usage.usage('index'), ...outcome.fields }
  return { usage, isStochastic: isStochastic(usage), line, ...('index' in outcome && { index: outcome.index }) }
}

const unembeddedWarning = 'texts that could not be embedded, and are near to no question'

/** Statistics, graph and losses of an index; a graph that cannot be measured is a counted loss. */
function factsOf(index: Index, method: string, usage: UsageCounter) {
  const stats = statsOf(index, method)
  const losses: Record<string, number> = {
    ...warningsOf(index, method),
    [unembeddedWarning]: usage.totals('index').unembedded,
  }
  let graph: GraphHealth | undefined
  try {
    graph = index.graph && measureGraph(checkGraph(index.graph(), method))
  } catch (error) {
    losses[`graphs that could not be counted (${messageOf(error)})`] = 1
  }
  const warnings = Object.entries(losses).filter(([, count]) => count > 0)
  const unembedded = usage.embeddingFailures()
  return {
    ...(stats && { stats }),
    ...(graph && { graph }),
    ...(warnings.length > 0 && { warnings: Object.fromEntries(warnings) }),
    ...(unembedded.length > 0 && { unembedded }),
  }
}

/** Corpora whose chunking calls are counted as sent already. */
const countedCorpora = new WeakSet<ChunkedCorpus>()

const isStochastic = (usage: UsageCounter): boolean => usage.totals('index').draws > 0

/** One method's index of one corpus. Throws what the method throws, and Error for an invalid index. */
export async function indexOf(
  entry: CallableMethod,
  chunkedCorpus: ChunkedCorpus,
  context: IndexContext,
  usage: UsageCounter,
  { repeat, parts }: { readonly repeat: number; readonly parts: SharedParts } = { repeat: 0, parts: sharedParts() },
): Promise<Index> {
  const { options } = entry
  const { corpus, chunks, failure } = chunkedCorpus
  if (failure) throw failure
  const withShared = async (callable: CallableMethod): Promise<CallableMethod> => {
    const of = callable.of && (await Promise.all(callable.of.map(withShared)))
    const sharedPart = await parts.take(callable, repeat, chunkedCorpus, context, usage)
    return { ...callable, sharedPart, ...(of && { of }) }
  }
  const { sharedPart, ...callable } = await withShared(entry)
  const method = guardMethod(callable, context)
  const caller = { method: method.name, corpus: corpus.id, repeat }
  const build = (buildUsage: UsageCounter): Promise<Index> =>
    withModels(context, 'index', caller, buildUsage, async (models) =>
      checkIndex(await method.index(chunks, models, options, sharedPart), method.name),
    )
  return renewedIndex(await build(usage), () => build(createUsageCounter()))
}

/** Makes something for each repeat; the first one, failed or not, serves all if it used no random numbers. */
export function perRepeat<T extends { readonly isStochastic: boolean }>(
  make: (repeat: number) => Promise<T>,
): (repeat: number) => Promise<T> {
  let forAll: Promise<T | undefined> | undefined
  return (repeat) => {
    if (forAll) return forAll.then((sharedResult) => sharedResult ?? make(repeat))
    const first = make(repeat)
    forAll = first.then((result) => (result.isStochastic ? undefined : result))
    // the caller of the first one gets its failure
    forAll.catch(() => undefined)
    return first
  }
}

interface PartOf extends Pick<ChunkedCorpus, 'chunks'> {
  readonly corpus: Pick<Corpus, 'id'>
}

interface Part {
  readonly outcome: { readonly part: unknown } | { readonly error: unknown }
  readonly usage: PhaseUsage
  readonly embeddingErrors: readonly string[]
  readonly isStochastic: boolean
}

export type SharedParts = ReturnType<typeof sharedParts>

/** The shared parts of the indexes of one corpus, made once and charged to every system that uses them. */
export function sharedParts() {
  const parts = new Map<string, (repeat: number) => Promise<Part>>()
  const chargedParts = new WeakSet<Part>()
  return {
    /** A method's part of its index for a repeat, counted in `counter`; undefined for a method without one. */
    async take(
      entry: CallableMethod,
      repeat: number,
      source: PartOf,
      context: IndexContext,
      counter: UsageCounter,
    ): Promise<unknown> {
      const { part: name } = entry
      if (name === undefined) return undefined
      const make = parts.get(name) ?? memoise(perRepeat((of) => makePart(entry, of, source, context)))
      parts.set(name, make)
      const part = await make(repeat)
      const { outcome, usage: partUsage, embeddingErrors } = part
      counter.noteEmbeddingFailures(embeddingErrors)
      // every system that takes the part counts its calls; they were sent for the first one
      counter.add('index', chargedParts.has(part) ? { ...partUsage, ...zeroSentUsage } : partUsage)
      chargedParts.add(part)
      if ('error' in outcome) throw outcome.error
      return outcome.part
    },
  }
}

/** The part, seeded by its own name: it does not depend on the system that needs it first. */
async function makePart(
  entry: CallableMethod,
  repeat: number,
  { corpus, chunks }: PartOf,
  context: IndexContext,
): Promise<Part> {
  const { prepares } = guardMethod(entry, context)
  const usage = createUsageCounter()
  if (!prepares)
    return { outcome: { part: undefined }, usage: usage.totals('index'), embeddingErrors: [], isStochastic: false }
  const caller = { method: prepares.name, corpus: corpus.id, repeat }
  const outcome = await withModels(context, 'index', caller, usage, (models) =>
    prepares.make(chunks, models, entry.options),
  ).then(
    (part) => ({ part }),
    (error: unknown) => ({ error }),
  )
  const partUsage = usage.totals('index')
  context.models.sentCalls.clear(usage)
  return { outcome, usage: partUsage, embeddingErrors: usage.embeddingFailures(), isStochastic: isStochastic(usage) }
}
