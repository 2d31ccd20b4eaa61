import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { messageOf, UserError } from '../../errors.ts'
import { cleanName, readDelimited, type EntityRecord, type GraphRecords } from '../../tasks/graphrag-index.ts'
import { md5 } from '../../text/hash.ts'

/** Whether the option `index` names a file of recorded calls and no folder of a published index. */
export const isRecordedCalls = (index: string | null): index is string => index?.endsWith('.json') === true

/** What a strong model extracted of chunks before, and what of it could not be used. */
export interface RecordedExtraction {
  /** The records of a text; undefined where the file has no reply to it. */
  readonly of: (text: string) => GraphRecords | undefined
  readonly chunks: number
  /** Lines or records that lack fields, and are passed over. */
  readonly malformed: number
  /** Replies of nano-graphrag that fit several chunks equally or none; summaries and answers are among them. */
  readonly unplaced: number
}

const lightragReply = z.object({ return: z.string(), chunk_id: z.string(), cache_type: z.string() })
const nanoReply = z.object({ return: z.string(), model: z.string() })
const store = z.record(z.string(), z.object({ content: z.string() }))
const storeName = 'kv_store_text_chunks.json'

/**
 * The extraction replies of a cache (`kv_store_llm_response_cache.json`): LightRAG's, which names the chunk of each, by
 * the MD5 of its text; nano-graphrag's, whose keys are hashes of prompts that it does not keep, where its chunk store
 * lies beside it: a reply belongs to the one chunk that holds most of its names. Throws UserError in one line for
 * another form, and for hashed keys without the chunks.
 */
export async function recordedExtraction(path: string): Promise<RecordedExtraction> {
  const file = resolve(path)
  const values = Object.values(await jsonOf(file, z.record(z.string(), z.unknown()), 'an object of replies'))
  const ofLightrag = values.flatMap((value) => lightragReply.safeParse(value).data ?? [])
  if (ofLightrag.length > 0) {
    const extracted = ofLightrag.filter(({ cache_type }) => cache_type === 'extract')
    return recordedOf(extracted.map(({ chunk_id: id, return: reply }) => ({ id, ...readReply(reply) })))
  }
  const ofNano = values.flatMap((value) => nanoReply.safeParse(value).data ?? [])
  if (ofNano.length === 0)
    throw new UserError(
      `${file}: is no cache of LightRAG (return, chunk_id, cache_type) or nano-graphrag (return, model)`,
    )
  const beside = join(dirname(file), storeName)
  if (!existsSync(beside))
    throw new UserError(
      `${file}: its keys are hashes of prompts that it does not keep, so that no reply can be told to be of a chunk; put nano-graphrag's ${storeName} beside it`,
    )
  const chunks = Object.values(await jsonOf(beside, store, 'a chunk store: an object of chunks with "content"'))
  const texts = chunks.map(({ content }) => ({ id: idOf(content), words: cleanName(content) }))
  const replies = ofNano.map(({ return: reply }) => readReply(reply))
  const placed = replies.flatMap((read) => {
    const id = chunkOf(read, texts)
    return id === undefined ? [] : [{ id, ...read }]
  })
  return { ...recordedOf(placed), unplaced: replies.length - placed.length }
}

/** LightRAG and nano-graphrag name a chunk by the MD5 of its text. */
const idOf = (text: string): string => `chunk-${md5(text.trim())}`

type Read = GraphRecords & { readonly skipped: number }

function recordedOf(read: readonly (Read & { readonly id: string })[]): RecordedExtraction {
  const byChunk = new Map<string, GraphRecords>()
  for (const { id, entities, relationships } of read) {
    const { entities: own, relationships: related } = byChunk.get(id) ?? { entities: [], relationships: [] }
    byChunk.set(id, { entities: [...own, ...entities], relationships: [...related, ...relationships] })
  }
  return {
    of: (text) => withEnds(byChunk.get(idOf(text))),
    chunks: byChunk.size,
    malformed: read.reduce((sum, { skipped }) => sum + skipped, 0),
    unplaced: 0,
  }
}

/** The ends of relations that are no entity of a chunk become one, of the type UNKNOWN, as LightRAG adds them. */
function withEnds(records: GraphRecords | undefined): GraphRecords | undefined {
  if (!records) return undefined
  const known = new Set(records.entities.map(({ name }) => name))
  const added = new Map<string, EntityRecord>()
  for (const { source, target, description } of records.relationships)
    for (const name of [source, target])
      if (!known.has(name) && !added.has(name)) added.set(name, { name, type: 'UNKNOWN', description })
  return { ...records, entities: [...records.entities, ...added.values()] }
}

const separator = '<|#|>'

/** A reply in the form of GraphRAG, nano-graphrag and earlier LightRAG, or in lines, as LightRAG has it now. */
function readReply(reply: string): Read {
  if (!reply.includes(separator)) return readQuoted(reply)
  const entities: GraphRecords['entities'][number][] = []
  const relationships: GraphRecords['relationships'][number][] = []
  let skipped = 0
  for (const line of reply.split('\n').map((one) => one.trim())) {
    const [kind = '', first = '', second = '', third = '', fourth = '', ...rest] = line.split(separator)
    if (kind === 'entity' && third !== '' && fourth === '')
      entities.push({ name: cleanName(first), type: cleanName(second), description: third.trim() })
    else if (kind === 'relation' && fourth !== '' && rest.length === 0)
      relationships.push({
        source: cleanName(first),
        target: cleanName(second),
        description: fourth.trim(),
        strength: 1,
      })
    else if (line !== '' && line !== '<|COMPLETE|>') skipped++
  }
  return { entities, relationships, skipped }
}

/** Names in quotes, as nano-graphrag's prompt has them. */
function readQuoted(reply: string): Read {
  const bare = (name: string): string => name.replace(/^"|"$/g, '').trim()
  const { entities, relationships, skipped } = readDelimited(reply)
  return {
    entities: entities.map((one) => ({
      name: bare(one.name),
      type: bare(one.type),
      description: bare(one.description),
    })),
    relationships: relationships.map((one) => ({
      ...{ source: bare(one.source), target: bare(one.target), description: bare(one.description) },
      strength: one.strength,
    })),
    skipped,
  }
}

/** The id of the one chunk in which most names of a reply stand; undefined where none or several are. */
function chunkOf(
  { entities, relationships }: GraphRecords,
  chunks: readonly { readonly id: string; readonly words: string }[],
): string | undefined {
  const names = new Set([
    ...entities.map(({ name }) => name),
    ...relationships.flatMap(({ source, target }) => [source, target]),
  ])
  names.delete('')
  let best: { readonly id: string | undefined; readonly held: number } = { id: undefined, held: 0 }
  for (const { id, words } of chunks) {
    const held = [...names].filter((name) => words.includes(name)).length
    if (held > best.held) best = { id, held }
    else if (held === best.held) best = { id: undefined, held }
  }
  return best.id
}

async function jsonOf<T>(file: string, form: z.ZodType<T>, expected: string): Promise<T> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new UserError(`${file}: cannot be read as JSON: ${messageOf(error)}`, { cause: error })
  }
  const read = form.safeParse(value)
  if (read.success) return read.data
  throw new UserError(`${file}: is not ${expected}`)
}
