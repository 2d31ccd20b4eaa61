import { ModelError } from '../../../errors.ts'
import { readReply } from '../../../models/calls/task-call.ts'
import { fakeModels } from '../../../testing/fake-models.ts'
import type { Task } from '../../../types.ts'
import { combinedDegree, degreesOf, extractUnit, finalTables, fold, merge } from '../extract.ts'
import { tablesOf, counter } from '../../../test-support/graphrag-index/tables.ts'
import type { TokenizerName } from '../../../text/tokens.ts'
import { notOurs, replayGolden } from '../../../test-support/golden.ts'

/** From replies to the tables of entities and relationships, with `compat`: the vectors are the release's results. */
replayGolden({
  'graphrag.extract_merge': extractMerge,
  'graphrag.describe_fold': describeFold,
  'graphrag.combined_degree': combined,
})

interface Chunks {
  readonly maxGleanings: number
  readonly chunks: readonly { readonly id: string; readonly replies: readonly (string | null)[] }[]
}

async function extractMerge({ maxGleanings, chunks }: Chunks) {
  const read = await Promise.all(chunks.map(({ replies }) => readReplies(replies, maxGleanings)))
  const units = read.flatMap(({ records }, id) => (records ? [{ id, ...records }] : []))
  const counts = {
    llmCallsPerChunk: read.map(({ calls }) => calls),
    entitiesPerChunk: read.map(({ records }) => records?.entities.length ?? 0),
    relationshipsPerChunk: read.map(({ records }) => records?.relationships.length ?? 0),
  }
  const merged = merge(units, { byType: true })
  // the reference stops its run here; ours goes on with what there is
  if (merged.entities.length === 0 || merged.relationships.length === 0)
    return { ...counts, error: 'no entities or no relationships' }
  const asked: { of: unknown; descriptions: readonly string[] }[] = []
  const final = await finalTables(merged, async (names, descriptions) => {
    const distinct = [...new Set(descriptions)].sort()
    if (distinct.length < 2) return distinct[0] ?? ''
    asked.push({ of: names.length > 1 ? names : names[0], descriptions: distinct })
    return `SUMMARY OF ${distinct.join(' + ')}`
  })
  const ids = <T extends { readonly textUnitIds: readonly number[] }>(row: T) => ({
    ...row,
    textUnitIds: row.textUnitIds.map((unit) => chunks[unit]?.id),
  })
  return {
    ...counts,
    merged: {
      entities: merged.entities.map(ids),
      relationships: merged.relationships.map(ids),
      orphans: merged.orphans,
    },
    describe: asked,
    final: { entities: final.entities.map(ids), relationships: final.relationships.map(ids) },
    // the reference has n² rows of n equal titles for a moment
    rowsBeforeFinalize: notOurs,
  }
}

/** A text unit as the method reads it, from replies that were written beforehand; a call that fails is null. */
async function readReplies(replies: readonly (string | null)[], maxGleanings: number) {
  const left = [...replies]
  let calls = 0
  const run = async <I, T>(task: Task<I, T>): Promise<T> => {
    calls++
    const text = left.shift()
    if (text === undefined || text === null) throw new ModelError('refused', 'the call fails')
    const read = readReply(task, text)
    if ('error' in read) throw new ModelError('reply', read.error, { raw: text })
    return read.value
  }
  const options = { maxGleanings, compat: true }
  const { records } = await extractUnit('', { ...fakeModels(), run }, options)
  return { calls, records: records instanceof ModelError ? undefined : records }
}

interface Fold {
  readonly descriptions: readonly string[]
  readonly usableTokens: number
  readonly tokenizer: TokenizerName
  readonly replies: readonly string[]
}

async function describeFold({ descriptions, usableTokens, tokenizer, replies }: Fold) {
  const calls: (readonly string[])[] = []
  const count = counter(tokenizer)
  const result = await fold(
    descriptions,
    () => usableTokens,
    count,
    async (given) => {
      calls.push([...given])
      return replies[calls.length - 1]
    },
  )
  return { calls, result, tokens: [...descriptions].sort().map(count) }
}

interface Edges {
  readonly index?: string
  readonly entities?: readonly string[]
  readonly edges?: readonly (readonly [string, string])[]
}

async function combined({ index, entities = [], edges = [] }: Edges) {
  if (index !== undefined) {
    const tables = await tablesOf(index)
    const degrees = degreesOf(tables.relationships)
    return {
      degrees: tables.entities.map(({ title }) => degrees.get(title) ?? 0),
      combinedDegrees: tables.relationships.map((relationship) => combinedDegree(relationship, degrees)),
    }
  }
  const rows = edges.map(([source, target]) => ({ source, target }))
  const degrees = degreesOf(rows)
  const distinct = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()]
  return {
    degrees: Object.fromEntries(entities.map((title) => [title, degrees.get(title) ?? 0])),
    relationships: distinct.map((row, id) => ({ id, ...row, combinedDegree: combinedDegree(row, degrees) })),
  }
}
