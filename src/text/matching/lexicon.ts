import { once } from '../../basics/memoise.ts'
import { foldCase } from './canonical.ts'
import * as words from './vocabulary.ts'

/** "key: word|two words; key: …" as a map from each word to its keys. */
const table = (lines: string): Map<string, readonly string[]> => {
  const keys = new Map<string, readonly string[]>()
  for (const [key = '', names = ''] of lines.split('; ').map((line) => line.split(': ')))
    for (const name of names.split('|').map(foldCase)) keys.set(name, [...(keys.get(name) ?? []), key])
  return keys
}

const numbers = (lines: string) => new Map(Array.from(table(lines), ([word, [value]]) => [word, Number(value)]))

/** Words for 0 to 999 and 1000 (`first`), and words that count only after another one (`inner`). */
export const numberWords = once(() => {
  const first = new Map<string, number>()
  const inner = new Map<string, number>()
  const add = (word: string, value: number) => {
    if (word.startsWith('_')) inner.set(foldCase(word.slice(1)) || '_', value)
    else first.set(foldCase(word), value)
  }
  for (const [joint = '', ...list] of words.numerals.map((line) => line.split(' '))) {
    for (const [i, word] of list.entries()) {
      const hundredOrThousand = i === 28 ? 100 : 1000
      const round = i < 28 ? (i - 18) * 10 : hundredOrThousand
      add(word, i < 20 ? i : round)
    }
    const tens = joint === 'apart' ? [] : list.slice(20, 28)
    for (const [i, word] of list.slice(1, 10).entries()) {
      const unit = word.replace(/^_|(?<=ein)s$/g, '')
      for (const [j, ten] of tens.entries()) add(joint === '+' ? ten + unit : unit + joint + ten, 10 * j + i + 21)
      if (tens.length > 0) add(unit + String(list[28]), 100 * (i + 1))
    }
  }
  for (const [start, step, ...list] of words.numeralSeries.map((line) => line.split(' ')))
    for (const [i, word] of list.entries()) add(word, Number(start) + Number(step) * i)
  return { first, inner }
})

export const scales = once(() => numbers(words.scaleWords))
export const denominators = once(() => numbers(words.denominatorWords))
export const marksBefore = once(() => table(words.wordsBefore))
export const marksBehind = once(() => table(words.wordsBehind))
export const currencies = once(() => table(words.currencyNames))
export const ordinals = once(
  () => new Map(words.ordinalList.split(' ').map((word, i) => [word, i < 20 ? i + 1 : (i - 18) * 10])),
)

/** Units by their symbol (case matters: mW, MW) and by their names in lower case. */
export const units = once(() => {
  const symbols = new Map<string, readonly string[]>()
  const names = new Map<string, readonly string[]>()
  for (const [base = '', ...list] of words.baseUnits.split('; ').map((line) => line.split(' ')))
    for (const [prefix = '', name = ''] of prefixes.map((line) => line.split(' '))) {
      const key = prefix + base
      if (/^[MGTP]$/.test(prefix) && /^[glms]$/.test(base)) continue
      symbols.set(key, [key])
      for (const word of list) names.set(name + word, [key]).set(`${name}${word}s`, [key])
      if (key.length > 1 && !names.has(foldCase(key))) names.set(foldCase(key), [key])
    }
  for (const locale of locales)
    for (const unit of Intl.supportedValuesOf('unit'))
      for (const count of [1, 2, 5]) {
        const parts = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).formatToParts(count)
        const unitParts = parts.filter(({ type }) => type === 'unit')
        const [name, ...rest] = unitParts.map(({ value }) => foldCase(value))
        const isOnePart = name !== undefined && rest.length === 0
        if (isOnePart && !names.has(name)) names.set(name, names.get(unit) ?? [unit])
      }
  for (const [name, keys] of table(words.unitNames)) names.set(name, keys)
  return { symbols, names }
})

const prefixes = [
  'k kilo',
  'M mega',
  'G giga',
  'T tera',
  'P peta',
  'c centi',
  'd deci',
  'm milli',
  'μ micro',
  'n nano',
  '',
]
const locales = 'en en-GB de fr es it pt nl sv da nb fi pl cs ru uk tr el hu ro ar he hi th ja ko zh'.split(' ')

/** 1 to 12 by the name of the month, in any of the languages, or its abbreviation. */
export const months = once(() => {
  const names = numbers(words.monthNames)
  for (const locale of locales)
    for (let at = 0; at < 12; at++)
      for (const day of [{}, { day: 'numeric' }] as const) {
        const form = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC', ...day })
        const name = form.formatToParts(new Date(Date.UTC(2001, at, 3))).find(({ type }) => type === 'month')?.value
        if (name !== undefined && /^\p{L}[\p{L}\p{M}]+$/u.test(name)) names.set(foldCase(name), at + 1)
      }
  return names
})
