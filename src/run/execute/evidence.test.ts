import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paragraphKey } from '../../text/sentences.ts'
import type { Chunk, Corpus, Evidence, Passage } from '../../types.ts'
import { locator } from './evidence.ts'

const text = 'First words here.\n\nSecond words here.\n\nThird words here.'
const corpus: Corpus = { id: 'c', documents: [{ id: 'd', text }], questions: [] }
/** Windows of 15 characters: the second paragraph, at 19 to 37, lies in the second and third. */
const chunks: Chunk[] = [0, 15, 30, 45].map((start, position) => {
  const end = Math.min(start + 15, text.length)
  return { id: `0:${position}`, documentId: 'd', position, start, end, text: text.slice(start, end), tokens: 1 }
})
const { relevant, annotate, holds, places } = locator(corpus, chunks)

/** A passage that quotes these chunks whole. */
const full = (...from: string[]): Passage => {
  const ownRun = chunks.filter(({ id }) => from.includes(id))
  return { text: ownRun.map((chunk) => chunk.text).join(''), score: 1, from, kind: 'chunk' }
}
/** A passage that quotes a part of the document. */
const quoting = (start: number, end: number): Passage => ({
  text: text.slice(start, end),
  score: 1,
  from: chunks.filter((chunk) => chunk.start < end && start < chunk.end).map(({ id }) => id),
  kind: 'chunk',
  spans: [{ documentId: 'd', start, end }],
})
const visits = (passage: Passage, evidence: readonly Evidence[] | undefined) =>
  annotate([{ ...passage, tokens: 1 }], evidence)[0]

const piece = (quote: string, more: Partial<Evidence> = {}): Evidence => ({ documentId: 'd', text: quote, ...more })
const relevantIds = (evidence: readonly Evidence[]): readonly string[] => relevant(evidence).relevant

test('chunks with evidence are relevant, each one once', () => {
  expect(relevantIds([piece('First words here.')])).toEqual(['0:0', '0:1'])
  expect(relevantIds([piece('Second words here.')])).toEqual(['0:1', '0:2'])
  expect(relevantIds([{ documentId: 'd' }])).toEqual(['0:0', '0:1', '0:2', '0:3'])
  expect(relevantIds([piece('FLOAT SELECTED: Figure 1'), piece('First', { documentId: 'x' })])).toEqual([])
})

test('a chunk has the highest grade of its evidence, and chunks keep their order', () => {
  const grades = [piece('Second words here.', { grade: 3 }), piece('First words here.', { grade: 2 })]
  expect(relevant(grades)).toEqual({ relevant: ['0:0', '0:1', '0:2'], grades: [2, 3, 3] })
  expect(relevant([piece('First words here.', { grade: 1 })])).toEqual({ relevant: ['0:0', '0:1'] })
})

test('a quote that occurs more than once is located where the dataset says', () => {
  const third = text.indexOf('words', 40)
  expect(relevantIds([piece('words', { start: third })])).toEqual(['0:3'])
  expect(relevantIds([piece('words', { start: 5 })])).toEqual(['0:0'])
})

describe('a passage', () => {
  const evidence = [piece('Third words here.'), piece('Second words here.')]

  test('names its documents, spans, evidence, relevant chunks and paragraphs', () => {
    expect(visits(full('0:1'), evidence)).toMatchObject({
      documents: ['d'],
      spans: [{ documentId: 'd', start: 15, end: 30 }],
      evidence: [1],
      relevant: ['0:1'],
      paragraphs: [paragraphKey('First words here.'), paragraphKey('Second words here.')],
    })
    expect(visits(full('0:1', '0:2'), evidence)).toMatchObject({
      spans: [{ documentId: 'd', start: 15, end: 45 }],
      evidence: [0, 1],
      relevant: ['0:1', '0:2'],
    })
  })

  test('that overlaps a chunk by a few words has only the evidence of these words', () => {
    // the end of the first paragraph, and nothing of the second but the blank line before it
    expect(visits(quoting(6, 19), evidence)).toMatchObject({
      from: ['0:0', '0:1'],
      evidence: [],
      relevant: [],
      paragraphs: [paragraphKey('First words here.')],
    })
    expect(visits(quoting(6, 25), evidence)).toMatchObject({ evidence: [1], relevant: ['0:1'] })
  })

  test('without spans whose text is a part of its chunk is located there', () => {
    const part = { ...full('0:1'), text: 'Second' }
    expect(visits(part, evidence)).toMatchObject({ spans: [{ documentId: 'd', start: 19, end: 25 }], evidence: [1] })
    const withTitle = { ...full('0:3'), text: `A title\n${chunks[3]?.text ?? ''}` }
    expect(visits(withTitle, evidence)).toMatchObject({
      spans: [{ documentId: 'd', start: 45, end: 56 }],
      evidence: [0],
    })
  })

  test.each<[string, Passage, readonly string[]]>([
    ['a summary', { ...full('0:1'), kind: 'summary' }, ['d']],
    ['words of no chunk', { ...full('0:1'), text: 'Something else.' }, []],
  ])('%s is derived from its chunks and credited with nothing', (_name, passage, documents) => {
    const result = visits(passage, evidence)
    expect(result).toMatchObject({ derived: true, documents, spans: [{ documentId: 'd', start: 15, end: 30 }] })
    for (const field of ['evidence', 'relevant', 'paragraphs']) expect(result).not.toHaveProperty(field)
  })

  test('with the text of several identical chunks refers to all of them', () => {
    const documents = ['d', 'e'].map((id) => ({ id, text: 'The same words.' }))
    const twins = documents.map(({ id, text }) => ({
      id: `${id}:0`,
      documentId: id,
      position: 0,
      start: 0,
      end: text.length,
      text,
      tokens: 3,
    }))
    const item = { text: 'The same words.', score: 1, from: ['d:0', 'e:0'], kind: 'chunk' as const, tokens: 3 }
    const [result] = locator({ id: 'c', documents, questions: [] }, twins).annotate([item], [{ documentId: 'e' }])
    expect(result).toMatchObject({ documents: ['d', 'e'], evidence: [0], relevant: ['e:0'] })
  })

  test('without a letter or digit refers to no document', () => {
    const documents = [{ id: 'd', text: 'The end.' }]
    const stop = { id: 'd:1', documentId: 'd', position: 1, start: 7, end: 8, text: '.', tokens: 1 }
    const item = { text: '.', score: 1, from: ['d:1'], kind: 'chunk' as const, tokens: 1 }
    const [result] = locator({ id: 'c', documents, questions: [] }, [stop]).annotate([item], [{ documentId: 'd' }])
    expect(result).toMatchObject({ documents: [], evidence: [], relevant: [], paragraphs: [] })
  })

  test('without a chunk is a separate paragraph', () => {
    const caption = { text: 'FLOAT SELECTED: Figure 1', score: 1, from: [], kind: 'chunk' as const }
    expect(visits(caption, evidence)).toMatchObject({
      documents: [],
      evidence: [],
      paragraphs: [paragraphKey('FLOAT SELECTED: Figure 1')],
    })
  })

  test('must contain the letters and digits of its spans', () => {
    const span = { documentId: 'd', start: 6, end: 25 }
    expect(holds({ ...quoting(6, 25), text: 'words here Second' })).toBe(true)
    expect(holds({ ...quoting(6, 25), text: 'words here' })).toBe(false)
    expect(holds({ ...full('0:1'), text: 'Something else.', spans: [span] })).toBe(false)
    expect(holds({ ...full('0:1'), text: 'A summary.', kind: 'summary', spans: [span] })).toBe(true)
    expect(holds(full('0:1'))).toBe(true)
  })

  test('has a piece of evidence exactly if both have a letter or digit in common', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.nat(text.length), fc.nat(text.length - 1), fc.nat(20), (a, b, c, d) => {
        const passage = quoting(Math.min(a, b), Math.max(a, b) + 1)
        const [start, end] = [Math.max(Math.min(a, b), c), Math.min(Math.max(a, b) + 1, c + 1 + d)]
        const sharedRun = start < end && /[a-z]/i.test(text.slice(start, end))
        expect(visits(passage, [piece(text.slice(c, c + 1 + d), { start: c })])?.evidence).toEqual(sharedRun ? [0] : [])
      }),
    )
  })
})

const passagesOf = (ids: readonly string[]) => ids.map((id) => full(id))

/** In a context and beyond it, by chunks. */
const at = (quote: string, context: readonly string[], rest: readonly string[] = []) =>
  places([piece(quote)], annotate(passagesOf(context), []), annotate(passagesOf(rest), []))[0]

test.each([
  ['whole in one chunk of the context', 'First words', ['0:0'], [], { context: 'whole', ranking: 'whole' }],
  ['beyond it', 'First words', ['0:3'], ['0:0'], { context: 'none', ranking: 'whole' }],
  ['nowhere', 'First words', ['0:3'], ['0:2'], { context: 'none', ranking: 'none' }],
  ['cut, one half found', 'Second words here.', ['0:1'], [], { cut: true, context: 'part', ranking: 'part' }],
  ['cut, the other below', 'Second words here.', ['0:1'], ['0:2'], { cut: true, context: 'part', ranking: 'whole' }],
  [
    'split, both parts retrieved in any order',
    'Second words here.',
    ['0:2', '0:1'],
    [],
    { cut: true, context: 'whole', ranking: 'whole' },
  ],
  ['in no document', 'FLOAT SELECTED: Figure 1', ['0:0'], [], { absent: true }],
] as const)('where evidence is, in the context and in the ranking: %s', (_name, quote, context, rest, expected) => {
  expect(at(quote, context, rest)).toEqual(expected)
})
