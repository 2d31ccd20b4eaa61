import { expect, test } from 'vitest'
import type { Manifest } from '../../records.ts'
import { madeTable } from '../../test-support/fake-run.ts'
import { notesOf } from './notes.ts'

/** Notes on runs of a judge that score a question so. */
async function judged(scores: readonly number[], more: Partial<Manifest> = {}): Promise<readonly string[]> {
  const { manifest, table } = await madeTable({ rows: { a: { q: scores } } }, (made) => ({
    ...made,
    judgeRuns: scores.length,
    scorers: made.scorers.map((scorer) => ({ ...scorer, judge: true })),
    ...more,
  }))
  return notesOf(manifest, table).filter((note) => /judge runs/i.test(note) && !note.startsWith('Scores'))
}

test('notes that judge runs without variance carry no information on the errors of a judge', async () => {
  expect(await judged([1, 1])).toEqual(['All judge runs agree: their spread does not measure errors.'])
  expect(await judged([1, 0])).toEqual([])
  expect(await judged([1])).toEqual([])
  const judge = { provider: 'openai', model: 'm', parameters: { temperature: 0 } }
  const [note] = await judged([1, 0], { models: { complete: judge, embed: judge, judge } })
  expect(note).toContain('temperature 0')
})
