import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { itemAt } from '../../../basics/collections.ts'
import { UserError } from '../../../errors.ts'
import { type ScoredIndex, highest } from '../../../math/highest.ts'
import { dot } from '../../../math/vectors.ts'
import { sha256 } from '../../../text/hash.ts'
import type { Models } from '../../../types.ts'
import { embedIntoFile } from '../vector-rows.ts'
import { connectDatabase, type VectorDatabase } from './database.ts'

/** The address of a PostgreSQL, and how vectors are searched there. */
interface PgvectorStore {
  readonly url: string
  readonly search: 'hnsw' | 'exact'
  readonly ef: number
  readonly sample: number
}

/** The vectors of texts in a database. `engine`: names and versions of database and index. */
type StoredRows = ReturnType<typeof storedRows>

/** Limits of pgvector: numbers of an indexed vector, and candidates of a search by the index. */
const maxIndexedNumbers = 2000
const maxCandidates = 1000
/** m and ef_construction of the HNSW index (pgvector's defaults). */
const neighbours = 16
const buildCandidates = 64

/** Embeds texts as documents into a table named by the digest of their vectors, unless it exists. Throws UserError. */
export async function pgvectorRows(
  texts: readonly string[],
  models: Models,
  store: PgvectorStore,
): Promise<StoredRows> {
  const database = await connectDatabase(store.url)
  try {
    const file = await vectorFile(texts, models)
    try {
      if (file.rows > 0) await load(database, file, store, models.signal)
    } finally {
      file.close()
    }
    return storedRows(database, file, store)
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Vectors in a file until the database has them, their digest and the largest norm. */
async function vectorFile(texts: readonly string[], models: Models) {
  const hash = createHash('sha256')
  let longest = 0
  const file = await embedIntoFile(texts, models, ({ data, rows, columns }) => {
    hash.update(new Uint8Array(data.buffer))
    for (let row = 0; row < rows; row++) {
      const vector = data.subarray(row * columns, (row + 1) * columns)
      longest = Math.max(longest, Math.sqrt(dot(vector, vector)))
    }
  })
  return { ...file, longest, digest: hash.update(`${file.rows} ${file.columns}`).digest('hex') }
}

type VectorFile = Awaited<ReturnType<typeof vectorFile>>

const tableOf = ({ digest }: Pick<VectorFile, 'digest'>): string => `gembench_${digest.slice(0, 24)}`

/** Loads vectors, then builds their index, each in a transaction: an interrupted load leaves nothing behind. */
async function load(
  database: VectorDatabase,
  file: VectorFile,
  { search }: Pick<PgvectorStore, 'search'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { columns, digest } = file
  const table = tableOf(file)
  if (search === 'hnsw' && columns > maxIndexedNumbers)
    throw new UserError(
      `pgvector: an HNSW index takes vectors of up to ${maxIndexedNumbers} numbers, and those of models.embed have ${columns}: set search: exact in the store`,
    )
  // serialises processes that create the same table
  const lock = `SELECT pg_advisory_xact_lock(${BigInt(`0x${digest.slice(0, 15)}`)})`
  await database.transaction(
    lock,
    async (client) => {
      // the transaction that creates a table fills it
      const { rows } = await client.query('SELECT 1 FROM pg_class WHERE oid = to_regclass($1)', [table])
      if (rows.length > 0) return
      await client.query(`CREATE TABLE ${table} (id int PRIMARY KEY, embedding vector(${columns}) NOT NULL)`)
      await insert(client, file, signal)
    },
    signal,
  )
  if (search === 'exact') return
  const index = `CREATE INDEX IF NOT EXISTS ${table}_hnsw ON ${table} USING hnsw (embedding vector_ip_ops) WITH (m = ${neighbours}, ef_construction = ${buildCandidates})`
  await database.transaction(lock, (client) => client.query(index), signal)
}

const rowsOfStatement = 1000

async function insert(client: PoolClient, file: VectorFile, signal: AbortSignal | undefined): Promise<void> {
  const { rows, columns } = file
  for (let from = 0; from < rows; from += rowsOfStatement) {
    signal?.throwIfAborted()
    const part = new Float32Array(columns * Math.min(rowsOfStatement, rows - from))
    file.read(part, 4 * columns * from)
    const vectors = Array.from({ length: part.length / columns }, (_, row) =>
      textOf(part.subarray(row * columns, (row + 1) * columns)),
    )
    await client.query(
      `INSERT INTO ${tableOf(file)} SELECT $1::int + place - 1, one::vector FROM unnest($2::text[]) WITH ORDINALITY AS part(one, place)`,
      [from, vectors],
    )
  }
}

/** A vector as pgvector reads and writes it, without loss. */
const textOf = (vector: Float32Array): string => `[${vector.join(',')}]`

const vectorOf = (text: string): Float32Array => Float32Array.from(JSON.parse(text) as readonly number[])

/** Rows after the k nearest, to detect ties at the end. */
const extraRows = 16

function storedRows(database: VectorDatabase, file: VectorFile, { search, ef, sample }: PgvectorStore) {
  const { rows, columns } = file
  const nearest = async (settings: string, query: Float32Array, k: number): Promise<readonly Near[]> => {
    const distance = `embedding <#> '${textOf(query)}'::vector`
    // joins the vectors of the nearest rows only: columns next to a sort are computed for every row
    const near = `SELECT ctid AS place, ${distance} AS distance FROM ${tableOf(file)} ORDER BY ${distance} LIMIT ${k}`
    const statement = `SELECT id, embedding::text AS vector, distance FROM (${near}) AS near JOIN ${tableOf(file)} AS stored ON stored.ctid = place ORDER BY distance`
    const records = await database.transaction(`SET TRANSACTION READ ONLY; ${settings}`, (client) =>
      client.query<{ id: number; vector: string; distance: number }>(statement),
    )
    return records.rows.map(({ id, vector, distance }) => ({
      index: id,
      score: dot(query, vectorOf(vector)),
      distance,
    }))
  }
  const exact = async (query: Float32Array, k: number): Promise<readonly ScoredIndex[]> => {
    // the database sums in 32 bits: rows with a smaller difference may be in another order there
    const margin = 2 * columns * 2 ** -24 * file.longest * Math.sqrt(dot(query, query))
    for (let most = k + extraRows; ; most *= 4) {
      const near = await nearest(ofExact, query, most)
      const limit = itemAt(near, Math.min(k, near.length) - 1).distance + margin
      if (near.length < most || itemAt(near, -1).distance > limit) return best(near, k)
    }
  }
  const byIndex = async (query: Float32Array, k: number): Promise<readonly ScoredIndex[]> => {
    if (k > maxCandidates)
      throw new UserError(
        `pgvector: a search by the HNSW index gives up to ${maxCandidates} passages, and ${k} are asked for: set search: exact in the store, or a smaller budget or depth`,
      )
    const settings = `SET LOCAL enable_seqscan = off; SET LOCAL hnsw.ef_search = ${Math.max(ef, k)}`
    return best(await nearest(settings, query, k), k)
  }
  return {
    rows,
    columns,
    engine: `${database.engine}, ${search === 'exact' ? 'exact search' : `HNSW index, ef at least ${ef}`}`,
    async search(query: Float32Array, limit: number): Promise<readonly ScoredIndex[]> {
      const k = Math.min(limit, rows)
      if (k <= 0) return []
      return search === 'exact' ? exact(query, k) : byIndex(query, k)
    },
    /**
     * How many of the `limit` nearest rows are among the
     * hits, and their number; undefined for an exact
     * search, and for a question outside the sample.
     */
    async recall(question: string, query: Float32Array, hits: readonly ScoredIndex[], limit: number) {
      const k = Math.min(limit, rows)
      if (search === 'exact' || k <= 0 || !isSampled(question, sample)) return undefined
      const least = itemAt(await exact(query, k), -1).score
      return [hits.filter(({ score }) => score >= least).length, k] as const
    },
    close: () => database.close(),
  }
}

interface Near extends ScoredIndex {
  readonly distance: number
}

const ofExact = 'SET LOCAL enable_indexscan = off; SET LOCAL jit = off'

/** The k best by 64-bit scores, ties by lower index. */
function best(near: readonly Near[], k: number): readonly ScoredIndex[] {
  const byIndex = [...near].sort((a, b) => a.index - b.index)
  return highest(
    byIndex.map(({ score }) => score),
    k,
  ).map(({ index, score }) => ({ index: itemAt(byIndex, index).index, score }))
}

/** Whether a question is in the sample; depends on its text only. */
const isSampled = (question: string, share: number): boolean =>
  parseInt(sha256(question).slice(0, 8), 16) < share * 2 ** 32
