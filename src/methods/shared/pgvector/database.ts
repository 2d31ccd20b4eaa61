import type { Client, PoolClient } from 'pg'
import { itemAt } from '../../../basics/collections.ts'
import { loadOptional } from '../../../basics/loading.ts'
import { knowSecret, messageOf, UserError } from '../../../errors.ts'

/** A connection pool to a PostgreSQL with pgvector. `engine`: names and versions, `PostgreSQL 16.2, pgvector 0.6.2`. */
export type VectorDatabase = Awaited<ReturnType<typeof connectDatabase>>

/** Milliseconds of an attempt to connect. */
const connectTimeout = 5000
const maxSessions = 8

/** Connects to a database. Throws UserError if it cannot be used or has no pgvector. */
export async function connectDatabase(url: string) {
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
  const run = async <T>(settings: string, work: (client: PoolClient) => Promise<T>): Promise<T> => {
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
  const close = (): Promise<void> => pool.end()
  try {
    const engine = await run('', engineOf)
    return {
      engine,
      close,
      /** Runs `settings` and then `work` in one transaction. Throws the reason of `signal`, else UserError. */
      async transaction<T>(settings: string, work: (client: PoolClient) => Promise<T>, signal?: AbortSignal) {
        try {
          return await run(settings, work)
        } catch (error) {
          signal?.throwIfAborted()
          throw new UserError(`${name}: ${causeOf(error)}; mend this and run again: finished work is kept`)
        }
      },
    }
  } catch (error) {
    await close()
    throw new UserError(`${name}: cannot be used (${causeOf(error)})`, { cause: error })
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
  const result = await client.query<{ server: string; vector: string | null }>(
    `SELECT current_setting('server_version') AS server, coalesce(
      (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
      (SELECT default_version FROM pg_available_extensions WHERE name = 'vector')) AS vector`,
  )
  const { server, vector } = itemAt(result.rows, 0)
  const [version = ''] = server.split(' ')
  if (vector === null)
    throw new Error(
      `PostgreSQL ${version} there has no pgvector: install it on the server (Debian of PGDG: postgresql-${version.split('.')[0]}-pgvector; Docker: the image pgvector/pgvector)`,
    )
  await client.query('CREATE EXTENSION IF NOT EXISTS vector')
  return `PostgreSQL ${version}, pgvector ${vector}`
}

const causeOf = (error: unknown): string =>
  messageOf(error) || (error instanceof Error && 'code' in error ? String(error.code) : 'no answer')

const loadPg = async (): Promise<typeof import('pg')> => {
  const pg = await loadOptional({ kind: 'pgvector', package: 'pg', version: '8.23.1' })
  return (pg as { readonly default: typeof import('pg') }).default
}
