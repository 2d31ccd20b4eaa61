import { expect, test } from 'vitest'
import { paragraphKey } from '../text/paragraphs.ts'
import type { Chunk, Corpus } from '../types.ts'
import { locator } from './evidence.ts'

const text = 'First words here.\n\nSecond words here.\n\nThird words here.'
const corpus: Corpus = { id: 'c', documents: [{ id: 'd', text }], questions: [] }
/** Windows of 15 characters: the second paragraph, at 19 to 37, lies in the second and third. */
const chunks: Chunk[] = [0, 15, 30, 45].map((start, position) => {
  const end = Math.min(start + 15, text.length)
  return { id: `0:${position}`, documentId: 'd', position, start, end, text: text.slice(start, end), tokens: 1 }
})
const { relevant, annotate } = locator(corpus, chunks)
const passage = (from: string[], kind: 'chunk' | 'summary' = 'chunk') => ({ text: '', tokens: 1, score: 1, from, kind })

test('the chunks that overlap evidence are relevant, each once', () => {
  expect(relevant([{ documentId: 'd', text: 'First words here.' }])).toEqual(['0:0', '0:1'])
  expect(relevant([{ documentId: 'd', text: 'Second words here.' }])).toEqual(['0:1', '0:2'])
  expect(relevant([{ documentId: 'd' }])).toEqual(['0:0', '0:1', '0:2', '0:3'])
  expect(
    relevant([
      { documentId: 'd', text: 'FLOAT SELECTED: Figure 1' },
      { documentId: 'x', text: 'First' },
    ]),
  ).toEqual([])
})

test('a passage names its documents, the evidence that it overlaps and the paragraphs that it touches', () => {
  const evidence = [
    { documentId: 'd', text: 'Third words here.' },
    { documentId: 'd', text: 'Second words here.' },
  ]
  expect(annotate([passage(['0:1'])], evidence)[0]).toMatchObject({
    documents: ['d'],
    evidence: [1],
    paragraphs: [paragraphKey('First words here.'), paragraphKey('Second words here.')],
  })
  expect(annotate([passage(['0:1', '0:2'])], evidence)[0]?.evidence).toEqual([0, 1])
})

test('a summary quotes nothing, and a question without evidence marks nothing', () => {
  expect(annotate([passage(['0:1'], 'summary')], [{ documentId: 'd' }])[0]).not.toHaveProperty('evidence')
  expect(annotate([passage(['0:1'])], undefined)[0]).not.toHaveProperty('evidence')
})
