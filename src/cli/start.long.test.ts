import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { gembenchProcess } from '../test-support/cli.ts'
import { ran } from '../test-support/run-cli.ts'
import { tinyProject } from '../test-support/tiny.ts'

const method = (retrieve: string): string => `import { z } from 'gembench'
  import { existsSync, writeFileSync } from 'node:fs'
  export const mine = { name: 'mine', summary: '', options: z.strictObject({}),
    index: async (chunks) => ({ retrieve: async ({ id }) => { ${retrieve}
      return [{ text: chunks[0].text, score: 1, from: [chunks[0].id], kind: 'chunk' }] } }) }`

interface Started {
  readonly child: ReturnType<typeof spawn>
  readonly result: Promise<{ readonly code: number | null; readonly err: string }>
}

function startRun(project: string, ...flags: readonly string[]): Started {
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
  const args = [cli, 'run', '-c', 'tiny.yaml', '--cache-folder', 'cache', '--quiet', ...flags]
  const child = spawn(process.execPath, args, { cwd: project, stdio: ['ignore', 'ignore', 'pipe'] })
  let err = ''
  child.stderr.on('data', (data: Buffer) => (err += data.toString()))
  return { child, result: new Promise((resolve) => child.on('close', (code) => resolve({ code, err }))) }
}

/** A run of which the method in a file never answers one question until it is mended. */
async function waiting(): Promise<{ readonly project: string; readonly run: Started }> {
  const project = await tinyProject({ methods: ['bm25', './mine.mjs'] })
  const hang = `if (id === 'oven' && !existsSync('mended')) { writeFileSync('pid', String(process.pid)); await new Promise((done) => setTimeout(done, 60_000)) }`
  await writeFile(join(project, 'mine.mjs'), method(hang))
  const run = startRun(project)
  while (!existsSync(join(project, 'pid')) && run.child.exitCode === null) await sleep(10)
  await sleep(500)
  return { project, run }
}

test('ends on Ctrl-C with two lines and exit code 130, and resumes', async () => {
  const { project, run } = await waiting()
  run.child.kill('SIGINT')
  const before = performance.now()
  const { code, err } = await run.result
  // questions under way have 10 s to end
  expect(performance.now() - before).toBeLessThan(14_000)
  expect([code, err]).toEqual([
    130,
    'Stopping: finished work is kept. Press Ctrl-C again to end at once.\n' +
      'Interrupted. Finished work is kept: the same command resumes.\n',
  ])
  await writeFile(join(project, 'mended'), '')
  expect(await startRun(project).result).toEqual({ code: 0, err: '' })
})

test('results are readable while a plug-in method runs and after a kill', async () => {
  const { project, run } = await waiting()
  expect(await readFile(join(project, 'pid'), 'utf8')).toBe(String(run.child.pid))
  const [folder = ''] = await readdir(join(project, 'results'))
  const table = await gembenchProcess(project, 'table', folder)
  expect([table.code, table.out]).toEqual([0, expect.stringContaining('bm25')])
  run.child.kill('SIGKILL')
  await run.result
  const killResult = await gembenchProcess(project, 'table', folder)
  expect([killResult.code, killResult.out]).toEqual([0, table.out])
  await writeFile(join(project, 'mended'), '')
  expect(await startRun(project).result).toEqual({ code: 0, err: '' })
})

test('prints of a method go to standard error', async () => {
  const { code, err, trials } = await ran(
    { 'mine.mjs': method(`console.log('looking for', id)`) },
    { methods: ['./mine.mjs'] },
  )
  expect([code, trials.length]).toEqual([0, 3])
  expect(err).toContain('looking for oven')
})
