import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import { check, filled, manifest, results, sampleOf, world, type Made } from '../../test-support/judged-results.ts'
import { agreementTable, pairsTable, rowsTable, checkNotes, labelsLine } from './check-grids.ts'

describe('the check', () => {
  test('of a judge whose errors are known', async () => {
    const folder = results(
      Array.from({ length: 40 }, (_, question): Made => {
        // of 20 right answers the judge accepts 18, of 20 wrong ones 5
        const human = question < 20 ? 1 : 0
        return { row: 'good', question, human, judge: question < 18 || question >= 35 ? 1 : 0 }
      }),
    )
    const found = await check(folder, filled((await sampleOf(folder)).answers, folder.verdictOf))
    expect(found.agreement).toMatchObject({ answers: 40, questions: 40 })
    // (33/40 - 1/2) / (1/2)
    expect(found.agreement?.binary?.kappa?.value).toBeCloseTo(0.65, 12)
    expect(found.agreement?.binary).toMatchObject({
      threshold: 0.5,
      agreement: { share: 33 / 40, n: 40 },
      sensitivity: { share: 0.9, n: 20 },
      specificity: { share: 0.75, n: 20 },
    })
    expect(found.agreement?.difference.mean).toBeCloseTo(3 / 40, 12)
    // all questions have a label: nothing is left to the judge
    expect(found.rows[0]).toMatchObject({ labelled: 40, human: 0.5, judge: { n: 40, mean: 23 / 40 } })
    expect(found.rows[0]?.corrected).toMatchObject({ mean: 0.5, lambda: 0 })
    expect(found.rows[0]?.roganGladen?.estimate).toBeCloseTo(0.5, 12)
  })

  test('counts the lines that it does not use, and refuses labels of another results folder', async () => {
    const folder = world(30, 1)
    const { answers } = await sampleOf(folder)
    const text = filled(answers, (one, i) => (i === 0 ? '' : folder.verdictOf(one)))
    const last = text.trimEnd().split('\n').at(-1) ?? ''
    const found = await check(folder, `${text}${last}\na0,judged,1\n`)
    expect(found.labels).toEqual({ lines: 62, used: 59, blank: 1, unknown: 1, unscored: 0, repeated: 1 })
    expect(labelsLine(found)).toBe(
      'judged, right: 59 labelled answers to 30 questions, of 62 lines; not used: 1 without a verdict, 1 of answers that this results folder does not have, 1 repeated',
    )
    const other = { ...folder, manifest: { ...manifest, hash: 'ffff0000' } }
    await expect(check(other, text)).rejects.toThrow(
      'labels.csv: none of its ids is of an answer of this results folder (made-ffff0000)',
    )
  })

  test('labels hold only for the rows that they were drawn of, even where another gave the same answer', async () => {
    const made = Array.from({ length: 30 }, (_, question) =>
      ['good', 'poor'].map((row): Made => ({
        row,
        question,
        human: question % 2,
        judge: 1,
        answer: `same ${question}`,
      })),
    ).flat()
    const folder = results(made)
    const { answers } = await sampleOf(folder, { methods: ['good'] })
    const found = await check(folder, filled(answers, folder.verdictOf))
    expect(found.rows.map(({ method: name, labelled }) => [name, labelled])).toEqual([
      ['good', 30],
      ['poor', 0],
    ])
    expect(found.pairs).toEqual([])
  })

  test('concludes nothing from 19 questions, and no interval from labels that are all the same', async () => {
    const folder = world(100, 3)
    const few = await check(folder, filled((await sampleOf(folder, { size: 19 })).answers, folder.verdictOf))
    expect(few.agreement).toBeNull()
    for (const one of [...few.rows, ...few.pairs]) expect(one).toMatchObject({ labelled: 19, corrected: null })
    expect(few.rows.map(({ roganGladen }) => roganGladen)).toEqual([null, null])
    expect(agreementTable(few)).toBeUndefined()
    expect(checkNotes(few)[0]).toBe('Nothing is concluded (–) from fewer than 20 labelled questions.')
    const same = await check(
      folder,
      filled((await sampleOf(folder, { size: 30 })).answers, () => 'yes'),
    )
    expect(same.rows[0]?.corrected).toMatchObject({ error: null, low: null, high: null })
    expect(same.agreement?.binary?.specificity).toBeNull()
    expect(same.rows[0]?.roganGladen).toBeNull()
    expect(checkNotes(same).join(' ')).toContain('no interval where the labels are all the same')
  })

  test('a judge that always agrees has a κ of 1 whose interval is not known', async () => {
    const folder = world(60, 4)
    const random = mulberry32(1)
    const perfect = results(
      Array.from({ length: 60 }, (_, question): Made => {
        const human = random() < 0.5 ? 1 : 0
        return { row: 'good', question, human, judge: human }
      }),
    )
    const found = await check(perfect, filled((await sampleOf(perfect)).answers, perfect.verdictOf))
    expect(found.agreement?.binary?.kappa).toEqual({ value: 1, error: null, low: null, high: null })
    expect(found.agreement?.difference).toEqual({ mean: 0, low: null, high: null })
    expect(found.rows[0]?.corrected?.error).toBeNull()
    const imperfect = await check(folder, filled((await sampleOf(folder)).answers, folder.verdictOf))
    expect(imperfect.agreement?.binary?.kappa?.error).toBeGreaterThan(0)
  })

  test('graded scores have κ only from a threshold, and no Rogan–Gladen', async () => {
    const folder = results(
      Array.from({ length: 40 }, (_, question): Made => ({
        row: 'good',
        question,
        human: (question % 5) / 4,
        judge: (question % 7) / 6,
      })),
    )
    const text = filled((await sampleOf(folder)).answers, folder.verdictOf)
    const [graded, cut] = [await check(folder, text), await check(folder, text, 0.5)]
    expect(graded.agreement?.binary).toBeUndefined()
    expect(graded.rows[0]).not.toHaveProperty('roganGladen')
    expect(graded.agreement?.absoluteDifference).toBeGreaterThan(0)
    expect(cut.agreement?.binary?.threshold).toBe(0.5)
    expect(checkNotes(cut).join(' ')).toContain('take scores of 0.5 or more as right')
  })

  test('prints the judge and what is corrected side by side', async () => {
    const folder = world(200, 5)
    const found = await check(folder, filled((await sampleOf(folder, { size: 60 })).answers, folder.verdictOf))
    expect(rowsTable(found).head.slice(1, 7)).toEqual([
      ...['judge', 'questions', 'labelled', 'human', 'corrected', '95 % interval'],
    ])
    const [row = []] = rowsTable(found).rows
    expect(row.map(({ text }) => text).join(' | ')).toMatch(
      /^good \| \d\d\.\d ±\d\.\d \| 200 \| 60 \| \d\d\.\d \| \d\d\.\d ±\d\.\d \| \d\d\.\d to \d\d\.\d/,
    )
    expect(pairsTable(found)?.rows[0]?.[0]?.text).toBe('good - poor')
    expect(agreementTable(found)?.rows.map(([name]) => name?.text)).toContain("Cohen's κ")
    expect(checkNotes(found).join(' ')).toContain('here 120 answers share 60 questions')
  })
})

test('corrected means and differences hold the truth as often as they say, although the judge is biased', async () => {
  const draws = 100
  const hits = { good: 0, difference: 0 }
  let judged = 0
  let corrected = 0
  for (let seed = 0; seed < draws; seed++) {
    const folder = world(100, seed)
    const found = await check(folder, filled((await sampleOf(folder, { size: 40, seed })).answers, folder.verdictOf))
    const within = (one: { low: number | null; high: number | null } | null | undefined, truth: number): number =>
      (one?.low ?? 9) <= truth && truth <= (one?.high ?? -9) ? 1 : 0
    hits.good += within(found.rows[0]?.corrected, 0.8)
    hits.difference += within(found.pairs[0]?.corrected, 0.4)
    judged += (found.pairs[0]?.judge.mean ?? NaN) / draws
    corrected += (found.pairs[0]?.corrected?.mean ?? NaN) / draws
  }
  // the judge sees .4 of the difference; four binomial errors of 100 draws are .087
  expect(judged).toBeLessThan(0.2)
  expect(Math.abs(corrected - 0.4)).toBeLessThan(0.05)
  for (const count of Object.values(hits)) expect(Math.abs(count / draws - 0.95)).toBeLessThan(0.0872)
})
