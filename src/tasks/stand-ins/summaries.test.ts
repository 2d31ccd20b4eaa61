import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenizer } from '../../text/tokens.ts'
import { read } from './reading.ts'
import { shorten, summaryFor } from './summaries.ts'

const harbour = readFileSync(new URL('./harbour.txt', import.meta.url), 'utf8')
const { count } = tokenizer('o200k_base')
const of = (texts: readonly string[], tokens: number): string => shorten(texts.flatMap(read), tokens, count)

describe('a shortened text', () => {
  test('has whole sentences in text order, and uses the room', () => {
    const places = of([harbour], 100)
      .split(/(?<=\.) /)
      .map((sentence) => harbour.replace(/\s+/g, ' ').indexOf(sentence))
    expect(places.length).toBeGreaterThan(2)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThanOrEqual(0)
    expect(count(of([harbour], 100))).toBeGreaterThan(60)
  })

  test('has no repetition', () => {
    const twice = 'The keeper rang the bell. The keeper rang the bell. The town slept in peace.'
    expect(of([twice], 14)).toBe('The keeper rang the bell. The town slept in peace.')
  })

  test('is cut between words if no sentence fits', () => {
    expect(of(['lamp bell storm keeper harbour boat'], 4)).toBe('lamp bell storm')
    expect(of([' '], 50)).toBe('')
  })

  test('is never longer than the limit', () => {
    const text = fc.oneof(fc.lorem({ mode: 'sentences', maxCount: 8 }), fc.string({ unit: 'grapheme', maxLength: 150 }))
    const texts = fc.array(text, { maxLength: 4 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 60 }), (texts, tokens) => count(of(texts, tokens)) <= tokens),
    )
  })
})

test('summarises the part of a long context that the request is about', () => {
  const many = (of: (at: number) => string) => Array.from({ length: 24 }, (_, at) => of(at))
  const harbourPart = many((at) => `The harbour master counted crate ${at} before noon.`)
  const clockPart = many((at) => `Mirelle cleaned wheel ${at} of the tide clock.`)
  const context = [...harbourPart, ...clockPart].join(' ')
  const counted = (text: string) => [/Mirelle/g, /crate/g].map((word) => text.match(word)?.length ?? 0)
  expect(counted(summaryFor('What did Mirelle do to the clock?', context))).toEqual([6, 0])
  expect(counted(summaryFor('What did the harbour master count?', context))).toEqual([0, 6])
})
