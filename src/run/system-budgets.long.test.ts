import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gembench, resultsOf } from '../test-support/cli.ts'
import { tinyProject, writeConfig } from '../test-support/tiny.ts'
import { readResults } from '../test-support/read-results.ts'

const wide = { use: 'bm25', analyser: 'plain', label: 'wide', budget: { passages: 4, tokens: 500 } }

test('a row with a separate budget uses it, and the table says that budgets differ', async () => {
  const project = await tinyProject({ methods: ['bm25', wide] })
  const folder = await resultsOf(project)
  const { trials } = await readResults(join(project, folder))
  const most = (label: string): number =>
    Math.max(...trials.filter(({ method }) => method === label).map(({ context }) => context.length))
  expect([most('bm25'), most('wide')]).toEqual([1, 3])
  expect(await readFile(join(project, folder, 'table.md'), 'utf8')).toContain(
    'Unequal budgets: wide 4 passages and 500 tokens; the others 2 passages and 60 tokens. Differences may come from the budgets.',
  )
})

test('a partial budget takes the rest from the common one; another budget is another row; an invalid one is refused with its place', async () => {
  const project = await tinyProject({ methods: [{ ...wide, budget: { passages: 1 } }] })
  const plan = async () => JSON.parse((await gembench(project, 'validate', '-c', 'tiny.yaml', '--json')).out) as object
  expect(await plan()).toMatchObject({ config: { methods: [{ budget: { passages: 1 } }] } })
  await writeConfig(project, { methods: [{ ...wide, budget: { pasages: 1 } }] })
  expect(await gembench(project, 'validate', '-c', 'tiny.yaml')).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /^error tiny\.yaml:\d+:\d+: unknown key in methods\.0\.budget: "pasages"; did you mean "passages"/,
    ) as string,
  })
})
