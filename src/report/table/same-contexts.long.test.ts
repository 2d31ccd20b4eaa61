import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resultsOf } from '../../test-support/cli.ts'
import { tinyProject } from '../../test-support/tiny.ts'

async function tableWith(methods: readonly unknown[]): Promise<string> {
  const project = await tinyProject({ methods, repeats: 2, budget: { passages: 6, tokens: 400 } })
  return readFile(join(project, await resultsOf(project), 'table.md'), 'utf8')
}

test('names two rows with the same passages for nearly all questions', async () => {
  const table = await tableWith(['bm25', { use: 'bm25', label: 'again', k1: 0.91 }, 'vector'])
  expect(table).toContain('Nearly identical contexts: bm25 and again (6 of 6).')
  expect(table).not.toMatch(/Same contexts.*vector/)
})
