import { spawn } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cli, gembenchProcess } from '../test-support/cli.ts'
import { fakeServer } from '../test-support/servers/server.ts'
import { tinyProject } from '../test-support/tiny.ts'

const files = ['trials.jsonl', 'passages.jsonl', 'scores.jsonl', 'table.md', 'table.csv', 'table.tex']

const questions = /Who built the mill|Where did the oven|a loaf of rye bread/

async function filesOf(project: string, results: string): Promise<readonly string[]> {
  const [folder = ''] = await readdir(join(project, results))
  return Promise.all(files.map((name) => readFile(join(project, results, folder, name), 'utf8')))
}

test('after kill -9 the file has every answered trial, and the same command gives the bytes of an uninterrupted run', async () => {
  let [lastAnswer, isHeld] = [Infinity, true]
  const server = await fakeServer({
    latencyMs: 20,
    behave(hit) {
      const request = JSON.stringify(hit.body)
      if (questions.test(request)) lastAnswer = performance.now()
      // no index of a graph is done before the kill
      else if (isHeld && !request.includes('Reply with: OK')) return { broken: 'hang' }
      return undefined
    },
  })
  const project = await tinyProject({
    models: { complete: { use: 'openai', model: 'm', baseUrl: server.url, concurrency: 64 }, embed: 'fake' },
    methods: ['closed-book', 'bm25', 'hipporag2', 'oracle'],
    concurrency: 64,
    repeats: 4,
  })
  const flags = ['run', '-c', 'tiny.yaml', '--cache-folder', 'cache']
  const child = spawn(process.execPath, [cli, ...flags], { cwd: project, stdio: 'ignore', detached: true })
  const exit = new Promise((resolve) => child.on('exit', resolve))
  while (!(performance.now() - lastAnswer > 500) && child.exitCode === null) await sleep(10)
  // the process and the one that watches over it
  process.kill(-(child.pid ?? NaN), 'SIGKILL')
  await exit
  const [trials = ''] = await readdir(join(project, 'results'))
  const writeInput = (await readFile(join(project, 'results', trials, 'trials.jsonl'), 'utf8')).trim().split('\n')
  // all but those of the graph
  expect(writeInput.filter((line) => line.includes('"line":"trial"'))).toHaveLength(36)
  isHeld = false
  const secondRun = await gembenchProcess(project, ...flags, '--full')
  expect(secondRun.out).toContain('36 earlier')
  const referenceRun = await gembenchProcess(
    project,
    ...['run', '-c', 'tiny.yaml', '--cache-folder', 'other', '--results', 'whole', '--full'],
  )
  expect(referenceRun.out).toContain(' 0 earlier')
  expect(await filesOf(project, 'results')).toEqual(await filesOf(project, 'whole'))
  await server.close()
  await rm(project, { recursive: true })
}, 120_000)

test('a killed train leaves no weights; the same command gives the bytes of an uninterrupted one and repeats no call', async () => {
  let [request, isHeld] = [0, true]
  const server = await fakeServer({
    behave(hit) {
      if (JSON.stringify(hit.body).includes('Reply with: OK')) return undefined
      request++
      return isHeld && request > 4 ? { broken: 'hang' } : undefined
    },
  })
  const row = { use: 'graph-of-records', gnn: 'trained', weights: 'w.json' }
  const project = await tinyProject({
    models: {
      complete: { use: 'openai', model: 'm', baseUrl: server.url, concurrency: 4 },
      embed: 'fake',
    },
    methods: [row],
    train: { epochs: 3, batch: 1 },
  })
  const flags = ['train', '-c', 'tiny.yaml', '--quiet', '--cache-folder', 'cache']
  const child = spawn(process.execPath, [cli, ...flags], { cwd: project, stdio: 'ignore', detached: true })
  const exit = new Promise((resolve) => child.on('exit', resolve))
  while (request < 8 && child.exitCode === null) await sleep(10)
  process.kill(-(child.pid ?? NaN), 'SIGKILL')
  await exit
  expect((await readdir(project)).filter((name) => name.startsWith('w.'))).toEqual([])
  const before = request
  isHeld = false
  expect(await gembenchProcess(project, ...flags)).toMatchObject({ code: 0, err: '' })
  const again = request - before
  const weights = await readFile(join(project, 'w.json'))
  const rest = ['train', '-c', 'tiny.yaml', '--quiet', '--cache-folder', 'other', '--output', 'x.json']
  expect(await gembenchProcess(project, ...rest)).toMatchObject({ code: 0, err: '' })
  expect(weights.equals(await readFile(join(project, 'x.json')))).toBe(true)
  // the four that had been answered were kept
  expect(request - before - again).toBe(again + 4)
  await server.close()
  await rm(project, { recursive: true })
}, 120_000)
