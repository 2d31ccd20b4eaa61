import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { IndexLine, TrialLine } from '../records.ts'
import { tinyPlan, tinyProject, tinySettings } from '../test-support/tiny.ts'
import { openResults } from './results/series.ts'
import { run } from './run.ts'

/** A method that gives the texts of both documents of the tiny project, whatever it was indexed with. */
const keeper = `import { z } from 'gembench'
  const passage = (text, score) => ({ text, score, from: [], kind: 'facts' })
  export const mine = { name: 'keeper', summary: '', options: z.strictObject({}), costs: () => 'unknown', index: async () => ({
    retrieve: async () => [passage('So they say: Edric Sloe baked there for twenty years.', 2),
      passage('When the weir broke in 1903, the wheel stopped.', 1)] }) }`

async function ran(set: readonly string[]): Promise<readonly (IndexLine | TrialLine)[]> {
  const project = await tinyProject()
  await writeFile(join(project, 'keeper.mjs'), keeper)
  const plan = await tinyPlan(project, ['methods=[bm25, vector, ./keeper.mjs]', ...set])
  const { folder, manifest } = await run(plan, tinySettings(project))
  expect(manifest.dataset.documents).toBe(set.length > 0 && set[0] !== 'dataset.drop=0' ? 1 : 2)
  const lines: (IndexLine | TrialLine)[] = []
  for await (const line of (await openResults(folder, '')).trials()) lines.push(line)
  return lines
}

test('with dataset.drop an index keeps its calls, and a context that quotes deleted text is marked', async () => {
  const lines = await ran(['dataset.drop=1'])
  for (const line of lines)
    if (line.line === 'trial') {
      expect(line.failure).toBeUndefined()
      expect([line.method, line.deleted]).toEqual([line.method, line.method === 'keeper' ? true : undefined])
    } else {
      const calls = Object.values(line.calls ?? { none: [NaN, NaN, NaN] })
      expect(calls.reduce((sum, [, , tokens]) => sum + tokens, 0)).toBe(line.usage.embeddedTokens)
      expect(calls.length > 0).toBe(line.method === 'vector')
    }
  const all = await ran(['dataset.drop=0'])
  expect(all.some((line) => line.line === 'trial' && line.deleted)).toBe(false)
  const few = lines.find((line) => line.line === 'index' && line.method === 'vector')
  const many = all.find((line) => line.line === 'index' && line.method === 'vector')
  if (few?.line !== 'index' || many?.line !== 'index') throw new Error('no index')
  expect(Object.keys(many.calls ?? {})).toEqual(expect.arrayContaining(Object.keys(few.calls ?? {})))
  for (const line of await ran([])) expect(line).not.toHaveProperty('calls')
})
