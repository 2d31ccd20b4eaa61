import { createUsageCounter, zeroSentUsage, type UsageCounter, type PhaseUsage } from '../../models/index.ts'
import type { IndexLine } from '../../records.ts'
import type { Corpus, GraphHealth, Index, Models, Preparation } from '../../types.ts'
import { messageOf, ModelError } from '../../errors.ts'
import { failureOf } from '../calls/plug-in-errors.ts'
import { guardMethod } from './guards.ts'
import { renewedIndex } from '../calls/renewed-index.ts'
import { checkGraph, measureGraph, statsOf, warningsOf } from './check-index.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import { withModels, type IndexContext } from './run-context.ts'
import type { CallableMethod, MethodEntry } from '../prepare/method-entries.ts'

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

/** Builds one method's index of one corpus for a repeat. A failure is an outcome. */
export async function buildIndex(
  { id, repeat }: IndexAt,
  entry: MethodEntry,
  chunkedCorpus: ChunkedCorpus,
  context: IndexContext,
  parts: SharedParts,
): Promise<BuiltIndex> {
  const { corpus, chunks, chunkingUsage } = chunkedCorpus
  const usage = createUsageCounter()
  if (chunkingUsage) charge(usage, chunkedCorpus, chunkingUsage)
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
  const build = async (): Promise<Index> => {
    const index = await indexOf(entry, chunkedCorpus, context, usage, { repeat, parts })
    const [embeddingError] = usage.embeddingFailures()
    if (embeddingError !== undefined && usage.totals('index').embeddedTexts === 0)
      throw new ModelError('server', embeddingError)
    return index
  }
  const finish = (outcome: Partial<IndexLine>): BuiltIndex => ({
    usage,
    isStochastic: isStochastic(usage),
    line: { ...head, usage: usage.usage('index'), ...outcome },
  })
  try {
    const index = await build()
    return { ...finish(factsOf(index, entry.method.name, usage)), index }
  } catch (error) {
    return finish({ failure: failureOf('index', error) })
  }
}

/** Adds what several indexes are charged with; its calls were sent for the first of them. */
function charge(counter: UsageCounter, source: object, usage: PhaseUsage) {
  counter.add('index', chargedSources.has(source) ? { ...usage, ...zeroSentUsage } : usage)
  chargedSources.add(source)
}

const chargedSources = new WeakSet<object>()

const unembeddedWarning = 'texts that could not be embedded, and are near to no question'

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

const isStochastic = (usage: UsageCounter) => usage.totals('index').draws > 0

/** One method's index of one corpus. Throws what the method throws, and Error for an invalid index of a plug-in. */
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
    withModels(context, 'index', caller, buildUsage, (models) => method.index(chunks, models, options, sharedPart))
  return renewedIndex(await build(usage), () => build(createUsageCounter()))
}

type PartOf = Pick<ChunkedCorpus, 'chunks'> & { readonly corpus: Pick<Corpus, 'id'> }

interface Part {
  readonly outcome: { readonly part: unknown } | { readonly error: unknown }
  readonly usage: UsageCounter
}

export type SharedParts = ReturnType<typeof sharedParts>

/** The shared parts of the indexes of one corpus, charged to every system that uses them. */
export function sharedParts() {
  const firstRepeats = new Map<string, number>()
  const parts = new Map<string, Promise<Part>>()
  return {
    async take(
      entry: CallableMethod,
      repeat: number,
      source: PartOf,
      context: IndexContext,
      counter: UsageCounter,
    ): Promise<unknown> {
      const { part: name, options } = entry
      const prepares = name === undefined ? undefined : guardMethod(entry, context).prepares
      if (name === undefined || !prepares) return undefined
      const partOf = (of: number): Promise<Part> => {
        const part = parts.get(`${name} ${of}`) ?? makePart(prepares, options, of, source, context)
        parts.set(`${name} ${of}`, part)
        return part
      }
      const firstRepeat = firstRepeats.get(name) ?? repeat
      firstRepeats.set(name, firstRepeat)
      const first = await partOf(firstRepeat)
      // without random numbers the first one, failed or not, serves all repeats
      const part = isStochastic(first.usage) ? await partOf(repeat) : first
      counter.noteEmbeddingFailures(part.usage.embeddingFailures())
      charge(counter, part, part.usage.totals('index'))
      if ('error' in part.outcome) throw part.outcome.error
      return part.outcome.part
    },
  }
}

/** The part, seeded by its own name: it does not depend on the system that needs it first. */
async function makePart(
  prepares: Preparation,
  options: unknown,
  repeat: number,
  { corpus, chunks }: PartOf,
  context: IndexContext,
): Promise<Part> {
  const usage = createUsageCounter()
  const caller = { method: prepares.name, corpus: corpus.id, repeat }
  const work = (models: Models) => prepares.make(chunks, models, options)
  const outcome = await withModels(context, 'index', caller, usage, work).then(
    (part) => ({ part }),
    (error: unknown) => ({ error }),
  )
  context.models.sentCalls.clear(usage)
  return { outcome, usage }
}
