import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { cli, gembench, resultsOf } from '../test-support/cli.ts'
import { tinyProject } from '../test-support/tiny.ts'

const note = /\S+: scores\.jsonl changed since the run/

async function editRun(): Promise<{ project: string; folder: string }> {
  const project = await tinyProject({ methods: ['bm25', 'vector'] })
  const folder = await resultsOf(project)
  const scores = join(project, folder, 'scores.jsonl')
  await cp(scores, join(project, 'original.jsonl'))
  await writeFile(scores, (await readFile(scores, 'utf8')).replaceAll(/"accuracy":[01]/g, '"accuracy":0.5'))
  return { project, folder }
}

test('still reports edited lines after the run resumes and ends', async () => {
  const { project, folder } = await editRun()
  const table = ['table', folder] as const
  expect((await gembench(project, ...table)).err).toMatch(note)
  expect((await gembench(project, 'run', '-c', 'tiny.yaml', '--quiet')).code).toBe(0)
  expect((await gembench(project, ...table)).err).toMatch(note)
  expect((await gembench(project, 'run', '-c', 'tiny.yaml', '--set', 'repeats=2', '--quiet')).code).toBe(0)
  expect((await gembench(project, ...table)).err).toMatch(note)
})

test.each(['show', 'power'])('%s reports edited lines', async (command) => {
  const { project, folder } = await editRun()
  const flags = command === 'show' ? ['--failures'] : ['--difference', '.1']
  const { out, err } = await gembench(project, command, folder, ...flags)
  expect(err + out).toMatch(note)
})

test('keeps its exit code after the reader of a pipe has gone', async () => {
  const { project, folder } = await editRun()
  // one row is half as right in the copy, which three questions cannot show: no verdict
  await cp(join(project, folder), join(project, 'edited'), { recursive: true })
  await writeFile(join(project, folder, 'scores.jsonl'), await readFile(join(project, 'original.jsonl')))
  const args = [cli, 'diff', folder, 'edited', '--fail-if', 'worse']
  const child = spawn(process.execPath, args, { cwd: project, stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.destroy()
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(2)
})
