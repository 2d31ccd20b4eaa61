import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

/** A database of its own. */
export interface TestPostgres {
  readonly url: string
  /** Ends it; what is connected is cut off. */
  stop(): Promise<void>
}

/** Starts PGlite behind a free port; with pgvector unless told otherwise. */
export async function startPglite({ hasVector = true } = {}): Promise<TestPostgres> {
  const db = await PGlite.create({ extensions: hasVector ? { vector } : {} })
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 50 })
  await server.start()
  return {
    url: `postgresql://postgres:postgres@${server.getServerConn()}/postgres`,
    async stop() {
      await server.stop()
      await db.close()
    },
  }
}

const python = process.env['GEMBENCH_PYTHON'] ?? 'python3'

/** Why tests that need a PostgreSQL are skipped; undefined where the Python package pgserver brings one. */
export const withoutPostgres: string | undefined =
  spawnSync(python, ['-c', 'import pgserver']).status === 0
    ? undefined
    : `${python} has no package pgserver, which brings PostgreSQL with pgvector (GEMBENCH_PYTHON names another)`

/** Starts the PostgreSQL of the package pgserver, which listens at a socket in a temporary folder. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-postgres-'))
  const script = 'import pgserver, sys; print(pgserver.get_server(sys.argv[1], cleanup_mode=None).get_uri())'
  const { status, stdout, stderr } = spawnSync(python, ['-c', script, folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`pgserver: ${stderr}`)
  const [pid] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
  return {
    url: stdout.trim(),
    async stop() {
      // ends at once, with all sessions
      process.kill(Number(pid), 'SIGQUIT')
      while (existsSync(join(folder, 'postmaster.pid'))) await sleep(20)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
