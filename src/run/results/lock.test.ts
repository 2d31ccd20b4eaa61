import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import fsPromises, { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openJournal, orderLines, replaceFile } from './journal.ts'
import { lockFolder, refuseLost } from './lock.ts'

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'gembench-lock-'))))
afterAll(() => rm(root, { recursive: true }))

/** More than the largest process number of any platform. */
const dead = 999_999_999

async function folderWith(locks: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const folder = await mkdtemp(join(root, 'results-'))
  for (const [name, holder] of Object.entries(locks)) await writeFile(join(folder, name), JSON.stringify(holder))
  return folder
}

describe('lockFolder', () => {
  test('makes the folder, and leaves nothing behind', async () => {
    const folder = join(root, 'new', 'results')
    const release = await lockFolder(folder)
    expect(await readdir(folder)).toEqual(['.lock'])
    await release()
    expect(await readdir(folder)).toEqual([])
  })

  test('one process holds a folder once', async () => {
    const folder = await folderWith()
    const release = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid} is writing to this folder`)
    await release()
    await (
      await lockFolder(folder)
    )()
  })

  test('a holder that was taken over while it stood still writes nothing more, and leaves the other its lock', async () => {
    const folder = await folderWith()
    const release = await lockFolder(folder)
    const file = join(folder, 'lines.jsonl')
    const journal = await openJournal<number>(file)
    journal.append(1)
    const { token } = JSON.parse(readFileSync(join(folder, '.lock'), 'utf8')) as { token: string }
    await writeFile(join(folder, `.lock.${token}`), JSON.stringify({ pid: process.ppid, token: 'ab' }))
    const taken = /another one took the folder over/
    expect(() => journal.append(2)).toThrow(taken)
    await expect(orderLines<number>(file, String, () => 1)).rejects.toThrow(taken)
    await expect(replaceFile(join(folder, 'manifest.json'), '{}')).rejects.toThrow(taken)
    await release()
    journal.close()
    expect(await readdir(folder)).toEqual(['.lock', `.lock.${token}`, 'lines.jsonl'])
    expect(readFileSync(file, 'utf8')).toBe('1\n')
    await rm(join(folder, '.lock'))
    await rm(join(folder, `.lock.${token}`))
    expect(() => refuseLost(folder)).toThrow(taken)
    await (
      await lockFolder(folder)
    )()
    expect(() => refuseLost(folder)).not.toThrow()
  })

  test('a living process keeps others out, and the message says how to go on', async () => {
    const folder = await folderWith({ '.lock': { pid: process.ppid, token: 'ab' } })
    await expect(lockFolder(folder)).rejects.toThrow(/is writing to this folder; wait until it ends.*remove .*\.lock\*/)
  })

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['a dead process', { '.lock': { pid: dead, token: 'ab' } }],
    ['two dead processes', { '.lock': { pid: dead, token: 'ab' }, '.lock.ab': { pid: dead, token: 'cd' } }],
    ['an earlier process with our number', { '.lock': { pid: process.pid, token: 'ab' } }],
    ['an earlier version', { '.lock': dead }],
    ['nobody knows whom', { '.lock': 'what?' }],
    ['nobody knows whom, twice', { '.lock': 'what?', '.lock.0': 'what?' }],
  ])('the lock of %s is taken over, and all is removed', async (_whose, locks) => {
    const folder = await folderWith(locks)
    const release = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow('is writing to this folder')
    await release()
    expect(await readdir(folder)).toEqual([])
  })
})

describe('a process of another host, or of another container', () => {
  const place = { host: 'elsewhere', boot: 'b', space: 's' }
  const lock = (renewed: number): unknown => ({ pid: process.pid, token: 'ab', place, renewed })

  test('keeps others out as long as it renews its lock', async () => {
    const folder = await folderWith({ '.lock': lock(0) })
    let count = 0
    const renewing = setInterval(() => void writeFile(join(folder, '.lock'), JSON.stringify(lock(++count % 10))), 300)
    await expect(lockFolder(folder, 600_000)).rejects.toThrow(/process \d+ of elsewhere is writing to this folder/)
    clearInterval(renewing)
  })

  test('that renews it no more is taken over', async () => {
    const folder = await folderWith({ '.lock': lock(0) })
    const said: string[] = []
    const release = await lockFolder(folder, 300, (line) => said.push(line))
    expect(said).toEqual([
      expect.stringContaining(`${folder}: locked in another container or on another host; waiting`),
    ])
    await release()
    expect(await readdir(folder)).toEqual([])
  })

  test('that releases it while it is waited for leaves the folder free', async () => {
    const folder = await folderWith({ '.lock': lock(0) })
    const claim = lockFolder(folder, 600_000)
    await rm(join(folder, '.lock'))
    await (
      await claim
    )()
  })

  test('that is just making it is waited for', async () => {
    const folder = await folderWith()
    await writeFile(join(folder, '.lock'), '')
    const claim = expect(lockFolder(folder, 600_000)).rejects.toThrow(`process ${process.ppid} is writing`)
    await writeFile(join(folder, '.lock'), JSON.stringify({ pid: process.ppid, token: 'ab' }))
    await claim
  })

  test('sees that ours is renewed, in a thread of its own', async () => {
    const folder = await folderWith()
    const file = join(folder, '.lock')
    const release = await lockFolder(folder)
    const before = readFileSync(file, 'utf8')
    // as in a long computation
    const until = performance.now() + 600_000
    while (readFileSync(file, 'utf8') === before && performance.now() < until);
    const after = readFileSync(file, 'utf8')
    expect(after).not.toBe(before)
    expect(JSON.parse(after)).toEqual({ ...(JSON.parse(before) as object), renewed: expect.stringMatching(/^0+\d+$/) })
    await release()
    expect(await readdir(folder)).toEqual([])
  })
})

test('a process that has the number of another one is not it', async () => {
  const folder = await folderWith({ '.lock': { pid: process.ppid, token: 'ab', start: '1' } })
  if (process.platform !== 'linux') return
  await (
    await lockFolder(folder)
  )()
})

test('where there are no hard links, as on exFAT, a folder is held by one process all the same', async () => {
  const folder = await folderWith({ '.lock': { pid: dead, token: 'ab' } })
  const refused = Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM', syscall: 'link' })
  const linking = vi.spyOn(fsPromises, 'link').mockRejectedValue(refused)
  syncBuiltinESMExports()
  try {
    const [one, other] = await Promise.allSettled([lockFolder(folder), lockFolder(folder)])
    expect([one, other].map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const claim of [one, other]) if (claim.status === 'fulfilled') await claim.value()
    expect(linking).toHaveBeenCalled()
    expect(await readdir(folder)).toEqual([])
  } finally {
    linking.mockRestore()
    syncBuiltinESMExports()
  }
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

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['without a stale lock', {}],
    ['with a stale lock', { '.lock': { pid: dead, token: 'ab' } }],
    ['with a stale lock of an earlier version', { '.lock': dead }],
    ['with two stale locks', { '.lock': { pid: dead, token: 'ab' }, '.lock.ab': { pid: dead, token: 'cd' } }],
  ])('never both hold a folder, 20 times %s', async (name, locks) => {
    const seen: Record<string, number> = {}
    const folder = join(root, name.replaceAll(' ', '-'))
    await mkdir(folder)
    for (let round = 0; round < 20; round++) {
      for (const [lock, holder] of Object.entries(locks)) await writeFile(join(folder, lock), JSON.stringify(holder))
      const outcome = (await tell(folder)).sort().join(' and ')
      seen[outcome] = (seen[outcome] ?? 0) + 1
      await tell('release')
    }
    expect(seen).toEqual({ 'held and refused': 20 })
  })
})
