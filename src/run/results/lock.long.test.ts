import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { lockFolder } from './lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'gembench-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A name space of process numbers, as a container has one. */
const unshare = ['unshare', '--map-root-user', '--user', '--fork', '--pid', '--mount-proc', '--kill-child'] as const
const [command, ...flags] = unshare
const canUnshare = spawnSync(command, [...flags, 'true']).status === 0

async function holder(): Promise<ChildProcess> {
  const child = fileURLToPath(new URL('../../test-support/lock-child.ts', import.meta.url))
  const started = spawn(command, [...flags, process.execPath, '--import', 'tsx', child], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(started, 'message')
  const answer = once(started, 'message')
  started.send(folder)
  expect(await answer).toEqual(['held', undefined])
  return started
}

test.skipIf(!canUnshare)('a folder locked by a process in another container is refused', async () => {
  const other = await holder()
  await expect(lockFolder(folder)).rejects.toThrow(/process \d+ is writing to this folder/)
  other.kill('SIGKILL')
  await once(other, 'exit')
  await (
    await lockFolder(folder)
  )()
})
