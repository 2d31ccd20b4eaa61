import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { tinyProject } from '../test-support/tiny.ts'
import { run } from './run.ts'

test('a config that varies a key of its own gives the table of all its runs', async () => {
  const cwd = await tinyProject()
  const config = {
    name: 'mine',
    dataset: { use: 'sample', path: 'data' },
    models: { embed: 'fake' },
    methods: ['bm25'],
  }
  const one = await run(config, { cwd })
  expect(one.runs).toEqual([one.folder])
  const { folder, runs, table, manifest } = await run({ ...config, vary: { seed: [1, 2] } }, { cwd })
  expect(basename(folder)).toBe(`mine-series-${manifest.hash}`)
  expect(runs).toHaveLength(2)
  expect(table.rows.map(({ method, variant, trials }) => [method, variant, trials])).toEqual([
    ['bm25', 'seed=1', 3],
    ['bm25', 'seed=2', 3],
  ])
})
