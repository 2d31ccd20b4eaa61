import { expect, test } from 'vitest'
import { tinyPlan, tinyProject, tinySettings } from '../test-support/tiny.ts'
import { query } from './query.ts'

test('a reply states why its context ends: no passage, or none that fits the budget', async () => {
  const project = await tinyProject({ chunks: { by: 'none' } })
  const ask = async (question: string, tokens: number) => {
    const plan = await tinyPlan(project, [`budget.tokens=${tokens}`])
    const { passages, stopped: stop, answer } = await query(plan, { method: 'bm25', question }, tinySettings(project))
    return [passages.length, stop, answer?.canned ?? false]
  }
  expect(await ask('builder', 500)).toEqual([1, 'end', false])
  expect(await ask('builder', 1)).toEqual([0, 'tokens', true])
  expect(await ask('zzz qqq', 500)).toEqual([0, 'end', true])
})
