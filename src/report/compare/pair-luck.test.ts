import { expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { indexLines, journalsOf, madeRun, questionsWith } from '../../test-support/made-run.ts'
import { diffRuns } from '../diff/diff-runs.ts'
import { testLines } from '../diff/words.ts'
import { notesOf } from '../render/notes.ts'
import { tableOf, type Table } from '../table/table.ts'
import { comparePair, scoredSide } from './compare-pair.ts'

/** Scores of 60 questions; each repeat's are moved by `luck`. */
function row(seed: number, luck: readonly number[]) {
  const random = mulberry32(seed)
  return questionsWith(60, () => {
    const question = random()
    return luck.map((moved) => [0.3 * question + 0.1 * random() + moved])
  })
}

/** A run of which the rows named have an index for each repeat. */
function runWith(rows: Readonly<Record<string, ReturnType<typeof row>>>, own: readonly string[]) {
  const repeats = Object.values(Object.values(rows)[0] ?? {})[0]?.length ?? 0
  const { manifest, trials, scores } = madeRun({ rows, manifest: { repeats } })
  const lines = indexLines(manifest, (method) => (own.includes(method) ? repeats : 1))
  return { manifest, ...journalsOf({ trials: [...lines, ...trials], scores }) }
}

/** The table of rows a and b, of which those named have an index for each repeat. */
async function tableWith(
  rows: Readonly<Record<'a' | 'b', ReturnType<typeof row>>>,
  own: readonly string[],
): Promise<{ readonly table: Table; readonly notes: string }> {
  const { manifest, ...journals } = runWith(rows, own)
  const table = await tableOf(manifest, journals)
  return { table, notes: notesOf(manifest, table).join('\n') }
}

const pairOf = ({ table: { comparison } }: { readonly table: Table }) => comparison?.pairs[0]
const lucky = { a: row(1, [0.2, 0.02, 0.1]), b: row(2, [0, 0, 0]) }

test('from three indexes on their luck is in errors and tests: a row whose indexes differ earns no letter by them', async () => {
  const [nested, crossed] = [await tableWith(lucky, []), await tableWith(lucky, ['a'])]
  expect(pairOf(nested)).toMatchObject({ test: 'sign flips', p: expect.closeTo(1e-4, 4) })
  const pair = pairOf(crossed)
  expect(pair).toMatchObject({ test: 't', luck: { indexes: 3, deviation: expect.closeTo(0.09, 2) } })
  expect(pair?.p).toBeGreaterThan(0.1)
  expect(pair?.difference).toBe(pairOf(nested)?.difference)
  // the error of three indexes alone
  expect(pair?.error).toBeGreaterThan(0.09 / Math.sqrt(3))
  expect(pair?.degrees).toBeLessThan(3)
  const cell = ({ table }: typeof nested, name: string) => table.cells.find(({ method }) => method === name)
  expect(cell(crossed, 'a')?.luck?.deviation).toBeCloseTo(0.09, 2)
  expect(cell(crossed, 'a')?.error).toBeGreaterThan(3 * (cell(nested, 'a')?.error ?? NaN))
  expect(cell(crossed, 'b')).toEqual(cell(nested, 'b'))
  expect(crossed.notes).toContain('t test with between-index variance in the error')
  expect(crossed.notes).toMatch(
    /accuracy: errors, intervals and tests include the standard deviation between indexes: a 9\.\d of 3 indexes\./,
  )
  expect(nested.notes).not.toContain('luck')
})

test('luck that two rows share cancels in their difference', async () => {
  const luck = [0.2, 0.02, 0.1]
  const found = await tableWith({ a: row(1, luck), b: row(2, luck) }, ['a', 'b'])
  expect(pairOf(found)?.luck?.deviation).toBeLessThan(0.01)
  expect(pairOf(found)?.error).toBeLessThan(0.03)
  expect(found.table.cells.filter(({ luck: own }) => (own?.deviation ?? 0) > 0.08)).toHaveLength(2)
})

test('two indexes say too little: the test is as before, and a note says that their luck is not in it', async () => {
  const two = { a: row(1, [0.2, 0.02]), b: row(2, [0, 0]) }
  const [nested, crossed] = [await tableWith(two, []), await tableWith(two, ['a'])]
  const { luck, ...pair } = pairOf(crossed) ?? {}
  expect(luck).toEqual({ indexes: 2, deviation: null })
  expect(pair).toEqual(pairOf(nested))
  expect(crossed.notes).toContain(
    'Errors, intervals and tests of a exclude between-index variance: it takes 3 indexes (repeats: 3).',
  )
})

test('diff has the luck of three indexes in its test and in that of a loss, and says so', async () => {
  const diffOf = (luck: readonly number[], own: readonly string[]) =>
    diffRuns(
      { name: 'old', ...runWith({ a: row(1, luck) }, own) },
      { name: 'new', ...runWith({ a: row(2, [0, 0, 0].slice(0, luck.length)) }, own) },
      undefined,
      0.05,
    )
  const [nested, crossed] = [await diffOf([0.2, 0.02, 0.1], []), await diffOf([0.2, 0.02, 0.1], ['a'])]
  expect(nested.rows[0]).toMatchObject({ verdict: 'worse', test: { test: 'sign flips' } })
  expect(crossed.rows[0]).toMatchObject({
    verdict: 'no difference shown',
    test: { test: 't', luck: { indexes: 3 }, difference: nested.rows[0]?.test?.difference },
  })
  expect(crossed.rows[0]?.test?.lost?.largest).toBeGreaterThan((nested.rows[0]?.test?.lost?.largest ?? NaN) + 0.1)
  expect(testLines(crossed).join()).toMatch(/\(t test\); with the luck of 3 indexes in the error\./)
  const two = await diffOf([0.2, 0.02], ['a'])
  expect(two.rows[0]?.test).toMatchObject({ test: 'sign flips', luck: { indexes: 2, deviation: null } })
  expect(testLines(two).join()).toContain('; the luck of 2 indexes is not in the error: that takes three.')
})

test('so has the comparison of two rows of a claim', () => {
  const scores = (values: ReturnType<typeof row>) =>
    Object.values(values).map((repeats, question) => ({
      question,
      mean: mean(repeats.flat()),
      repeats: repeats.map(([value = NaN], repeat) => ({ repeat, values: [{ run: 0, value }] })),
    }))
  const [a, b] = [scores(lucky.a), scores(lucky.b)]
  const found = (own: boolean) => comparePair(scoredSide(a, own), scoredSide(b, false), (question) => question, 1)
  expect(found(false)).toMatchObject({ test: 'sign flips', p: expect.closeTo(1e-4, 4) })
  expect(found(true)).toMatchObject({ test: 't', questions: 60, difference: found(false)?.difference })
  expect(found(true)?.p).toBeGreaterThan(0.1)
})
