import { spawnSync } from 'node:child_process'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { IndexLine, TrialLine } from '../src/records.ts'
import { run } from '../src/run/index.ts'
import { gembench } from '../src/test-support/cli.ts'
import { tinyPlan, tinyProject, tinySettings } from '../src/test-support/tiny.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0
const example = join(import.meta.dirname, 'external_method.py')

test('the example in Python has at most 60 lines', async () => {
  expect((await readFile(example, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(60)
})

test.skipIf(!hasPython)(
  `the example in Python ranks as "vector" does where words do not count${hasPython ? '' : ' (no python3 here)'}`,
  async () => {
    const program = { use: 'command', run: ['python3', 'external_method.py'] }
    const methods = ['vector', { ...program, label: 'python', options: { weight: 0 } }, { ...program, label: 'words' }]
    const project = await tinyProject({ methods })
    await copyFile(example, join(project, 'external_method.py'))
    const { folder, trials } = await run(await tinyPlan(project), tinySettings(project))
    expect(trials).toEqual({ made: 9, kept: 0, failed: 0 })
    const lines = (await readFile(join(folder, 'trials.jsonl'), 'utf8')).trim().split('\n')
    const asked = lines.map((line) => JSON.parse(line) as IndexLine | TrialLine).filter((line) => line.line === 'trial')
    const found = (row: string) =>
      asked.flatMap(({ method, context, usage }) =>
        method === row ? [{ usage, from: context.map(({ from }) => from) }] : [],
      )
    expect(found('python')).toEqual(found('vector'))
    const scores = (row: string) =>
      asked.flatMap(({ method, context }) => (method === row ? context.map(({ score }) => score) : []))
    expect(scores('words')).not.toEqual(scores('python'))
  },
)

test.skipIf(!hasPython)('every check of a method holds for the example in Python', async () => {
  const { code, out } = await gembench(await tinyProject(), 'check', example, '--use', 'command')
  expect(out).toMatch(/: all checks passed\n$/)
  expect(code).toBe(0)
})
