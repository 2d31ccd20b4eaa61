import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import { errorsToDetect } from '../../math/statistics/power.ts'
import { indexLines, journalsOf, madeRun, questionsWith, type MadeRun } from '../../test-support/fake-run.ts'
import { runPower, type PairPower, type RunPower } from './run-power.ts'
import { powerNotes, pairsTable, plansTable } from './messages.ts'

const target = { alpha: 0.05, power: 0.8 }
const { manifest: plain } = madeRun({ rows: {} })
const judge = plain.scorers.map((scorer) => ({ ...scorer, judge: true }))

/** The power of a made run whose rows are compared as its table does; of a row with `indexes` an index each repeat. */
function powerOf(fixture: MadeRun, { difference = 0.03, indexes = 1 } = {}): Promise<RunPower> {
  const { manifest, trials, scores } = madeRun(fixture)
  const journals = journalsOf({ trials: [...indexLines(manifest, () => indexes), ...trials], scores })
  return runPower(manifest, journals, difference)
}

function estimatedIn({ pairs }: RunPower, index = 0): Extract<PairPower, { reason: null }> {
  const pair = pairs[index]
  if (pair?.reason !== null) throw new Error(`not estimated: ${pair?.reason ?? 'no pair'}`)
  return pair
}

const random = mulberry32(11)
const gradedScores = questionsWith(24, () => Math.round(100 * random()) / 100)
const rest = questionsWith(24, () => Math.round(100 * random()) / 100)

describe('the power of a pair of rows', () => {
  test('detects the difference that its table reports, and needs questions by its error', async () => {
    const result = await powerOf({ rows: { a: gradedScores, b: rest } })
    const { error, smallestDifference, needed, questions, clusters, power } = estimatedIn(result)
    expect([questions, clusters, result.needsMost]).toEqual([24, 24, ['a', 'b']])
    expect(smallestDifference).toBeCloseTo(errorsToDetect(target, 23) * error, 12)
    const detects = (n: number): number => errorsToDetect(target, n - 1) * error * Math.sqrt(24 / n)
    expect(detects(needed.questions)).toBeLessThanOrEqual(0.03)
    expect(detects(needed.questions - 1)).toBeGreaterThan(0.03)
    expect(power).toBeGreaterThan(0.05)
    expect(power).toBeLessThan(0.1)
    // the difference that it detects is found with the power wanted
    const equal = estimatedIn(
      await powerOf({ rows: { a: gradedScores, b: rest } }, { difference: smallestDifference ?? NaN }),
    )
    expect(equal.power).toBeCloseTo(0.8, 2)
    expect(equal.needed.questions).toBe(24)
  })

  test('plans whole clusters of mean size', async () => {
    const clusters = questionsWith(24, (index) => `text ${index % 8}`)
    const alike = questionsWith(24, (index) => (index % 8) / 8)
    const result = await powerOf({ rows: { a: alike, b: questionsWith(24, () => 0.5) }, clusters })
    const { needed, questions, clusters: count } = estimatedIn(result)
    expect([questions, count, needed.questions]).toEqual([24, 8, 3 * needed.clusters])
    // all questions of a text say the same: as many texts as there would be of one question each
    const oneRow = (value: (index: number) => number) => questionsWith(8, value)
    const single = await powerOf({ rows: { a: oneRow((index) => index / 8), b: oneRow(() => 0.5) } })
    expect(needed.clusters).toBe(estimatedIn(single).needed.questions)
    expect(pairsTable(result).head).toContain('needs clusters')
    expect(pairsTable(single).head).not.toContain('needs clusters')
  })

  test('recovers the variance of repeats and judge runs; repeats reduce the questions needed', async () => {
    const noise = mulberry32(3)
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - noise())) * Math.cos(2 * Math.PI * noise())
    const row = () =>
      questionsWith(600, () => {
        const question = normal()
        return Array.from({ length: 3 }, () => {
          const repeat = question + 0.5 * normal()
          return [repeat + 0.3 * normal(), repeat + 0.3 * normal()]
        })
      })
    const manifest = { repeats: 3, judgeRuns: 2, scorers: judge }
    const result = await powerOf({ rows: { a: row(), b: row() }, manifest })
    const { variance } = estimatedIn(result)
    expect(variance.between).toBeCloseTo(2, 0)
    expect(variance.repeats).toBeCloseTo(0.5, 1)
    expect(variance.judgeRuns).toBeCloseTo(0.18, 1)
    const questionsAt = (count: number): number =>
      result.plans.find(({ repeats }) => repeats === count)?.questions ?? NaN
    expect(plansTable(result).rows).toHaveLength(4)
    expect(questionsAt(3)).toBe(estimatedIn(result).needed.questions)
    const share = (variance.between + 0.5 + 0.18 / 2) / (variance.between + 0.5 / 5 + 0.18 / 10)
    expect(questionsAt(1) / questionsAt(5)).toBeCloseTo(share, 1)
  })
})

describe('between-index variance', () => {
  const noise = mulberry32(8)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - noise())) * Math.cos(2 * Math.PI * noise())
  const row = (shifts: readonly number[]) =>
    questionsWith(300, () => {
      const question = 0.2 * normal()
      return shifts.map((shift) => [0, 0].map(() => question + shift + 0.05 * normal()))
    })
  const fixture = (shifts: readonly number[]): MadeRun => ({
    rows: { a: row(shifts), b: row(shifts.map(() => 0)) },
    manifest: { repeats: shifts.length, judgeRuns: 2, scorers: judge },
  })

  test('requires more indexes, since questions do not reduce it', async () => {
    const result = await powerOf(fixture([0.04, -0.04, 0]), { difference: 0.06, indexes: 3 })
    const { luck: shifts, variance, error, needed } = estimatedIn(result)
    expect(shifts).toMatchObject({ indexes: 3, deviation: expect.closeTo(0.04, 2) })
    expect(error).toBeGreaterThan(0.04 / Math.sqrt(3))
    expect(variance.crossed?.index).toBeCloseTo(0.04 ** 2, 3)
    expect(needed.questions).toBe(Infinity)
    expect(shifts?.needed).toBeGreaterThan(5)
    expect(result.plans.map(({ repeats }) => repeats)).toEqual([10, 20])
    expect(pairsTable(result).rows[0]?.map(({ text }) => text)).toContain('more indexes')
    const notes = powerNotes(result).join('\n')
    expect(notes).toContain(`Detecting 6.0 points takes ${shifts?.needed} indexes (repeats) or more.`)
    expect(notes).toMatch(/crossed components: index 0\.001\d+, question × index /)
  })

  test('is unknown with two indexes', async () => {
    const result = await powerOf(fixture([0.04, -0.04]), { difference: 0.06, indexes: 2 })
    expect(estimatedIn(result).luck).toEqual({ indexes: 2, deviation: null, needed: null })
    expect(powerNotes(result).join('\n')).toContain('is unknown: run the pilot with repeats: 3.')
  })
})

describe('pairs without an estimate', () => {
  test.each<[string, MadeRun, string]>([
    ['no shared question', { rows: { a: { x: 1 }, b: { y: 0 } } }, 'no question has a score in both rows'],
    ['one question', { rows: { a: { x: 1 }, b: { x: 0 } } }, 'one question gives no variance'],
    [
      'one cluster',
      { rows: { a: questionsWith(9, Number), b: questionsWith(9, () => 0) }, clusters: questionsWith(9, () => 'c') },
      'one cluster of 9 questions gives no variance',
    ],
    [
      'no variance but rounding',
      { rows: { a: questionsWith(9, (i) => 0.1 * i + 0.2), b: questionsWith(9, (i) => 0.1 * i) } },
      'no variance: the difference is the same on all 9 questions',
    ],
  ])('%s', async (_label, fixture, reason) => {
    const result = await powerOf(fixture)
    expect(result).toMatchObject({ pairs: [{ a: 'a', b: 'b', reason }], plans: [], needsMost: null })
    expect(powerNotes(result)).toEqual([`a vs b: no estimate: ${reason}.`])
  })

  test('are counted where they are many, and the other pairs are estimated', async () => {
    const equal = questionsWith(24, () => 1)
    const result = await powerOf({ rows: { a: gradedScores, b: rest, c: equal, d: equal, e: equal, f: equal } })
    expect(result.pairs.filter(({ reason }) => reason === null)).toHaveLength(9)
    expect(powerNotes(result).join('\n')).toMatch(/^6 of 15 pairs: no estimate: .* the same on all 24 questions\.$/m)
  })

  test('get no plan with repeats after a pilot with one', async () => {
    const result = await powerOf({ rows: { a: gradedScores, b: rest }, manifest: { scorers: judge } })
    expect(estimatedIn(result).variance).toMatchObject({ repeats: null, judgeRuns: null })
    expect(result.plans).toMatchObject([{ repeats: 1 }])
    expect(powerNotes(result).filter((note) => note.includes('is unknown'))).toHaveLength(1)
  })

  test('detects nothing with five questions, which cannot reach the level', async () => {
    const five = await powerOf({ rows: { a: questionsWith(5, (i) => i / 5), b: questionsWith(5, (i) => (i % 2) / 2) } })
    expect(estimatedIn(five)).toMatchObject({ smallestDifference: null, power: 0 })
    expect(powerNotes(five)).toContain('a vs b: too few questions for p = 0.05.')
  })

  test('reads a negative variance between questions as 0', async () => {
    const row = questionsWith(8, (i) => [[i % 2], [(i + 1) % 2]])
    const result = await powerOf({
      rows: { a: row, b: questionsWith(8, (i) => [[0.1 * i], [0.1 * i]]) },
      manifest: { repeats: 2 },
    })
    expect(estimatedIn(result).variance.between).toBeLessThan(0)
    expect(powerNotes(result).join()).toContain('the variance between questions counts as 0')
  })

  test('refuses a run with fewer than two rows', async () => {
    await expect(powerOf({ rows: { a: gradedScores } })).rejects.toThrow('fewer than two rows')
    await expect(powerOf({ rows: { a: questionsWith(2, () => 'trial failed' as const), b: {} } })).rejects.toThrow(
      'no row has a score yet',
    )
  })
})

test('a clustered binary score adds half a step to the detectable difference', async () => {
  const yes = (share: number) => questionsWith(24, (i) => Number((7 * i) % 24 < share))
  const clusters = questionsWith(24, (i) => `text ${i % 8}`)
  const { error, smallestDifference } = estimatedIn(await powerOf({ rows: { a: yes(12), b: yes(9) }, clusters }))
  expect(smallestDifference).toBeCloseTo(errorsToDetect(target, 7) * error + 1 / 24, 12)
})
