import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, PoolClient, QueryResult } from 'pg'
import { loadOptional } from '../../../basics/loading.ts'
import { knowSecret, messageOf, UserError } from '../../../errors.ts'

/** A connection pool to a PostgreSQL with pgvector. `engine`: names and versions, `PostgreSQL 16.2, pgvector 0.6.2`. */
export type VectorDatabase = Awaited<ReturnType<typeof connectDatabase>>

/** Milliseconds: until a lost server is given up, between attempts, and of one attempt to connect. */
const giveUpAfter = 10_000
const retryDelay = 500
const connectTimeout = 5000
const maxSessions = 8

/** Connects to a database. Throws UserError if it cannot be reached or has no pgvector with HNSW. */
export async function connectDatabase(url: string, patience = giveUpAfter) {
  const { Pool, Client } = await loadPg()
  const name = nameOf(() => new Client({ connectionString: url }))
  const pool = new Pool({
    connectionString: url,
    application_name: 'gembench',
    keepAlive: true,
    max: maxSessions,
    connectionTimeoutMillis: connectTimeout,
  })
  // a failed statement reports its error; the pool replaces idle sessions that end
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const attemptOnce = async <T>(settings: string, work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let isDone = false
    try {
      await client.query(`BEGIN; ${settings}`)
      const result = await work(client)
      await client.query('COMMIT')
      isDone = true
      return result
    } finally {
      client.release(!isDone)
    }
  }
  const withRetries = async <T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    let since: number | undefined
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        signal?.throwIfAborted()
        if (!isLost(error)) throw explainError(name, error)
        since ??= performance.now()
        if (performance.now() - since >= patience)
          throw new UserError(
            `${name}: was lost for ${patience / 1000} s (${causeOf(error)}); finished work is kept; run the same command again to continue`,
            { cause: error },
          )
        await sleep(retryDelay, undefined, signal && { signal })
      }
    }
  }
  const close = (): Promise<void> => pool.end()
  try {
    const engine = await attemptOnce('', engineOf)
    return {
      engine,
      close,
      /**
       * Runs `settings` and then `work` in one transaction; repeats all of it after a lost connection. Throws UserError
       * if the connection stays lost, and for errors of the server.
       */
      transaction: <T>(settings: string, work: (client: PoolClient) => Promise<T>, signal?: AbortSignal): Promise<T> =>
        withRetries(() => attemptOnce(settings, work), signal),
      /** The rows of one query after `settings`, in one message, with the same retries. Throws UserError. */
      read: <R>(settings: string, query: string) =>
        withRetries(async () => {
          // one result per statement
          const results: unknown = await pool.query(`BEGIN READ ONLY; ${settings}; ${query}; COMMIT`)
          const [result] = (results as readonly QueryResult[]).filter(({ command }) => command === 'SELECT')
          return (result?.rows ?? []) as readonly R[]
        }),
    }
  } catch (error) {
    await close()
    throw isLost(error)
      ? new UserError(`${name}: cannot be reached (${causeOf(error)})`, { cause: error })
      : explainError(name, error)
  }
}

/** The address without user name and password; registers the password as a secret. */
function nameOf(client: () => Pick<Client, 'host' | 'port' | 'database' | 'password'>): string {
  try {
    const { host, port, database, password } = client()
    if (typeof password === 'string') knowSecret(password)
    return `PostgreSQL at ${host}:${port}/${database ?? ''}`
  } catch (error) {
    throw new UserError(
      'the address of the store is not one of a PostgreSQL server; expected one such as postgresql://NAME:PASSWORD@HOST:5432/DATABASE',
      { cause: error },
    )
  }
}

/** Names and versions; creates the extension if it is installed on the server. */
async function engineOf(client: PoolClient): Promise<string> {
  const {
    rows: [server],
  } = await client.query<{ server: string; vector: string | null; here: string | null }>(
    `SELECT current_setting('server_version') AS server,
      (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS vector,
      (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS here`,
  )
  if (!server) throw new Error('a server does not tell its version')
  const postgres = `PostgreSQL ${server.server.split(' ')[0] ?? ''}`
  const version = server.here ?? server.vector
  if (version === null)
    throw new UserError(
      `${postgres} there has no pgvector: install it on the server (Debian of PGDG: postgresql-${server.server.split('.')[0] ?? ''}-pgvector; Docker: the image pgvector/pgvector)`,
    )
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === 0 && minor < 5) throw new UserError(`pgvector ${version} there has no HNSW index: install 0.5 or later`)
  if (server.here === null) await client.query('CREATE EXTENSION IF NOT EXISTS vector')
  return `${postgres}, pgvector ${version}`
}

/** Whether an error means that the server is unreachable, shutting down, starting, or out of connections. */
const isLost = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(E(CONN[A-Z]+|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|NOENT|(HOST|NET)UNREACH)|08...|57P0[1-3]|53300)$/.test(code) ||
    /^Connection terminated|^Client has encountered a connection error|timeout exceeded when trying to connect/i.test(
      error.message,
    )
  )
}

/** An error of the server or its client as a UserError with a remedy; other errors unchanged. */
function explainError(name: string, error: unknown): unknown {
  const why = messageOf(error)
  if (error instanceof UserError) return new UserError(`${name}: ${why}`, { cause: error })
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isOfServer = /^[0-9A-Z]{5}$/.test(code) && error instanceof Error && 'severity' in error
  if (!isOfServer && !/^(SASL|The server does not support SSL)|self-signed|certificate/.test(why)) return error
  const problem = /^42(703|809)$/.test(code) ? otherForm : 'refuses what it was asked'
  return new UserError(`${name}: ${problem} (${why})`, { cause: error })
}

const otherForm =
  'a table of gembench there has another form: drop the tables whose names begin with gembench_, or name another schema in search_path'

const causeOf = (error: unknown): string =>
  messageOf(error) || (error instanceof Error && 'code' in error ? String(error.code) : 'no answer')

const loadPg = async (): Promise<typeof import('pg')> => {
  const pg = await loadOptional({ kind: 'pgvector', package: 'pg', version: '8.23.1' })
  return (pg as { readonly default: typeof import('pg') }).default
}
