import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { paperTable } from '../paper/paper-table.ts'
import { shownValue, audit } from './audit.ts'

const folder = new URL('../../../configs/paper/', import.meta.url)
const read = (name: string) => {
  const paper = paperTable.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
  return { paper, found: audit(paper), notes: paper.notes }
}

/** The note that holds all of the texts. */
const noteWith = (notes: readonly string[], ...texts: readonly string[]): string | undefined =>
  notes.find((note) => texts.every((text) => note.includes(text)))

describe.each(readdirSync(folder))('the notes of %s', (name) => {
  const { paper, found, notes } = read(name)

  test('quote every n that the percentages allow, with its range', () => {
    for (const { of, fits, to } of found.shares) {
      expect(fits, of).toHaveLength(1)
      expect(noteWith(notes, String(fits[0]), String(to)), of).toBeDefined()
    }
  })

  test('quote the cells of every claim that they do not bear out', () => {
    for (const { claim, column, pairs } of found.claims)
      for (const { values, verdict } of pairs) {
        if (verdict === 'holds' || verdict === 'no number') continue
        const texts = values.map((value) => shownValue(value ?? NaN, paper.columns[column ?? '']?.decimals))
        expect(noteWith(notes, ...texts), claim).toBeDefined()
      }
  })

  test('quote z of the best two rows of every column that has run noise', () => {
    for (const { column, pairs } of found.noise) expect(noteWith(notes, pairs[0]!.z.toFixed(2)), column).toBeDefined()
  })

  test('quote what disagrees', () => {
    const disagreeing = [...found.sums, ...found.pValues].filter(
      ({ verdict, stated }) => verdict !== 'agrees' && stated !== null,
    )
    for (const { says, stated } of disagreeing) expect(noteWith(notes, String(stated)), says).toBeDefined()
  })
})

test('GEM-RAG, Table I: only 1638 questions, of them 783 HARD, and the runs ask as many', () => {
  const { paper, found, notes } = read('gem-rag-table-1.json')
  expect(found.shares).toMatchObject([
    { of: 'questions', from: 50, to: 2086, cells: 13, fits: [1638] },
    { of: 'HARD questions', from: 50, to: 1065, cells: 13, fits: [783] },
  ])
  expect(Object.values(paper.runs).map(({ questions }) => questions)).toEqual([1638, 1638, 1638, 1638])
  expect(noteWith(notes, '1638, of them 783 HARD', 'the only number from 50 to 2086 (HARD: to 1065)')).toBeDefined()
  const against = found.claims.filter(({ verdict }) => verdict !== 'holds')
  expect(against).toMatchObject([{ column: 'OpenAI, UnifiedQA: accuracy', verdict: 'does not hold' }])
  expect(noteWith(notes, 'OpenAI and UnifiedQA', 'RAPTOR 53.48, GEM-RAG 52.81')).toBeDefined()
})

test('UnWeaver, Table 1: the best cells on COVID-QA and eManual are within run noise, the other two are not', () => {
  const { found, notes } = read('unweaver-table-1.json')
  const best = found.noise.map(({ column, pairs }) => ({ column, ...pairs[0]! }))
  expect(best).toMatchObject([
    { column: expect.stringMatching(/^COVID-QA/), better: 'UnWeaver', worse: 'VectorRAG', exceeds: false },
    { column: expect.stringMatching(/^eManual/), better: 'UnWeaver', worse: 'VectorRAG', exceeds: false },
    { column: expect.stringMatching(/^Tech-QA/), better: 'HippoRAG2', worse: 'VectorRAG', exceeds: true },
    { column: expect.stringMatching(/^MuSiQue/), better: 'HippoRAG2', worse: 'UnWeaver', exceeds: true },
  ])
  const [covid, eManual, tech, musique] = best.map(({ z }) => z.toFixed(2))
  const [bound, ...others] = new Set(best.slice(0, 2).map((one) => one.bound.toFixed(2)))
  expect(others).toEqual([])
  expect(noteWith(notes, `by z = ${covid} and ${eManual} of run noise alone, which stays below ${bound}`)).toBeDefined()
  expect(noteWith(notes, `z = ${tech} against VectorRAG and ${musique} against UnWeaver`)).toBeDefined()
  expect(found.claims.map(({ verdict }) => verdict)).toEqual([
    'within run noise',
    'within run noise',
    'holds',
    'holds',
    'does not hold',
  ])
  expect(noteWith(notes, '985 thousand', "RAPTOR's cell has 440 thousand")).toBeDefined()
})
