import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldedPlaces, foldedText } from './find-evidence.ts'

/** The parts of a text that are equal to the words when folded. */
const result = (text: string, words: string): readonly string[] =>
  foldedPlaces(text)(words).map(({ start, end }) => text.slice(start, end))

test.each([
  ['curly quotes', 'a “quoted” word’s', '"quoted" word\'s'],
  ['NFD for NFC', 'un cafe\u0301 noir', 'café noir'],
  ['NFC for NFD', 'un café noir', 'cafe\u0301 noir'],
  ['Hangul in letters', 'x \u1112\u1161\u11ab\u1100\u1173\u11af x', '한글'],
  ['soft hyphens', 'the in\u00adter\u00advals', 'intervals'],
  ['zero-width characters', 'wa\u200bter\ufeffway', 'waterway'],
  ['no-break and thin spaces', '5\u00a0km\u2009or\n\nso', '5 km or so'],
  ['dashes', 'from 9–5 — daily −3', 'from 9-5 - daily -3'],
  ['a no-break hyphen', 'COVID\u201119', 'COVID-19'],
  ['ligatures', 'the e\ufb03cient o\ufb03ce', 'efficient office'],
  ['full-width forms', 'ＡＢＣ：１２', 'ABC:12'],
  ['an ellipsis', 'and so on…', 'so on...'],
])('%s', (_, text, words) => {
  const [part = ''] = result(text, words)
  expect(foldedText(part)).toBe(foldedText(words))
  expect(result(words, part)).toHaveLength(1)
})

test.each([
  ['another case', 'The Clock', 'the clock'],
  ['a superscript', 'below 10⁶ units', '106'],
  ['a fraction', 'add ½ cup', '1/2 cup'],
  ['a letter without its mark', 'un café', 'cafe'],
  ['a part of a Hangul syllable', '각', '가'],
  ['a part of a ligature', 'ﬁx', 'ix'],
  ['nothing but invisible characters', 'a word', '\u00ad'],
])('does not match %s', (_, text, words) => {
  expect(result(text, words)).toEqual([])
})

test('finds every occurrence without the invisible characters around it', () => {
  expect(foldedPlaces('\u00ad“a” and\u200b “a”')('"a"')).toEqual([
    { start: 1, end: 4 },
    { start: 10, end: 13 },
  ])
})

test('finds any excerpt of a text in any of its forms', () => {
  const unit = fc.constantFrom('a', 'é', 'e\u0301', 'ﬁ', '“', '–', ' ', '\u00a0', '\u00ad', '한', 'Ａ', '²', '😀')
  const texts = fc.array(unit, { maxLength: 12 })
  fc.assert(
    fc.property(texts, texts, texts, (before, middle, after) => {
      const cut = middle.join('')
      fc.pre(foldedText(cut).trim() !== '')
      const text = `${before.join('')} ${cut} ${after.join('')}`
      for (const form of ['NFC', 'NFD'] as const)
        expect(foldedPlaces(text)(cut.normalize(form)).length).toBeGreaterThan(0)
      for (const part of result(text, cut)) expect(foldedText(part).trim()).toBe(foldedText(cut).trim())
    }),
  )
})
