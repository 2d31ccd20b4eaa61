import { rowName } from '../../text/names.ts'
import { createMeter, type Meter } from '../../models/index.ts'
import type { IndexLine } from '../../records.ts'
import type { Index } from '../../types.ts'
import { failureOf } from '../failure.ts'
import { profiled } from '../profile.ts'
import { guardMethod } from '../strangers/guard-method.ts'
import { checkIndex, statsOf, warningsOf } from './check-index.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import { modelsFor, type IndexConditions } from './conditions.ts'
import type { MethodEntry } from './method-entry.ts'
import { sharedParts, type SharedParts } from './shared-parts.ts'

/** What building an index gave: the index, or a failure that every trial on it inherits. `drew`: it took random numbers, or a seed. */
export interface BuiltIndex {
  readonly drew: boolean
  readonly line: IndexLine
  readonly meter: Meter
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
  chunked: ChunkedCorpus,
  conditions: IndexConditions,
  parts: SharedParts,
): Promise<BuiltIndex> {
  const { corpus, chunks } = chunked
  const meter = createMeter()
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
  try {
    const building = () => indexOf(entry, chunked, conditions, meter, { repeat, parts })
    const index = await profiled(conditions.profile, 'index', rowName(entry.row), building)
    const stats = statsOf(index, entry.method.name)
    const warnings = Object.entries(warningsOf(index, entry.method.name)).filter(([, count]) => count > 0)
    const said = { ...(stats && { stats }), ...(warnings.length > 0 && { warnings: Object.fromEntries(warnings) }) }
    return { index, meter, drew: drewIn(meter), line: { ...head, usage: meter.usage('index'), ...said } }
  } catch (error) {
    const failure = failureOf('index', error)
    return { meter, drew: drewIn(meter), line: { ...head, usage: meter.usage('index'), failure } }
  }
}

const drewIn = (meter: Meter): boolean => meter.spent('index').draws > 0

/** One method's index of one corpus. Throws whatever the method throws, and Error for what is no index. */
export async function indexOf(
  entry: Pick<MethodEntry, 'method' | 'options' | 'part' | 'file' | 'guarded'>,
  chunked: ChunkedCorpus,
  conditions: IndexConditions,
  meter: Meter,
  { repeat, parts }: { readonly repeat: number; readonly parts: SharedParts } = { repeat: 0, parts: sharedParts([]) },
): Promise<Index> {
  const { options } = entry
  const { corpus, chunks } = chunked
  const { limits, ended } = conditions
  const method = guardMethod(entry, { corpus: corpus.id, repeat, limits, ended })
  const prepared = await parts.take(entry, repeat, chunked, conditions, meter)
  const models = modelsFor(conditions, 'index', { method: method.name, corpus: corpus.id, repeat }, meter)
  return checkIndex(await method.index(chunks, models, options, prepared), method.name)
}
