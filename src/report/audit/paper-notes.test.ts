import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { paperTable } from '../paper/paper-table.ts'
import { audit } from './audit.ts'

const folder = new URL('../../../configs/paper/', import.meta.url)
const read = (name: string) => {
  const paper = paperTable.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
  return { paper, found: audit(paper), notes: paper.notes }
}

/** The note that holds all of the texts. */
const noteWith = (notes: readonly string[], ...texts: readonly string[]): string | undefined =>
  notes.find((note) => texts.every((text) => note.includes(text)))

describe.each(readdirSync(folder))('the notes of %s', (name) => {
  const { found, notes } = read(name)

  test('quote every n that the percentages allow, with its range', () => {
    for (const { of, fits, to } of found.shares) {
      expect(fits, of).toHaveLength(1)
      expect(noteWith(notes, String(fits[0]), String(to)), of).toBeDefined()
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
})

const byOneReading = 'within run noise by one reading of σ²'

/** The claims that a paper's own cells do not bear out, or bear out within known noise alone. */
const notBorneOut: Readonly<Record<string, readonly (readonly [verdict: string, claim: RegExp])[]>> = {
  'gem-rag-table-1.json': [
    ['within binomial noise', /^GEM-RAG is the most accurate/],
    ['within binomial noise', /^the exception: with OpenAI/],
    ['within binomial noise', /^GEM-RAG is more accurate than RAPTOR and Embed in most/],
    ['within binomial noise', /^the lead of GEM-RAG .* on all questions$/],
    ['does not hold', /^the lead of GEM-RAG .* on HARD questions$/],
    ['within binomial noise', /^the gains of GEM-RAG .*: OpenAI embeddings, all questions$/],
    ['within binomial noise', /^the gains of GEM-RAG .*: OpenAI embeddings, HARD questions$/],
    ['within binomial noise', /^the gains of GEM-RAG .*: SBERT embeddings, all questions$/],
    ['within binomial noise', /^the gains of GEM-RAG .*: SBERT embeddings, HARD questions$/],
    ['within binomial noise', /^spectral themes/],
  ],
  'gem-rag-table-2.json': [['does not hold', /^GEM-RAG scores above RAPTOR and Embed on both/]],
  'unweaver-table-1.json': [
    ['does not hold', /^UnWeaver answers better than retrieval of chunks$/],
    ['does not hold', /^Oracle is the maximum$/],
    ['does not hold', /^ClosedBook is the minimum$/],
    ['within run noise', /^HippoRAG2, VectorRAG and UnWeaver are the best three$/],
    ['within run noise', /^UnWeaver is the best on COVID-QA and eManual$/],
    ['does not hold', /^every graph-based method but UnWeaver lags/],
    [byOneReading, /^on Tech-QA and MuSiQue the transformed texts of HippoRAG2/],
    ['does not hold', /^on Tech-QA and MuSiQue the transformed texts of GraphRAG and RAPTOR/],
    [byOneReading, /^on COVID-QA and eManual source texts/],
    ['does not hold', /^GraphRAG is below ClosedBook$/],
    ['does not hold', /^VectorRAG needs the fewest prompt tokens for questions$/],
    ['does not hold', /^VectorRAG needs the fewest prompt and completion tokens/],
    ['does not hold', /^HippoRAG2 uses about 1\.5 to about 2\.75 times/],
    ['does not hold', /\(985k\)$/],
    ['does not hold', /\(4448k\)$/],
  ],
  'hlgraphrag-figure-5-1.json': [
    ['within run noise', /^chokes fall/],
    ['within binomial noise', /^directed weights/],
    ['does not hold', /^LangChain failed 25% more/],
  ],
  'hlgraphrag-figure-5-5.json': [
    ['within binomial noise', /^the acceptance rate rises/],
    ['within binomial noise', /^the bars of Figure 5.2/],
  ],
  'gor-main.json': [
    ['within rounding', /^GoR beats every row/],
    ['does not hold', /^GoR has 8 to 19% more ROUGE than the best retriever: QMSum, .* Dragon/],
    ['does not hold', /^GoR has 8 to 19% more ROUGE than the best retriever: QMSum, .* Contriever/],
    ['does not hold', /^GoR has 8 to 19% more ROUGE than the best retriever: AcademicEval, .* Contriever/],
    ['does not hold', /^GoR has 8 to 19% more ROUGE than the best retriever: AcademicEval, .* SBERT/],
    ['does not hold', /^GoR has 8 to 19% more ROUGE than the best retriever: BookSum/],
    ['does not hold', /^GoR has 11% more ROUGE-L on QMSum/],
  ],
}

test.each(readdirSync(folder))('%s: which of its claims its cells do not bear out', (name) => {
  const { paper, found } = read(name)
  const against = found.claims.filter(({ verdict }) => !/^holds$|^no number$|not known$/.test(verdict))
  expect(against.map(({ verdict, claim }) => [verdict, claim])).toEqual(
    (notBorneOut[name] ?? []).map(([verdict, claim]): unknown[] => [verdict, expect.stringMatching(claim)]),
  )
  // where there is no number, it is said why, or the paper only draws the figure
  for (const { verdict, reason, claim } of found.claims)
    if (verdict === 'no number' && reason === undefined)
      expect(
        paper.cells.every(({ value }) => value === null),
        claim,
      ).toBe(true)
  expect(new Set(paper.claims.map(({ claim }) => claim)).size).toBe(paper.claims.length)
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
  // by both readings of σ², which may be that of the mean
  expect([best[0]?.z.toFixed(2), best[0]?.asMeans?.z.toFixed(2)]).toEqual(['1.68', '0.75'])
  const [covid, eManual, tech, musique] = best.map(({ z }) => z.toFixed(2))
  const [bound, ...others] = new Set(best.slice(0, 2).map((one) => one.bound.toFixed(2)))
  expect(others).toEqual([])
  expect(noteWith(notes, `by z = ${covid} and ${eManual} of run noise alone, which stays below ${bound}`)).toBeDefined()
  expect(noteWith(notes, `z = ${tech} against VectorRAG and ${musique} against UnWeaver`)).toBeDefined()
})
