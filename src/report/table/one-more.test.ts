import { expect, test } from 'vitest'
import type { IndexLine, KeyedCalls, Manifest, TrialLine } from '../../records.ts'
import { madeRun } from '../../test-support/made-run.ts'
import { notesOnOneMore, oneMoreColumns } from '../render/series-columns.ts'
import { oneMoreOf } from './one-more.ts'

const usage = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }
const { manifest: plain } = madeRun({ rows: {} })

/** A series of runs that leave out the first so many of d1, d2 and d3, each with a row "m". */
function series(drops: readonly number[]): Manifest {
  const runs = drops.map((drop) => ({
    ...{ ...plain, hash: `h${drop}` },
    dataset: { ...plain.dataset, dropped: { c: ['d1', 'd2', 'd3'].slice(0, drop) } },
  }))
  const methods = drops.map((drop) => {
    const varied = [{ option: 'dataset.drop', text: String(drop) }]
    return {
      method: 'm',
      variant: `dataset.drop=${drop}`,
      varied,
      id: `h${drop}.m`,
      use: 'm',
      options: {},
      run: `h${drop}`,
    }
  })
  return { ...plain, methods, series: { runs, varied: ['dataset.drop'], missing: [] } }
}

const index = (drop: number, calls: KeyedCalls | undefined, corpus = 'c'): IndexLine => ({
  ...{ line: 'index', id: `h${drop}.${corpus}`, method: 'm', variant: '', methodId: `h${drop}.m`, corpus },
  ...{ documents: 4, chunks: 4, usage, ...(calls && { calls }) },
})

/** A trial on a question whose evidence lies in one document; passages are of documents, with their ids as texts. */
const trial = (drop: number, question: string, evidence: string, context: readonly string[], more = {}): TrialLine => ({
  ...{
    line: 'trial',
    id: `h${drop}.${question}`,
    method: 'm',
    variant: '',
    methodId: `h${drop}.m`,
    corpus: 'c',
    repeat: 0,
  },
  question: {
    id: question,
    text: 'Which?',
    reference: { kind: 'answer', accepted: [] },
    evidence: [{ documentId: evidence }],
  },
  context: context.map((id) => ({
    ...{ text: id, score: 1, from: [], kind: 'chunk', tokens: 1, documents: [id], spans: [] },
  })),
  ...{ stopped: 'end', answer: { text: 'a' }, usage: { retrieve: usage, answer: usage }, ...more },
})

const lines = [
  index(2, { aa: [1, 100, 0], bb: [0, 0, 7] }),
  index(0, { aa: [1, 100, 0], bb: [0, 0, 7], cc: [2, 60, 0], dd: [0, 0, 3] }),
  ...[trial(2, 'same', 'd9', ['d9']), trial(0, 'same', 'd9', ['d9'])],
  ...[trial(2, 'new', 'd9', ['d9'], { deleted: true }), trial(0, 'new', 'd9', ['d9', 'd1'], { answer: { text: 'b' } })],
  ...[trial(2, 'moved', 'd9', ['d9', 'd8']), trial(0, 'moved', 'd9', ['d8', 'd9'])],
  ...[trial(2, 'gone', 'd2', ['d9']), trial(0, 'gone', 'd2', ['d2'])],
  ...[
    trial(2, 'failed', 'd9', []),
    trial(0, 'failed', 'd9', ['d1'], { failure: { phase: 'answer', kind: 'x', message: '' } }),
  ],
]

async function* stream(of: readonly (IndexLine | TrialLine)[]): AsyncGenerator<IndexLine | TrialLine> {
  yield* of
}

const larger = {
  documents: 2,
  again: { calls: 2, tokens: 60, embeddedTokens: 3 },
  whole: { calls: 3, tokens: 160, embeddedTokens: 10 },
  contexts: { count: 2, of: 3 },
  withoutNew: { count: 1, of: 3 },
  answers: { count: 1, of: 3 },
}

test.each([[[0, 2]], [[2, 0]]])('the order of the runs %j changes nothing', async (drops) => {
  const found = await oneMoreOf(series(drops), () => stream(drops[0] === 0 ? lines : lines.toReversed()))
  expect(found?.[drops.indexOf(0)]).toEqual({ oneMore: larger })
  expect(found?.[drops.indexOf(2)]).toEqual({ quoted: { count: 1, of: 5 } })
})

test('a row is compared with the next fewer documents', async () => {
  const found = await oneMoreOf(series([0, 2, 1]), () =>
    stream([...lines, index(1, { aa: [1, 100, 0], cc: [2, 60, 0] })]),
  )
  expect(found?.map(({ oneMore }) => oneMore?.documents)).toEqual([1, undefined, 1])
  expect(found?.[0]?.oneMore?.again).toEqual({ calls: 0, tokens: 0, embeddedTokens: 10 })
})

test('nothing is said of calls that are not known, nor of other series', async () => {
  const failed = { ...index(0, {}), failure: { phase: 'index' as const, kind: 'server', message: '' } }
  for (const odd of [[index(2, {}), failed], [index(0, {})], [index(2, undefined), index(0, {})]])
    expect((await oneMoreOf(series([0, 2]), () => stream(odd)))?.[0]?.oneMore?.again).toBeNull()
  const two = [index(2, {}), index(0, {}), index(0, { ee: [1, 1, 0] }, 'another')]
  expect((await oneMoreOf(series([0, 2]), () => stream(two)))?.[0]?.oneMore?.again).toBeNull()
  expect(await oneMoreOf(plain, () => stream(lines))).toBeUndefined()
})

test('seconds are shares of the time of completions and of embeddings', async () => {
  const timeOf = () => ({ completing: 16, embedding: 5 })
  const [found] = (await oneMoreOf(series([0, 2]), () => stream(lines), timeOf)) ?? []
  expect(found?.oneMore?.again?.seconds).toBeCloseTo((16 * 60) / 160 + (5 * 3) / 10, 12)
  expect(found?.oneMore?.whole?.seconds).toBe(21)
  const columns = oneMoreColumns({ oneMore: found ? [found] : [] })
  expect(columns.find(({ title }) => title === 'seconds again, a document')?.texts).toEqual(['3.75 (35.7 %)'])
})

test('columns for each document that came in, and a note; none that is empty', () => {
  const rows = [{ method: 'm', variant: 'dataset.drop=0' }]
  const table = {
    oneMore: [{ oneMore: { ...larger, whole: { ...larger.whole, calls: 0 } } }, { quoted: { count: 0, of: 4 } }],
  }
  expect(oneMoreColumns(table)).toEqual([
    { title: 'tokens again, a document', texts: ['30.0 (37.5 %)', '–'] },
    { title: 'embedded tokens again, a document', texts: ['1.5 (30.0 %)', '–'] },
    { title: 'contexts changed', texts: ['66.7 % of 3', '–'] },
    { title: 'contexts changed, no new text', texts: ['33.3 % of 3', '–'] },
    { title: 'answers changed', texts: ['33.3 % of 3', '–'] },
    { title: 'deleted text quoted', texts: ['–', '0.0 % of 4'] },
  ])
  const unknown = { oneMore: [{ oneMore: { ...larger, again: null } }], rows }
  expect(oneMoreColumns(unknown)[0]?.texts).toEqual(['not known'])
  expect(notesOnOneMore(unknown)[1]).toMatch(/failed or is missing in one of the two runs: m \(dataset\.drop=0\)\.$/)
  expect(notesOnOneMore({ rows: [] })).toEqual([])
})
