import { expect, test } from 'vitest'
import { judgeAgreement } from './notes-on-scores.ts'

const manifest = (judgeRuns: number) => ({
  judgeRuns,
  scorers: [
    { scorer: 'faithfulness', judge: true },
    { scorer: 'accuracy', judge: false },
  ],
})

const table = (...cells: readonly (readonly [scorer: string, runs: number, variance: number | null])[]) => ({
  cells: cells.map(([scorer, runs, variance]) => ({ scorer, judgeRuns: runs, judgeVariance: variance })),
})

test('runs at temperature 0 are said to repeat themselves', () => {
  const judge = (temperature: number) => ({ ...manifest(5), models: { judge: { parameters: { temperature } } } })
  const differing = table(['faithfulness', 5, 0.1])
  expect(judgeAgreement(judge(0), differing)).toEqual([
    'The judge runs at temperature 0: its runs repeat themselves, and their spread says nothing of its errors.',
  ])
  expect(judgeAgreement(judge(1), differing)).toEqual([])
  expect(judgeAgreement({ ...judge(0), judgeRuns: 1 }, differing)).toEqual([])
})

test.each([
  ['equal runs', 5, [['faithfulness', 5, 0] as const, ['accuracy', 1, null] as const], 1],
  ['runs that differ in one cell', 5, [['faithfulness', 5, 0] as const, ['faithfulness', 5, 1e-9] as const], 0],
  ['one judge run', 1, [['faithfulness', 2, 0] as const], 0],
  ['nothing scored', 5, [['faithfulness', 0, null] as const], 0],
  ['equal repeats without a judge', 5, [['accuracy', 3, 0] as const], 0],
])('%s', (_what, judgeRuns, cells, notes) => {
  expect(judgeAgreement(manifest(judgeRuns), table(...cells))).toHaveLength(notes)
})
