import { spawn } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cli, gembenchProcess } from '../test-support/cli.ts'
import { fakeServer } from '../test-support/server.ts'
import { tinyProject } from '../test-support/tiny.ts'

const files = ['trials.jsonl', 'passages.jsonl', 'scores.jsonl', 'table.md', 'table.csv', 'table.tex']

const questions = /Who built the mill|Where did the oven|a loaf of rye bread/

async function filesOf(project: string, results: string): Promise<readonly string[]> {
  const [folder = ''] = await readdir(join(project, results))
  return Promise.all(files.map((name) => readFile(join(project, results, folder, name), 'utf8')))
}

test('after kill -9 every answered trial stands in the file, and the same command gives the bytes of an undisturbed run', async () => {
  let [lastAnswer, isHeld] = [Infinity, true]
  const server = await fakeServer({
    latencyMs: 20,
    behave(hit) {
      const asked = JSON.stringify(hit.body)
      if (questions.test(asked)) lastAnswer = performance.now()
      // no index of a graph is done before the kill
      else if (isHeld && !asked.includes('Reply with: OK')) return { broken: 'hang' }
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
  const gone = new Promise((resolve) => child.on('exit', resolve))
  while (!(performance.now() - lastAnswer > 500) && child.exitCode === null) await sleep(10)
  // the process and the one that watches over it
  process.kill(-(child.pid ?? NaN), 'SIGKILL')
  await gone
  const [trials = ''] = await readdir(join(project, 'results'))
  const written = (await readFile(join(project, 'results', trials, 'trials.jsonl'), 'utf8')).trim().split('\n')
  // all but those of the graph
  expect(written.filter((line) => line.includes('"line":"trial"'))).toHaveLength(36)
  isHeld = false
  const resumed = await gembenchProcess(project, ...flags)
  expect(resumed.out).toContain('36 trials were done before')
  const undisturbed = await gembenchProcess(
    project,
    ...['run', '-c', 'tiny.yaml', '--cache-folder', 'other', '--results', 'whole'],
  )
  expect(undisturbed.out).toContain('0 trials were done before')
  expect(await filesOf(project, 'results')).toEqual(await filesOf(project, 'whole'))
  await server.close()
  await rm(project, { recursive: true })
}, 60_000)
