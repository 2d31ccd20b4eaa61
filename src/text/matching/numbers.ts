import { atomAt, formAt, isGluedSign, numberForm, type Source } from './atoms.ts'
import { denominators, numberWords, ordinals, scales } from './lexicon.ts'

/** A number without sign and unit, up to the atom `next`; a key per reading. */
export interface Numeral {
  readonly keys: readonly string[]
  readonly next: number
}

/** The key of a decimal ("12.50") times a power of ten: "n:125e-1". */
export function numberKey(decimal: string, exponent = 0): string {
  const [integer = '', fraction = ''] = decimal.split('.')
  const digits = (integer + fraction).replace(/^0+(?=.)/, '')
  let end = digits.length
  while (end > 1 && digits[end - 1] === '0') end--
  return digits === '0' ? 'n:0' : `n:${digits.slice(0, end)}e${digits.length - end + exponent - fraction.length}`
}

/** The number at an atom, in digits or words, with its scale; `isMoney`: m means million. */
export function numeralAt(source: Source, i: number, isMoney: boolean): Numeral | undefined {
  const word = wordNumberAt(source, i)
  if (word?.isOrdinal) return { keys: [`o:${word.value}`], next: word.next }
  if (word) return partBehind(source, word.next, word.value) ?? { ...word, keys: [numberKey(String(word.value))] }
  const form = formAt(source, i, writtenNumber)
  const { whole: integer = '0', top = '', bottom, written: digits = '', exponent, power } = form?.match.groups ?? {}
  if (!form || (atomAt(source, i).text === '.' && atomAt(source, i).isGlued)) return partAt(source, i)
  const { next } = form
  if (bottom !== undefined) return { keys: fractionKeys(Number(integer), Number(top), Number(bottom)), next }
  const decimal = decimalOf(digits, source.hasDecimalComma)
  // a code ("006") or version ("2.1.4") is compared as it is written
  if (decimal === undefined || decimal.length > 40) return { keys: [], next }
  if (power !== undefined && decimal !== '10') return { keys: [`p:${decimal}^${Number(power)}`], next }
  if (power !== undefined) return { keys: [numberKey('1', Number(power))], next }
  if (exponent !== undefined) return { keys: [numberKey(decimal, Number(exponent))], next }
  const part = /^\d{1,9}$/.test(decimal) ? partBehind(source, next, Number(decimal)) : undefined
  const scale = scaleAt(source, next, isMoney)
  const code = /^\d{7,}$/.test(digits) ? [`c:${digits}`] : []
  return part ?? { keys: [numberKey(decimal, scale.exponent), ...code], next: scale.next }
}

/** 3 1/2; .5, 1 234,5 and 1,234.5; 10^6, 3e8 and 3 × 10^8. */
const writtenNumber = new RegExp(
  '(?:(?<whole>\\d{1,3}) )?(?<top>\\d{1,9})/(?<bottom>[1-9]\\d{0,8})(?![/\\d])|' +
    `(?<written>\\.\\d+|[1-9]\\d{0,2}(?: \\d{3})+(?!\\d)(?:[.,]\\d+)?|${numberForm})` +
    '(?:(?: ?[×x*·] ?10\\^|e)(?<exponent>[-+]?\\d{1,9})(?!\\d)|\\^(?<power>[-+]?\\d{1,9})(?!\\d))?',
  'iuy',
)

function decimalOf(digits: string, hasDecimalComma: boolean): string | undefined {
  if (/^\.?\d+$/.test(digits)) return /^0\d/.test(digits) ? undefined : digits.replace(/^\./, '0.')
  const groups = /^(\d{1,3})((?:([.,'_ ])\d{3})(?:\3\d{3})*)(?:(?!\3)[.,](\d+))?$/.exec(digits)
  const [, first = '', rest = '', sign = '', fraction = ''] = groups ?? []
  const isAmbiguous = rest.length === 4 && fraction === '' && /[.,]/.test(sign)
  if (groups && !/^0/.test(first) && (!isAmbiguous || (sign === ',') !== hasDecimalComma))
    return first + rest.replace(/\D/g, '') + (fraction && `.${fraction}`)
  if (/^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/.test(digits)) return digits.replaceAll(',', '')
  return /^(?:0|[1-9]\d*)[.,]\d+$/.test(digits) ? digits.replace(',', '.') : undefined
}

/** A fraction, and its decimal if that terminates. */
function fractionKeys(integer: number, top: number, bottom: number): string[] {
  const decimal = String(integer + top / bottom)
  const ends = /^\d+\.\d{1,12}$/.test(decimal) && (integer > 0 || top < bottom)
  return [`f:${integer * bottom + top}/${bottom}`, ...(ends ? [numberKey(decimal)] : [])]
}

/** "two thirds", "one and a half": a fraction after a number. */
function partBehind(source: Source, i: number, top: number): Numeral | undefined {
  const isHalf = ['and', 'a', 'half'].every((word, at) => atomAt(source, i + at).foldedText === word)
  if (isHalf) return { keys: fractionKeys(top, 1, 2), next: i + 3 }
  const at = isGluedSign(source, i, '-') ? i + 1 : i
  const { foldedText } = atomAt(source, at)
  const bottom = denominators().get(foldedText)
  if (bottom === undefined || top >= bottom || (top > 1 && ordinals().has(foldedText))) return undefined
  return { keys: fractionKeys(0, top, bottom), next: at + 1 }
}

/** "half", "a third of", "ein Viertel": a denominator without a number. */
function partAt(source: Source, i: number): Numeral | undefined {
  const before = atomAt(source, i - 1).foldedText
  const behind = atomAt(source, i + 1).foldedText
  const bottom = denominators().get(atomAt(source, i).foldedText)
  const isPart =
    bottom === 2
      ? !/^(?:past|an?)$/.test(behind)
      : /^(?:eine?|une?)$/.test(before) || (before === 'a' && behind === 'of')
  return bottom !== undefined && isPart ? { keys: fractionKeys(0, 1, bottom), next: i + 1 } : undefined
}

/** "million", "k", "Mrd." after a number, as a power of ten. */
function scaleAt(source: Source, i: number, isMoney: boolean): { readonly exponent: number; readonly next: number } {
  let exponent = 0
  let next = i
  for (; exponent < 12;) {
    const { foldedText, text, isGlued } = atomAt(source, next)
    const isLetter = (isGlued || isMoney) && !atomAt(source, next + 1).isGlued
    const letter = isMoney ? scaleLetters.money.get(foldedText) : scaleLetters.plain.get(text)
    const power = scales().get(foldedText) ?? (isLetter ? letter : undefined)
    if (power === undefined) break
    exponent += power
    const isShort = foldedText.length <= 4 && isGluedSign(source, next + 1, '.')
    next += isShort && /[^.\s\d]/.test(atomAt(source, next + 2).text) ? 2 : 1
  }
  return { exponent, next }
}

const scaleLetters = {
  money: new Map(Object.entries({ k: 3, m: 6, b: 9 })),
  plain: new Map(Object.entries({ k: 3, K: 3, M: 6 })),
}

/** A number in words: "two hundred and twelve", "vingt et un", "nineteen eighty-four", "twenty-first". */
function wordNumberAt(source: Source, i: number) {
  const { first, inner } = numberWords()
  const isBehindArticle = /^(?:an?|eine?|une?|una)$/.test(atomAt(source, i - 1).foldedText)
  const isCounted = isBehindArticle && scales().has(atomAt(source, i).foldedText)
  let total = 0
  let group = isCounted ? 1 : 0
  let next = i
  for (;;) {
    const joint = next === i ? 0 : jointAt(source, next, total + group)
    const { foldedText } = atomAt(source, next + joint)
    const value = first.get(foldedText) ?? (next === i ? undefined : inner.get(foldedText))
    const scale = value === 100 || value === 1000 || group === 0 ? undefined : scales().get(foldedText)
    const tail = group % 100
    const ordinal = ordinals().get(foldedText)
    if (ordinal !== undefined && follows(tail, ordinal, joint) && (next > i || foldedText !== 'second'))
      return { value: total + group + ordinal, next: next + joint + 1, isOrdinal: true }
    if (scale !== undefined) [total, group] = [total + group * 10 ** scale, 0]
    else if (value === undefined) break
    else if (value === 1000 && total % 1e6 === 0) [total, group] = [total + Math.max(group, 1) * 1000, 0]
    else if (value === 100 && group < 100) group = Math.max(group, 1) * 100
    else if (foldedText === 'dozen' && group > 0) group *= 12
    else if (tail === 4 && foldedText.startsWith('vingt')) group += 76
    else if (joint === 0 && total === 0 && group > 12 && group < 21 && value > 19 && value < 100)
      group = group * 100 + value
    else if (follows(tail, value, joint) && (group === 0 || value < 100)) group += value
    else break
    next += joint + 1
  }
  const isPronoun = next === i + 1 && atomAt(source, i).foldedText === 'one' && isPronounAt(source, i)
  return next === i || isPronoun ? undefined : { value: total + group, next, isOrdinal: false }
}

/** Whether a number word may follow the value since the last hundred: 20 + 1, 60 + 10 (French), 10 + 7 (dix-sept). */
const follows = (tail: number, value: number, joint: number) =>
  tail === 0 ||
  (tail >= 20 && tail % 10 === 0 && value < 10) ||
  ((tail === 60 || tail === 80) && value < 20) ||
  (/^[179]0$/.test(String(tail)) && joint === 1 && value > 6 && value < 10)

function jointAt(source: Source, i: number, sum: number): number {
  const { foldedText } = atomAt(source, i)
  const isHyphen = isGluedSign(source, i, '-') && atomAt(source, i + 1).isGlued
  const isEnglishAnd = foldedText === 'and' && sum >= 100
  const isOtherAnd = /^(?:et|y|e|und)$/.test(foldedText) && sum >= 20
  return isHyphen || isEnglishAnd || isOtherAnd ? 1 : 0
}

const isPronounAt = (source: Source, i: number) =>
  /^(?:no|any|every|some|each|this|that|which|the|another|other|only)$/.test(atomAt(source, i - 1).foldedText) ||
  /^(?:of|another|who|that|can|may|must|should|could|would|might|')$/.test(atomAt(source, i + 1).foldedText)
