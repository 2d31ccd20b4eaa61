import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { questionsWith, writeRun } from '../../test-support/fake-run.ts'
import { gembench, type CliEnded, expectRefusal } from '../../test-support/cli.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'

const folder = folderOf({})
const power = (...args: readonly string[]): Promise<CliEnded> => gembench(folder, 'power', ...args)

beforeAll(async () => {
  const gradedScores = (step: number) =>
    questionsWith(24, (i) => [[((i * step) % 24) / 24], [((i * step + 5) % 24) / 24]])
  await writeRun(join(folder, 'results', 'pilot'), {
    rows: { bm25: gradedScores(5), vector: gradedScores(7), raptor: gradedScores(11) },
    manifest: { repeats: 2 },
  })
  await writeRun(join(folder, 'results', 'unfinished'), {
    rows: { bm25: gradedScores(5), vector: gradedScores(7) },
    manifest: { finished: null },
  })
  await writeRun(join(folder, 'results', 'single'), { rows: { bm25: gradedScores(5) } })
})

test('prints pairs, run sizes and notes', async () => {
  const { code, out, err } = await power('pilot', '--difference', '.05')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^accuracy\.accuracy {2}detects 5\.0 points with 80 % power, in one comparison at p <= 0\.05\n/)
  expect(out).toMatch(/^pair +questions +difference +detects +power for 5\.0 +needs questions$/m)
  expect(out).toMatch(/^bm25 vs vector +24 +-?\d+\.\d +\d+\.\d +\d+\.\d % +[\d,]+$/m)
  expect(out).toContain('These runs detect 5.0 points in every pair.')
  expect(out).toMatch(/^questions +repeats$/m)
  expect(out).toContain('Questions needed: scored in both rows, in 2 repeats; by Student')
})

test('--json prints one document for the named metric', async () => {
  const { out } = await power('pilot', '--difference', '.05', '--json', '--metric', 'accuracy.accuracy')
  const results = JSON.parse(out) as { readonly pairs: readonly unknown[] }
  expect(results).toMatchObject({ scorer: 'accuracy', metric: 'accuracy', difference: 0.05, repeats: 2 })
  expect(results.pairs).toHaveLength(3)
})

test('prints a note about an unfinished run', async () => {
  const { code, out, err } = await power('unfinished', '--difference', '.1')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^bm25 vs vector +24 [^]*^this run is incomplete, so its questions may not be representative$/m)
})

test.each([
  [['pilot'], "required option '--difference <fraction>' not specified"],
  [['pilot', '--difference', '3'], 'It must be a number above 0 and below 1.'],
  [['pilot', '--difference', '0'], 'It must be a number above 0 and below 1.'],
  [['single', '--difference', '.03'], 'fewer than two rows'],
  [['pilot', '--difference', '.03', '--metric', 'acuracy'], 'metric: unknown metric "acuracy"; did you mean'],
  [['pilot', '--difference', '.03', '--metric', 'words'], 'has no better direction'],
  [['none', '--difference', '.03'], 'none: is not a results folder'],
])('%j is refused in one line with exit code 2', (args, message) => expectRefusal(power(...args), message))
