import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { tokenizer } from '../../../text/tokens.ts'
import { type Language, openLanguage } from './language.ts'
import { shortened, summaryFor } from './summary.ts'

const harbour = readFileSync(new URL('./harbour.txt', import.meta.url), 'utf8')

let language: Language
beforeAll(async () => {
  language = await openLanguage()
})

const { count } = tokenizer('o200k_base')
const of = (texts: readonly string[], tokens: number) => shortened(texts.flatMap(language.read), tokens, count)

describe('summary', () => {
  test('picks whole sentences in text order', () => {
    const sentences = of([harbour], 100).split(/(?<=\.) /)
    expect(sentences.length).toBeGreaterThan(2)
    const places = sentences.map((sentence) => harbour.indexOf(sentence))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0)
  })

  test('uses the room that it has', () => {
    expect(count(of([harbour], 100))).toBeGreaterThan(60)
  })

  test('says nothing twice', () => {
    const twice = 'The keeper rang the bell. The keeper rang the bell. The town slept in peace.'
    expect(of([twice], 14)).toBe('The keeper rang the bell. The town slept in peace.')
  })

  test('all of it where all of it fits', () => {
    expect(of(['The lamp broke.', 'The keeper rang the bell.'], 100)).toBe('The lamp broke. The keeper rang the bell.')
  })

  test('one sentence that is too long is cut at a clause', () => {
    const long =
      'The keeper rang the great bell until the morning came, and nobody in the whole town of Tarn slept a minute that night.'
    expect(of([long], 18)).toBe('The keeper rang the great bell until the morning came')
  })

  test('a text without sentences is cut between words', () => {
    expect(of(['lamp bell storm keeper harbour boat'], 4)).toBe('lamp bell storm')
  })

  test('nothing of nothing', () => {
    expect(of([], 50)).toBe('')
    expect(of([' '], 50)).toBe('')
  })

  test('never longer than asked for', () => {
    const text = fc.oneof(fc.lorem({ mode: 'sentences', maxCount: 8 }), fc.string({ unit: 'grapheme', maxLength: 150 }))
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 4 }),
        fc.integer({ min: 0, max: 60 }),
        (texts, tokens) => count(of(texts, tokens)) <= tokens,
      ),
    )
  })
})

describe('a summary that was asked for', () => {
  const about = (question: string, context = harbour) => summaryFor(language.line(question), language.read(context))

  test('is several sentences of the context, in its order', () => {
    const places = about('Summarise the text.')
      .split(/(?<=[.!?]) (?=[A-Z])/)
      .map((sentence) => harbour.replace(/\s+/g, ' ').indexOf(sentence))
    expect(places.length).toBeGreaterThan(3)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThanOrEqual(0)
  })

  test('is made of the part of a long context that the request is about', () => {
    const many = (of: (at: number) => string) => Array.from({ length: 24 }, (_, at) => of(at))
    const harbourPart = many((at) => `The harbour master counted crate ${at} before noon.`)
    const clockPart = many((at) => `Mirelle cleaned wheel ${at} of the tide clock.`)
    const context = [...harbourPart, ...clockPart].join(' ')
    const counted = (text: string) => [/Mirelle/g, /crate/g].map((word) => text.match(word)?.length ?? 0)
    expect(counted(about('What did Mirelle do to the clock?', context))).toEqual([6, 0])
    expect(counted(about('What did the harbour master count?', context))).toEqual([0, 6])
  })

  test('of nothing is empty', () => expect(about('Summarise it.', ' ')).toBe(''))
})
