import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hipporagCopy } from '../test-support/dataset-copies/hipporag-copy.ts'
import { inReferenceData } from '../test-support/dataset-copies/shelf-files.ts'
import { fakeModels } from '../testing/fake-models.ts'
import type { Chunk } from '../types.ts'
import { bm25 } from './bm25.ts'

interface Paragraph {
  readonly title: string
  readonly text?: string
  readonly paragraph_text?: string
  readonly is_supporting?: boolean
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const passageOf = ({ title, text, paragraph_text }: Paragraph): string => `${title}\n${text ?? paragraph_text ?? ''}`

test.each<[string, number[], number]>([
  // two gold passages of one question, three of the other; each of them is found before the other passages
  [hipporagCopy, [(50 + 100 / 3) / 2, (100 + 200 / 3) / 2, 100, 100, 100], 0],
  // of a reference run: its words were of ASCII letters, ours are of every script's
  ...inReferenceData<[number[], number]>([
    'musique/musique_train.hipporag100.json',
    [29.75, 37.5, 48.17, 60.25, 69],
    0.5,
  ]),
])('BM25 on %s: recall@1, 2, 5, 10 and 20 are %j, within %d', async (file, expected, tolerance) => {
  const corpus = read(file.replace(/(?=(\.\w+)?\.json$)/, '_corpus')) as Paragraph[]
  const questions = read(file) as { question: string; paragraphs: Paragraph[] }[]
  const chunks = corpus.map((paragraph, index): Chunk => {
    const text = passageOf(paragraph)
    return { id: String(index), documentId: String(index), position: 0, start: 0, end: text.length, text, tokens: 0 }
  })
  const index = await bm25.index(chunks, fakeModels(), bm25.options.parse({ analyser: 'plain' }))
  const recall = new Map([1, 2, 5, 10, 20].map((k) => [k, 0]))
  for (const { question, paragraphs } of questions) {
    const gold = new Set(paragraphs.filter((one) => one.is_supporting).map(passageOf))
    const found = await index.retrieve({ id: 'q', text: question }, { passages: 20, tokens: 1e9 }, fakeModels())
    for (const [k, sum] of recall)
      recall.set(k, sum + (100 * found.slice(0, k).filter(({ text }) => gold.has(text)).length) / gold.size)
  }
  for (const [i, sum] of [...recall.values()].entries())
    expect(Math.abs(sum / questions.length - (expected[i] ?? NaN))).toBeLessThan(tolerance + 1e-9)
})
