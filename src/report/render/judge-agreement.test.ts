import { expect, test } from 'vitest'
import { madeTable } from '../../test-support/fake-run.ts'
import { notesOf } from './notes.ts'

/** Notes on runs of a judge that score a question so. */
async function judged(scores: readonly number[]): Promise<readonly string[]> {
  const { manifest, table } = await madeTable({ rows: { a: { q: scores } } }, (made) => ({
    ...made,
    judgeRuns: scores.length,
    scorers: made.scorers.map((scorer) => ({ ...scorer, judge: true })),
  }))
  return notesOf(manifest, table).filter((note) => /judge runs/i.test(note) && !note.startsWith('Scores'))
}

test('notes that judge runs without variance carry no information on the errors of a judge', async () => {
  expect(await judged([1, 1])).toEqual(['All judge runs agree: their spread does not measure errors.'])
  expect(await judged([1, 0])).toEqual([])
  expect(await judged([1])).toEqual([])
})
