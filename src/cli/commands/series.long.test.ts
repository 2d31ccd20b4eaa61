import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { gembench, expectRefusal } from '../../test-support/cli.ts'
import { tinyProject } from '../../test-support/tiny.ts'

const vary = { 'chunks.size': [20, 40] }
let project = ''
let series = ''
let names: readonly string[] = []

beforeAll(async () => {
  project = await tinyProject({ methods: ['bm25', 'vector'], vary })
  const { code, out } = await gembench(project, 'run', '-c', 'tiny.yaml')
  expect(code).toBe(0)
  expect(out).toMatch(/^ +method +chunks\.size +/m)
  expect(out.match(/^\w +(bm25|vector) +(20|40) /gm)).toHaveLength(4)
  names = await readdir(join(project, 'results'))
  series = names.find((name) => name.includes('series')) ?? ''
  expect(names).toHaveLength(3)
})

test('one key at a time: makes one run per other value, with mean ranks', async () => {
  const folder = await tinyProject({
    methods: ['bm25', 'vector'],
    chunks: { size: 20 },
    seed: 1,
    design: 'one-at-a-time',
    vary: { 'chunks.size': [20, 40], seed: [1, 2, 3] },
  })
  const { code, out } = await gembench(folder, 'run', '-c', 'tiny.yaml', '--full')
  expect(code).toBe(0)
  expect(out.match(/^\w+ +bm25 +(20 +1|40 +1|20 +2|20 +3) /gm)).toHaveLength(4)
  expect(out).toMatch(/^Mean ranks of 2 rows over 4 runs, 1 is best: /m)
  // seeds change nothing here: the runs of three seeds have the same means
  expect(out).toMatch(/^Different means of a row over the 4 runs: (bm25|vector) [12], (bm25|vector) [12]\. /m)
})

test('validate and plan print every run and the total', async () => {
  const check = await gembench(project, 'validate', '-c', 'tiny.yaml')
  expect(
    check.out.match(/^valid: tiny-\w{8} \(chunks\.size=(20|40)\): 2 methods x 3 questions = 6 trials$/gm),
  ).toHaveLength(2)
  expect(check.out).toContain('\n2 runs in one table: 12 trials\n')
  const { out } = await gembench(project, 'plan', '-c', 'tiny.yaml')
  expect(out).toMatch(/^chunks\.size=20: 6 trials\nchunks\.size=40: 6 trials\n/)
  // at 40 tokens both rows have the same contexts for two questions: these calls are made once
  expect(out).toMatch(/^chunks\.size=20 +answer +6 /m)
  expect(out).toMatch(/^all runs together +answer +10 /m)
  const { runs, together } = JSON.parse((await gembench(project, 'plan', '-c', 'tiny.yaml', '--json')).out) as {
    readonly runs: readonly { readonly trials: number; readonly varied: unknown }[]
    readonly together: readonly { readonly phase: string; readonly calls: number }[]
  }
  expect(runs.map(({ trials, varied }) => [trials, varied])).toEqual([
    [6, [{ option: 'chunks.size', text: '20' }]],
    [6, [{ option: 'chunks.size', text: '40' }]],
  ])
  expect(together.find(({ phase }) => phase === 'answer')?.calls).toBe(10)
})

test('commands of results read a series like a run', async () => {
  const table = await gembench(project, 'table', series, '--full', '--baseline', 'bm25 (chunks.size=40)')
  expect(table).toMatchObject({ code: 0, err: '' })
  expect(table.out).toContain('difference from bm25 (chunks.size=40)')
  const diff = await gembench(project, 'diff', `${series}#bm25 (chunks.size=20)`, `${series}#bm25 (chunks.size=40)`)
  expect(diff.out).toContain('The runs differ in: chunks.size 20 → 40.')
  const show = await gembench(project, 'show', series, 'builder')
  expect(show.out).toMatch(/^vector \(chunks\.size=20\)$/m)
  const scores = await gembench(project, 'score', series, '-c', 'tiny.yaml')
  expect(scores).toMatchObject({ code: 0 })
  const second = await gembench(project, 'score', series, '-c', 'tiny.yaml', '--json')
  expect(JSON.parse(second.out)).toMatchObject({ scores: { failed: 0 }, rows: [{}, {}, {}, {}] })
})

test('a CSV of two runs has columns for the run and the varied keys', async () => {
  const [item = '', two = ''] = names.filter((name) => name !== series)
  const { out } = await gembench(project, 'table', item, two, '--format', 'csv')
  const [head, ...lines] = out.trimEnd().split('\n')
  expect(head).toMatch(/^run,dataset,method,variant,chunks\.size,scorer,/)
  expect(new Set(lines.map((line) => line.split(',')[0]))).toEqual(new Set([item, two]))
  const usage = await gembench(project, 'table', item, two, '--format', 'usage-csv')
  expect(usage.out).toMatch(/^run,dataset,method,variant,chunks\.size,phase,/)
})

test('answer models are rows of one table, with one judge', async () => {
  const vary = { 'models.complete': ['extractive', 'fake'] }
  const settings = { methods: ['bm25'], scorers: ['accuracy', 'faithfulness'], vary }
  const folder = await tinyProject({ ...settings, models: { embed: 'fake', judge: 'extractive' } })
  const { code, out } = await gembench(folder, 'run', '-c', 'tiny.yaml', '--min', 'accuracy=0')
  expect(code).toBe(0)
  expect(out).toMatch(/^ +method +models\.complete +accuracy +/m)
  expect(out.match(/^\w +bm25 +(extractive|fake) /gm)).toHaveLength(2)
  const alone = await tinyProject({ ...settings, models: { embed: 'fake' } })
  await expectRefusal(gembench(alone, 'run', '-c', 'tiny.yaml'), 'which is also the judge: set models.judge')
  expect(await readdir(alone)).not.toContain('results')
})
