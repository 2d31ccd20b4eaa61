import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, rmdir, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UserError } from '../../errors.ts'
import { openJournal, replaceFile } from './journal.ts'
import { orderScores } from './write-trials.ts'
import { lockFolder, requireLock } from './lock.ts'

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'gembench-lock-'))))
afterAll(() => rm(root, { recursive: true }))

const lock = '7 ab'

async function folderWith(text?: string): Promise<string> {
  const folder = await mkdtemp(join(root, 'results-'))
  if (text !== undefined) await writeFile(join(folder, '.lock'), text)
  return folder
}

const lockAndRelease = async (folder: string): Promise<void> => (await lockFolder(folder))()

describe('lockFolder', () => {
  test('one process locks a folder once', async () => {
    const folder = await folderWith()
    const release = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid} is writing to this folder`)
    await release()
    await lockAndRelease(folder)
  })

  test('a process that lost its lock while suspended writes nothing more and leaves the new lock', async () => {
    const folder = await folderWith()
    const release = await lockFolder(folder)
    const file = join(folder, 'lines.jsonl')
    const journal = await openJournal<number>(file)
    journal.append(1)
    await writeFile(join(folder, '.lock'), lock)
    await sleep(150)
    const taken = /another process took this folder over/
    expect(() => journal.append(2)).toThrow(taken)
    await expect(orderScores(file, new Map(), [])).rejects.toThrow(taken)
    await expect(replaceFile(join(folder, 'manifest.json'), '{}')).rejects.toThrow(taken)
    await release()
    journal.close()
    expect(await readdir(folder)).toEqual(['.lock', 'lines.jsonl'])
    expect(readFileSync(file, 'utf8')).toBe('1\n')
    await rm(join(folder, '.lock'))
    expect(() => requireLock(folder)).toThrow(taken)
    await lockAndRelease(folder)
    expect(() => requireLock(folder)).not.toThrow()
  })

  test.each([
    ['that is not touched', lock],
    ['of a process that was killed while it wrote it', ''],
  ])('a lock %s is replaced, and no file stays behind', async (_which, text) => {
    const folder = await folderWith(text)
    const release = await lockFolder(folder, 300)
    await expect(lockFolder(folder)).rejects.toThrow('is writing to this folder')
    await release()
    expect(await readdir(folder)).toEqual([])
  })

  test('a process on another host keeps its lock as long as it touches it', async () => {
    const folder = await folderWith(lock)
    const touching = setInterval(() => void utimes(join(folder, '.lock'), new Date(), new Date()), 300)
    await expect(lockFolder(folder, 600_000)).rejects.toThrow('process 7 is writing to this folder')
    clearInterval(touching)
  })

  test('the lock is touched while the main thread computes', async () => {
    const folder = await folderWith()
    const file = join(folder, '.lock')
    const release = await lockFolder(folder)
    const before = statSync(file).mtimeMs
    const until = performance.now() + 600_000
    while (statSync(file).mtimeMs === before && performance.now() < until);
    expect(statSync(file).mtimeMs).toBeGreaterThan(before)
    await release()
    expect(await readdir(folder)).toEqual([])
  })

  test('a folder that other processes create and remove concurrently can be locked', async () => {
    const folder = join(root, 'contended')
    for (let round = 0; round < 40; round++) {
      const starts = await Promise.allSettled(
        [1, 2].map(async () => {
          await lockAndRelease(folder)
          await rmdir(folder).catch(() => undefined)
        }),
      )
      for (const start of starts) if (start.status === 'rejected') expect(start.reason).toBeInstanceOf(UserError)
    }
  })
})

describe('two processes at the same moment', () => {
  const children: ChildProcess[] = []
  const file = fileURLToPath(new URL('../../test-support/lock-child.ts', import.meta.url))

  beforeAll(async () => {
    for (let i = 0; i < 2; i++) {
      const child = fork(file, { execArgv: ['--import', 'tsx'] })
      children.push(child)
      await once(child, 'message')
    }
  })
  afterAll(() => {
    for (const child of children) child.kill()
  })

  const tell = (message: string): Promise<string[]> =>
    Promise.all(
      children.map(async (child) => {
        const answer = once(child, 'message') as Promise<[string]>
        child.send(message)
        return (await answer)[0]
      }),
    )

  test.each([
    ['without a stale lock', undefined, 10],
    ['with a stale lock', lock, 3],
  ])('never both lock a folder, several times %s', async (name, text, rounds) => {
    const seen: Record<string, number> = {}
    const folder = join(root, name.replaceAll(' ', '-'))
    await mkdir(folder)
    for (let round = 0; round < rounds; round++) {
      if (text !== undefined) await writeFile(join(folder, '.lock'), text)
      const outcome = (await tell(folder)).sort().join(' and ')
      seen[outcome] = (seen[outcome] ?? 0) + 1
      await tell('release')
    }
    expect(seen).toEqual({ 'held and refused': rounds })
  })
})
