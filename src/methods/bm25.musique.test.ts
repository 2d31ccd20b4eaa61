import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fakeModels } from '../testing/fake-models.ts'
import type { Chunk } from '../types.ts'
import { bm25 } from './bm25.ts'

interface Paragraph {
  readonly title: string
  readonly text?: string
  readonly paragraph_text?: string
  readonly is_supporting?: boolean
}

const folder = new URL('../../../shared/data/musique/', import.meta.url)
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
const passageOf = ({ title, text, paragraph_text }: Paragraph): string => `${title}\n${text ?? paragraph_text ?? ''}`

describe.skipIf(!existsSync(folder))('the 100 questions of HippoRAG on MuSiQue (shared/data/musique)', () => {
  test('BM25 finds what a reference run found, within half a point', async () => {
    const corpus = read('musique_train_corpus.hipporag100.json') as Paragraph[]
    const questions = read('musique_train.hipporag100.json') as { question: string; paragraphs: Paragraph[] }[]
    const chunks = corpus.map((paragraph, index): Chunk => {
      const text = passageOf(paragraph)
      return { id: String(index), documentId: String(index), position: 0, start: 0, end: text.length, text, tokens: 0 }
    })
    const index = await bm25.index(chunks, fakeModels(), bm25.options.parse({}))
    const recall = new Map([1, 2, 5, 10, 20].map((k) => [k, 0]))
    for (const { question, paragraphs } of questions) {
      const gold = new Set(paragraphs.filter((one) => one.is_supporting).map(passageOf))
      const found = await index.retrieve({ id: 'q', text: question }, { passages: 20, tokens: 1e9 }, fakeModels())
      for (const [k, sum] of recall)
        recall.set(k, sum + (100 * found.slice(0, k).filter(({ text }) => gold.has(text)).length) / gold.size)
    }
    // its words were of ASCII letters, ours are of every script's
    const expected = [29.75, 37.5, 48.17, 60.25, 69]
    for (const [i, sum] of [...recall.values()].entries())
      expect(Math.abs(sum / questions.length - (expected[i] ?? NaN))).toBeLessThan(0.5 + 1e-9)
  })
})
