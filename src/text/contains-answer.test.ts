import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { containsAnswer } from './contains-answer.ts'
import { growth } from '../test-support/growth.ts'

const cases = readFileSync(new URL('../test-support/contained-answers.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')

test.each(cases.slice(1).map((line) => line.split('\t')))(
  '%s: %s | %s',
  (expected, answer = '', reference = '', question = '') => {
    expect(containsAnswer(answer, reference, question)).toBe(expected === 'contained')
  },
)

const digits = fc.integer({ min: 0, max: 9_999_999 })
const number = fc.oneof(
  digits.map(String),
  digits.map((value) => value.toLocaleString('en')),
  fc.tuple(digits, fc.integer({ min: 1, max: 99 })).map(([whole, part]) => `${whole}.${part}`),
)
const unit = fc.constantFrom(...' km| m| mm| kg| g| %| ‰| °C| °F| days| weeks| MW| mW| GB'.split('|'))
const money = fc.constantFrom('$', '€', '£', '¥', '₹')
const letters = fc.stringMatching(/^[bcdfghjklmpqrtvwxyz][aeiou][bcdfghjklmnpqrtvwxyz]{1,3}[aeiou]$/)
const word = fc.oneof(
  letters,
  fc.constantFrom('Zürich', 'Ελλάδα', 'Москва', '北京', '서울', 'दिल्ली', 'دمشق', 'C++', 'O-'),
)
const day = fc.integer({ min: 1, max: 28 })
const month = fc.integer({ min: 1, max: 12 })
const year = fc.integer({ min: 1000, max: 2100 })
const names = 'January February March April May June July August September October November December'.split(' ')
const pad = (value: number): string => String(value).padStart(2, '0')
const date = fc.tuple(day, month, year)
const reference = fc.oneof(
  number,
  fc.tuple(number, unit).map((parts) => parts.join('')),
  fc.tuple(money, number).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom('-', '±', '<', '≥', 'at least ', 'more than '), number).map((parts) => parts.join('')),
  fc
    .tuple(digits, fc.constantFrom('/', ':', '-', '^', ' to '), digits)
    .map(([a, sign, b]) => `${a + 1}${sign}${b + 1}`),
  fc.tuple(digits, digits, digits).map((parts) => parts.join('.')),
  date.map(([d, m, y]) => `${d} ${names[m - 1]!} ${y}`),
  date.map(([d, m, y]) => `${y}-${pad(m)}-${pad(d)}`),
  fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map(([h, m]) => `${h}:${pad(m)}`),
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
)

describe('for any reference', () => {
  test('contains itself, and is contained in sentences that state it', () => {
    fc.assert(
      fc.property(reference, (text) => {
        const sentence = `According to the text, ${text}, as I said.`
        for (const carrier of [text, `It is ${text}.`, `The answer is “${text}”.`, sentence])
          expect([carrier, containsAnswer(carrier, text)]).toEqual([carrier, true])
      }),
    )
  })

  test('any text is contained in itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(containsAnswer(text, text)).toBe(true)
      }),
    )
  })

  test('one changed digit makes another value', () => {
    fc.assert(
      fc.property(reference, fc.nat(), fc.integer({ min: 1, max: 9 }), (text, at, step) => {
        const places = [...text.matchAll(/\d/g)].map(({ index }) => index)
        fc.pre(places.length > 0)
        const place = places[at % places.length]!
        const changed = text.slice(0, place) + String((Number(text[place]) + step) % 10) + text.slice(place + 1)
        expect([changed, containsAnswer(`It is ${changed}.`, text)]).toEqual([changed, false])
      }),
    )
  })

  test('another unit, currency or sign makes another value', () => {
    fc.assert(
      fc.property(number, unit, unit, money, money, (value, a, b, c, d) => {
        expect(containsAnswer(`It is ${value}${a}.`, `${value}${b}`)).toBe(a === b)
        expect(containsAnswer(`It is ${c}${value}.`, `${d}${value}`)).toBe(c === d)
      }),
    )
    const signs = fc.constantFrom('-', '±', '<', '>', '≤', '≥')
    fc.assert(
      fc.property(number, signs, signs, (value, a, b) => {
        fc.pre(value !== '0')
        expect(containsAnswer(`It is ${a}${value}.`, `${b}${value}`)).toBe(a === b)
      }),
    )
  })

  test('one changed letter makes another word', () => {
    fc.assert(
      fc.property(letters, fc.nat(), fc.constantFrom('b', 'c', 'd', 'f', 'g', 'h', 'j', 'k'), (text, at, letter) => {
        const place = at % text.length
        fc.pre(text[place] !== letter)
        const changed = text.slice(0, place) + letter + text.slice(place + 1)
        expect([changed, containsAnswer(`It is ${changed}.`, text)]).toEqual([changed, false])
      }),
    )
  })
})

test.each(['1,', '1 ', '1-', '-', 'a ', 'not ', 'or ', 'may ', '九', 'ก', '\u0301', '½', 'five-', 'ab:', '<b '])(
  'a long answer of "%s" takes time in proportion to its length',
  (part) => {
    const match = (length: number) => () => {
      containsAnswer(part.repeat(length / part.length), 'a 1 b')
    }
    const { isSuperlinear, message: said } = growth(match(10_000), match(40_000))
    expect(isSuperlinear, said).toBe(false)
  },
)
