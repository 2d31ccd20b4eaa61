import { expect, test } from 'vitest'
import type { Manifest, MethodRecord } from '../../records.ts'
import { madeRun, questionsWith, type MadeOutcome, type MadeRun } from '../../test-support/made-run.ts'
import { stabilityNotes } from '../render/across.ts'
import { tableOf, type Table } from '../table/table.ts'

type Scores = MadeRun['rows'][string]
type Of = Readonly<Record<string, string>>

async function* stream<T>(lines: readonly T[]): AsyncGenerator<T> {
  yield* lines
}

const journalsOf = ({ trials, scores }: Pick<ReturnType<typeof madeRun>, 'trials' | 'scores'>) => ({
  trials: () => stream(trials),
  scores: () => stream(scores),
  meter: () => stream([]),
})

/** The table of a series as it is made of its runs, and those of the runs by themselves. */
async function seriesOf(
  runs: readonly { readonly keys: Of; readonly rows: MadeRun['rows'] }[],
  more: Partial<Manifest> = {},
) {
  const made = runs.map(({ keys, rows }, index) => {
    const varied = Object.entries(keys).map(([option, text]) => ({ option, text }))
    const variant = varied.map(({ option, text }) => `${option}=${text}`).join(', ')
    const { manifest, trials, scores } = madeRun({ rows })
    const inRun = <T extends { readonly methodId: string }>(line: T) => ({
      ...{ ...line, variant, methodId: `${index} ${line.methodId}` },
    })
    const methods = manifest.methods.map((row): MethodRecord => {
      return { ...row, id: `${index} ${row.id}`, variant, varied, run: `${index}` }
    })
    return {
      manifest: { ...manifest, hash: `${index}`, varied, methods },
      trials: trials.map((line) => ({ ...inRun(line), id: `${index} ${line.id}` })),
      scores: scores.map((line) => ({ ...inRun(line), trial: `${index} ${line.trial}` })),
    }
  })
  const series = { runs: made.map(({ manifest }) => manifest), varied: Object.keys(runs[0]?.keys ?? {}), missing: [] }
  const manifest: Manifest = {
    ...madeRun({ rows: {} }).manifest,
    ...{ methods: series.runs.flatMap(({ methods }) => methods), series, ...more },
  }
  const all = { trials: made.flatMap(({ trials }) => trials), scores: made.flatMap(({ scores }) => scores) }
  return {
    table: await tableOf(manifest, journalsOf(all)),
    own: await Promise.all(made.map((one) => tableOf(one.manifest, journalsOf(one)))),
  }
}

const stabilityIn = ({ across }: Table) => {
  if (!across) throw new Error('nothing is said over the runs')
  return across.stability
}

const right = (count: number): Scores => questionsWith(20, (index): MadeOutcome => (index < count ? 1 : 0))

test('above, level and below count runs, shown is what the own table of each run finds', async () => {
  const rows = [
    { a: right(20), b: right(5), c: right(20) },
    { a: right(16), b: right(14), c: right(2) },
    { a: right(10), b: right(12), c: right(1) },
    { a: right(10), b: right(10), c: right(19) },
  ]
  const { table, own } = await seriesOf(rows.map((one, index) => ({ keys: { seed: `${index}` }, rows: one })))
  const { leader, leaderBy, others, untested } = stabilityIn(table)
  expect([leader, leaderBy, untested]).toEqual(['a', 'mean', 0])
  expect(others.find(({ row }) => row === 'b')).toMatchObject({ above: 2, level: 1, below: 1, shown: [1, 0, 0, 0] })
  expect(others.find(({ row }) => row === 'c')).toMatchObject({ above: 2, level: 1, below: 1, shown: [0, 1, 1, -1] })
  const better = own.map(({ comparison }) => comparison?.rows.map((row) => row.better.join('')))
  expect(better).toEqual([
    ['b', '', 'b'],
    ['c', 'c', ''],
    ['c', 'c', ''],
    ['', '', 'ab'],
  ])
  const said = stabilityNotes(stabilityIn(table), 4)
  expect(said).toContain('a is above b in 2 of 4 runs, level in 1, shown in 1, never shown below.')
  expect(said).toContain('a is above c in 2 of 4 runs, level in 1, shown in 2, shown below in 1.')
})

test('the key that turns the order most is named with its counts; nothing where no two runs differ in one key alone', async () => {
  const cell = (size: string, seed: string) => ({
    keys: { size, seed },
    rows: size === '1' ? { a: right(15), b: right(5) } : { a: right(8), b: right(10) },
  })
  const all = await seriesOf([cell('1', '1'), cell('1', '2'), cell('2', '1'), cell('2', '2')])
  expect(stabilityIn(all.table).keys).toEqual([
    { option: 'size', turned: 2, cases: 2 },
    { option: 'seed', turned: 0, cases: 2 },
  ])
  expect(stabilityNotes(stabilityIn(all.table), 4).at(-1)).toContain(
    'turns most with size (2 of 2 cases), then seed (0 of 2 cases)',
  )
  const diagonal = await seriesOf([cell('1', '1'), cell('2', '2')])
  expect(stabilityIn(diagonal.table).keys).toEqual([])
  const same = await seriesOf([cell('1', '1'), cell('1', '2')])
  expect(stabilityNotes(stabilityIn(same.table), 2).join()).not.toContain('turns')
})

test('a baseline is what the others are counted against; many rows are counted in one sentence; few questions show nothing', async () => {
  const rows = Object.fromEntries('abcdefgh'.split('').map((name, index) => [name, right(index + 1)]))
  const runs = ['1', '2'].map((seed) => ({ keys: { seed }, rows }))
  const compare = { baseline: { method: 'c', variant: 'seed=1' } } as const
  const { table } = await seriesOf(runs, { compare })
  expect(stabilityIn(table)).toMatchObject({ leader: 'c', leaderBy: 'baseline' })
  const said = stabilityNotes(stabilityIn(table), 2)
  expect(said).toHaveLength(7)
  expect(said[5]).toBe('c is above the other 2 rows in 4 of 4 cases (a run and a row), never shown to differ.')
  const few = ['1', '2'].map((seed) => ({ keys: { seed }, rows: { a: { q0: 1, q1: 1 }, b: { q0: 0, q1: 0 } } }))
  const tiny = stabilityIn((await seriesOf(few)).table)
  expect(tiny.untested).toBe(2)
  expect(stabilityNotes(tiny, 2)[1]).toContain('In 2 runs no test can show a difference.')
})
