import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { gembench } from '../../test-support/cli.ts'
import { tinyProject, writeConfig } from '../../test-support/tiny.ts'

const program = fileURLToPath(new URL('../../test-support/program.js', import.meta.url))
const names = ['trials.jsonl', 'passages.jsonl', 'scores.jsonl'] as const

const read = async (folder: string): Promise<readonly string[]> =>
  Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))

test('a program that is asked can read no line of the results folder, and a run that was killed then goes on', async () => {
  const project = await tinyProject({ methods: ['bm25', 'oracle'] })
  const run = (): Promise<{ readonly code: number }> => gembench(project, 'run', '-c', 'tiny.yaml', '--quiet')
  expect((await run()).code).toBe(0)
  const results = join(project, 'results')
  const [name = ''] = await readdir(results)
  const folder = join(results, name)
  const [trials = '', passages, scores = ''] = await read(folder)
  expect(trials).toContain('"reference":{"kind":"answer"')
  expect(passages).toContain('built in 1841 by Tamsin Vale')
  expect(scores).toContain('"metrics":')

  // the program copies the folder when it is asked: as a kill of the process would leave it
  const mine = { use: 'command', label: 'mine', run: [process.execPath, program, 'copies', results] }
  await writeConfig(project, { methods: ['bm25', 'oracle', mine] })
  expect((await run()).code).toBe(0)
  const whole = await read(folder)
  expect(whole[0]).toContain(trials.split('\n')[0])
  const seen = await read(`${results}-seen/${name}`)
  for (const text of seen) {
    expect(text.split('\n').length).toBeGreaterThan(4)
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^"[A-Za-z0-9+/]+=*"$/)
  }

  await rm(results, { recursive: true })
  await rename(`${results}-seen`, results)
  for (const file of await readdir(folder)) if (file.startsWith('.lock')) await rm(join(folder, file))
  for (const command of ['table', 'verify']) {
    const { code, err } = await gembench(project, command, name)
    expect(err).toMatch(
      /^error results\/\S+\/(trials|scores)\.jsonl:1: is sealed while methods of others are asked.*\n$/,
    )
    expect(code).toBe(2)
  }
  expect((await run()).code).toBe(0)
  expect(await read(folder)).toEqual(whole)
})
