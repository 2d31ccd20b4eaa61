import { memoiseWeakly } from '../../basics/memoise.ts'
import { atomAt, formAt, isGluedSign, type Source } from './atoms.ts'
import * as lexicon from './lexicon.ts'
import { numeralAt, type Numeral } from './numbers.ts'
import { formattedValueAt, type Value } from './formatted-values.ts'

/** The value at an atom, and its unit as a second one; empty without a value. */
export function valuesAt(source: Source, i: number): readonly Value[] {
  const { text, isGlued } = atomAt(source, i)
  const before = atomAt(source, i - 1)
  const isBehindValue = before.kind !== 'sign' || /[)\]%]/.test(before.text)
  const isJoined = isGlued && isBehindValue
  if (isJoined && /^[-+]$/.test(text)) return []
  const value = formattedValueAt(source, i)
  return value ? [value] : quantityAt(source, i)
}

function quantityAt(source: Source, i: number): readonly Value[] {
  const { marks, money, next: start } = prefixAt(source, i)
  const first = numeralAt(source, start, money !== undefined)
  if (!first) return []
  const number = pairAt(source, first, money !== undefined) ?? { ...first, also: [] }
  const unit = unitAt(source, number.next)
  const { text, isGlued } = atomAt(source, number.next)
  // "3D", "1920s" and "5A" are words, not numbers of something
  if (isGlued && !unit && /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/u.test(text)) {
    const ordinal = /^(?:st|nd|rd|th|er)$/.test(text) ? [`o:${atomAt(source, i).text}`] : []
    return [{ keys: ordinal, also: [], next: number.next + 1 }]
  }
  const isPlus =
    isGluedSign(source, number.next, '+') && !/[\p{L}\p{N}]/u.test(source.text[atomAt(source, number.next).end] ?? '')
  const suffix = phraseAt(source, unit?.next ?? number.next, lexicon.marksBehind())
  const end = isPlus ? number.next + 1 : (suffix?.next ?? unit?.next ?? number.next)
  const allMarks = [...marks, ...(isPlus ? ['≥'] : (suffix?.value ?? []))]
  const measure = unit?.keys ?? money
  // "Python 3.10" is not 3.1: a decimal after a name is compared literally
  const isVersion =
    !source.hasDecimalComma &&
    formAt(source, i, /\d+\.\d{1,2}(?![\d.,]*\d)/y) &&
    /^(?:\p{Lu}|version$|section$)/u.test(atomAt(source, i - 1).text)
  const keys = isVersion && allMarks.length === 0 && !measure ? [] : number.keys
  return [
    { ...keysWithMarks(allMarks, keys, number.also), next: unit ? number.next : end },
    ...(measure ? [{ keys: measure, also: [], next: end }] : []),
  ]
}

function keysWithMarks(
  marks: readonly string[],
  keys: readonly string[],
  also: readonly string[],
): Omit<Value, 'next'> {
  const signedKeys = marks.includes('-') ? keys.map((key) => key.replace(':', ':-')) : keys
  const comparator = marks.find((mark) => /[<>≤≥±]/.test(mark))
  if (comparator === undefined) return { keys: signedKeys, also }
  return { keys: signedKeys.map((key) => comparator + key), also: comparator === '±' ? [] : signedKeys }
}

interface Phrase {
  readonly value: readonly string[]
  readonly next: number
}

function phraseAt(source: Source, i: number, table: ReadonlyMap<string, readonly string[]>): Phrase | undefined {
  if (!firstWords(table).has(atomAt(source, i).foldedText)) return undefined
  for (const length of [3, 2, 1]) {
    const atoms = Array.from({ length }, (_, at) => atomAt(source, i + at).foldedText)
    const value = table.get(atoms.join(' '))
    if (value) return { value, next: i + length }
  }
  return undefined
}

const firstWords = memoiseWeakly(
  (table: ReadonlyMap<string, unknown>) => new Set(Array.from(table.keys(), (phrase) => phrase.split(' ', 1)[0])),
)

function prefixAt(source: Source, i: number) {
  const marks: string[] = []
  let next: number = i
  let money: readonly string[] | undefined = undefined
  for (let count = 0; ; count++) {
    const { text, kind } = atomAt(source, next)
    const mark = phraseAt(source, next, lexicon.marksBefore())
    const currency = phraseAt(source, next, lexicon.currencies())
    const isCurrencySign = kind === 'sign' || /^(?:[A-Z]{2,3}|Rs)$/.test(text)
    const isMoney = text === 'AD' || (currency !== undefined && isCurrencySign)
    if (count === 4) return { marks: [], money: undefined, next: i }
    if (mark) marks.push(...mark.value)
    else if (/^[-+]$/.test(text) && atomAt(source, next + 1).isGlued) marks.push(text)
    else if (isMoney) money = currency?.value ?? [text]
    else return { marks: marks.filter((mark) => mark !== '' && mark !== '+'), money, next }
    next = mark?.next ?? currency?.next ?? next + 1
    if (kind === 'word' && isGluedSign(source, next, '.')) next++
  }
}

/** A second number: of a range ("3-6", "3 to 6", "3 km to 6 km") or a ratio ("3:1", "3 to 1"). */
function pairAt(source: Source, first: Numeral, isMoney: boolean): Value | undefined {
  const unit = unitAt(source, first.next)
  const at = unit ? unit.next : first.next
  const { foldedText: sign, isGlued } = atomAt(source, at)
  const isWord = /^(?:to|bis|à|a|do|до|till|through|~|〜)$/.test(sign)
  const isSign = /^[-:]$/.test(sign) && isGlued === atomAt(source, at + 1).isGlued
  if (!isWord && (unit || !isSign)) return undefined
  const money = isMoney ? phraseAt(source, at + 1, lexicon.currencies()) : undefined
  const second = numeralAt(source, money?.next ?? at + 1, isMoney)
  if (!second || (unit && unitAt(source, second.next)?.keys[0] !== unit.keys[0])) return undefined
  const low = first.keys[0]
  const high = second.keys[0]
  if (low === undefined || high === undefined) return { keys: [], also: [], next: second.next }
  const a = Number(low.slice(2))
  const b = Number(high.slice(2))
  if (sign === '-' && !isGlued && !(a < b)) return undefined
  const ratio = sign === '-' && a < b ? [] : [`r:${low}|${high}`]
  const range = sign === ':' ? [] : [`x:${low}|${high}`]
  const areYears = [a, b].every((year) => Number.isInteger(year) && year > 999 && year < 3000)
  return { keys: [...ratio, ...range], also: areYears ? [low, high] : [], next: second.next }
}

function unitAt(source: Source, i: number): Omit<Value, 'also'> | undefined {
  const isHyphened = isGluedSign(source, i, '-') && atomAt(source, i + 1).isGlued
  const at = isHyphened && atomAt(source, i + 1).kind === 'word' ? i + 1 : i
  const money = phraseAt(source, at, lexicon.currencies())
  const unit = measureAt(source, at)
  if (!unit) return money && { keys: money.value, next: money.next }
  const isRate = /^(?:\/|per|pro|par|por)$/.test(atomAt(source, unit.next).foldedText)
  const rate = isRate ? measureAt(source, unit.next + 1) : undefined
  if (rate) return { keys: [`${unit.value.join()}/${rate.value.join()}`], next: rate.next }
  const currency = money?.next === unit.next ? money.value : []
  return { keys: [...unit.value, ...currency], next: unit.next }
}

function measureAt(source: Source, i: number): Phrase | undefined {
  const { text, foldedText, isGlued } = atomAt(source, i)
  // of single letters right after a number, only these are units: "5A" may be a room, "1920s" a decade
  const isDecade = text === 's' && /^[12]\d\d0$/.test(atomAt(source, i - 1).text)
  const isGluedLetter = isGlued && /^[a-z]$/i.test(text)
  if (isGluedLetter && (isDecade || !/[mgltshLWV]/.test(text))) return undefined
  const { symbols, names } = lexicon.units()
  const power = /^(?:square|sq)$/.test(foldedText) ? '2' : foldedText === 'cubic' ? '3' : undefined
  const base = power && measureAt(source, i + (isGluedSign(source, i + 1, '.') ? 2 : 1))
  if (base) return { value: [base.value.join() + power], next: base.next }
  const [, stem = text, exponent = ''] = /^(\p{L}+)([23])$/u.exec(text) ?? []
  const phrase = phraseAt(source, i, names)
  const symbol = phrase && phrase.next > i + 1 ? undefined : symbols.get(stem)
  return symbol ? { value: [symbol.join() + exponent], next: i + 1 } : phrase
}
