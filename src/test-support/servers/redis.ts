import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why tests that need a Redis are skipped; undefined where its program is on this computer. */
export const withoutRedis: string | undefined =
  spawnSync('redis-server', ['--version']).status === 0
    ? undefined
    : 'redis-server is not installed (apt-get install redis-server)'

/** A Redis of its own. */
export interface TestRedis {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a Redis on a free port, with its files in a temporary folder and, where it is given, a password. */
export async function startRedis(password?: string): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-redis-'))
  const port = await freePort()
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '']
  const server = spawn('redis-server', password === undefined ? flags : [...flags, '--requirepass', password])
  const exit = new Promise<void>((resolve) => server.on('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    void exit.then(() => reject(new Error('redis-server has ended')))
    server.stdout.on('data', (text: Buffer) => {
      if (String(text).includes('Ready to accept connections')) resolve()
    })
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      server.kill('SIGKILL')
      await exit
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
