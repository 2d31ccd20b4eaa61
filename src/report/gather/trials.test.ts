import { expect, test } from 'vitest'
import type { Stop } from '../../records.ts'
import { madeRun, questionsWith } from '../../test-support/fake-run.ts'
import { gatherTrials } from './trials.ts'

test('counts a context as cut off only where a token limit ended it', async () => {
  const { manifest, trials } = madeRun({ rows: { a: questionsWith(6, () => 1) } })
  const stops: readonly Stop[] = ['end', 'passages', 'passages', 'tokens', 'end', 'passages']
  async function* lines() {
    for (const [index, trial] of trials.entries()) yield { ...trial, stopped: stops[index] ?? 'end' }
  }
  const { rows } = await gatherTrials(manifest, lines())
  expect(Array.from(rows.values(), ({ trials: count, cutContexts }) => [count, cutContexts])).toEqual([[6, 1]])
})
