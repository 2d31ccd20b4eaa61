import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import { check, fillLabels, manifest, results, sampleOf, world, type Made } from '../../test-support/judged-results.ts'
import type { JudgeCheck } from './judge-check.ts'
import { checkNotes, checkTables, labelsLine } from './messages.ts'

/** Answers of one row to so many questions, with the verdicts of a person and of the judge. */
const answersOf = (count: number, verdicts: (question: number) => Pick<Made, 'human' | 'judge'>) =>
  results(Array.from({ length: count }, (_, question): Made => ({ row: 'good', question, ...verdicts(question) })))

const measureIn = ({ agreement }: JudgeCheck, name: string) => agreement.find(({ measure }) => measure === name)

describe('the check of a judge against human labels', () => {
  test('recovers the known errors of a judge', async () => {
    // of 20 right answers the judge accepts 18, of 20 wrong ones 5
    const folder = answersOf(40, (question) => ({
      human: question < 20 ? 1 : 0,
      judge: question < 18 || question >= 35 ? 1 : 0,
    }))
    const result = await check(folder, fillLabels((await sampleOf(folder)).answers, folder.verdictOf))
    expect(result).toMatchObject({ labels: { answers: 40, questions: 40 }, isBinary: true })
    // (33/40 - 1/2) / (1/2)
    expect(measureIn(result, "Cohen's κ")?.value).toBeCloseTo(0.65, 12)
    expect(measureIn(result, 'sensitivity')).toMatchObject({ value: 0.9, n: 20 })
    expect(measureIn(result, 'specificity')).toMatchObject({ value: 0.75, n: 20 })
    expect(measureIn(result, 'difference, judge minus human')?.value).toBeCloseTo(3 / 40, 12)
    // all questions have a label: nothing is left to the judge
    expect(result.rows[0]).toMatchObject({ labelled: 40, human: 0.5, judge: { n: 40, mean: 23 / 40 } })
    expect(result.rows[0]?.corrected).toMatchObject({ mean: 0.5, lambda: 0 })
    expect(result.rows[0]?.roganGladen?.estimate).toBeCloseTo(0.5, 12)
  })

  test('counts unused label lines, and refuses labels of another results folder', async () => {
    const folder = world(30, 1)
    const { answers } = await sampleOf(folder)
    const text = fillLabels(answers, (answer, i) => (i === 0 ? '' : folder.verdictOf(answer)))
    const last = text.trimEnd().split('\n').at(-1) ?? ''
    const result = await check(folder, `${text}${last}\na0,judged,1\n`)
    expect(result.labels).toMatchObject({ lines: 61, answers: 59, blank: 1, unknown: 1 })
    expect(labelsLine(result)).toBe(
      'judged, right: 59 labelled answers to 30 questions, of 61 lines; not used: 1 without a verdict, 1 of answers that this results folder does not have',
    )
    const second = { ...folder, manifest: { ...manifest, hash: 'ffff0000' } }
    await expect(check(second, text)).rejects.toThrow(/labels\.csv: none of its ids .* \(made-ffff0000\)/)
  })

  test('applies labels only to the rows that were sampled', async () => {
    const folder = world(30, 1)
    const { answers } = await sampleOf(folder)
    const ofGood = answers.filter(({ answer }) => /[02468]$/.test(answer))
    const result = await check(folder, fillLabels(ofGood, folder.verdictOf))
    expect(result.rows.map(({ method: name, labelled }) => [name, labelled])).toEqual([
      ['good', 30],
      ['poor', 0],
    ])
  })

  test('concludes nothing from 19 questions, and has no interval for constant labels', async () => {
    const folder = world(100, 3)
    const few = await check(folder, fillLabels((await sampleOf(folder, { size: 19 })).answers, folder.verdictOf))
    expect(few.agreement).toEqual([])
    for (const row of few.rows) expect(row).toMatchObject({ labelled: 19, corrected: null })
    expect(few.rows.map(({ roganGladen }) => roganGladen)).toEqual([null, null])
    expect(checkTables(few)).toHaveLength(1)
    expect(checkNotes(few)[0]).toBe('–: fewer than 20 labelled questions.')
    const equal = await check(
      folder,
      fillLabels((await sampleOf(folder, { size: 30 })).answers, () => 'yes'),
    )
    expect(equal.rows[0]?.corrected).toMatchObject({ error: null, low: null, high: null })
    expect(checkNotes(equal).join(' ')).toContain('60 answers share 30 questions')
    expect(measureIn(equal, 'specificity')).toMatchObject({ value: null, n: 0 })
    expect(equal.rows[0]?.roganGladen).toBeNull()
  })

  test('gives a judge that always agrees a κ of 1 without an interval', async () => {
    const folder = world(60, 4)
    const random = mulberry32(1)
    const perfect = answersOf(60, () => {
      const human = random() < 0.5 ? 1 : 0
      return { human, judge: human }
    })
    const result = await check(perfect, fillLabels((await sampleOf(perfect)).answers, perfect.verdictOf))
    expect(measureIn(result, "Cohen's κ")).toMatchObject({ value: 1, error: null, low: null, high: null })
    expect(measureIn(result, 'difference, judge minus human')).toMatchObject({ value: 0, low: null, high: null })
    expect(result.rows[0]?.corrected?.error).toBeNull()
    const imperfect = await check(folder, fillLabels((await sampleOf(folder)).answers, folder.verdictOf))
    expect(measureIn(imperfect, "Cohen's κ")?.error).toBeGreaterThan(0)
  })

  test('gives graded scores their difference alone, and no Rogan–Gladen estimate', async () => {
    const folder = answersOf(40, (question) => ({ human: (question % 5) / 4, judge: (question % 7) / 6 }))
    const result = await check(folder, fillLabels((await sampleOf(folder)).answers, folder.verdictOf))
    expect(result.agreement).toHaveLength(1)
    expect(result.rows[0]).not.toHaveProperty('roganGladen')
  })
})
