import { asciiDigit, otherDigit } from '../characters.ts'
import { normaliseUnicode } from '../words.ts'

/** Unifies spellings of Unicode, HTML and LaTeX; removes invisible characters. Keeps case and diacritics. */
export const canonical = (text: string): string => {
  const plain = normaliseUnicode(rewrite(text, beforeNfkc), 'NFKC').replace(otherDigit, asciiDigit)
  return rewrite(plain, afterNfkc)
}

/** Lower case, without diacritics of Latin, Greek and Cyrillic and vowel signs of Arabic and Hebrew. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  if (/^[\0-\x7f]*$/.test(lower)) return lower
  const bare = normaliseUnicode(lower, 'NFD').replace(diacritic, '')
  return normaliseUnicode(bare, 'NFC').replace(/[ßæœøłđðþıςىة]/g, (letter) => plainLetters[letter] ?? letter)
}

/** `foldCase` with umlauts spelt ae, oe and ue, and å as aa. */
export const foldUmlauts = (text: string): string => foldCase(text.replace(/[äöüøÄÖÜØ]/g, '$&e').replace(/[åÅ]/g, 'aa'))

const diacritic = /(?<!и)[\u0300-\u036f]|[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  ى: 'ي',
  ة: 'ه',
}

type Rewrites = readonly (readonly [RegExp, string])[]

const rewrite = (text: string, rewrites: Rewrites) =>
  rewrites.reduce((result, [form, by]) => result.replace(form, by), text)

const beforeNfkc: Rewrites = [
  [/[\p{Cf}\ufe00-\ufe0f™®©]/gu, ''],
  [/[‘’‛ʻʼʹ´`′]/g, "'"],
  [/<sup>\s*([-+−]?\d+)\s*<\/sup>/gi, '^$1'],
  [/<\/?[a-z][a-z\d]{0,9}(?:\s[^<>]{0,200})?\/?>/gi, ''],
  // a superscript number after a number is an exponent, after a letter part of the word
  [/(?<=(?:^|[^\p{L}\p{N}_])\d[\d.,]{0,20})([⁺⁻]?[⁰¹²³⁴-⁹]+)/gu, '^$1'],
  [/(?<=\d)\s?(?=[¼-¾⅐-⅞])/g, ' '],
  [/º(?=\s?[CF]\b)/g, '°'],
]

const afterNfkc: Rewrites = [
  [/\u2212\s+(?=\d)/g, '-'],
  [/[\u2010-\u2013\u2212]/g, '-'],
  [/⁄/g, '/'],
  [/\\[dt]?frac\{(\d+)\}\{(\d+)\}/g, '$1/$2'],
  [/\\(?:times|cdot)/g, '×'],
  [/\\([%$&_#])/g, '$1'],
  [/\^\{([^{}]{1,12})\}/g, '^$1'],
  [/\$([-+\w\\^{}.,*/=×:;()%]{1,40})\$(?!\d)/g, '$1'],
  [/(?<=\p{L}\d{0,3})\^(?=[-+\d])/gu, ''],
  [/(?<=\d0)'(?=s(?!\p{L}))/gu, ''],
  [/(?<=\d) out of (?=\d)/g, '/'],
  [/\u066b/g, '.'],
  [/[\u066c\u060c]/g, ','],
  [/\u066a/g, '%'],
  [/(?<=\d\s?)([ap])\.\s?m(?:\.|\b)/gi, '$1m'],
  [/(?<![\p{L}\p{N}])v(?=\d+\.\d)/giu, 'version '],
  [
    /(?<!\p{L})(?:between|zwischen|entre|mellan|между|między) (\d\S{0,20}) (?:and|und|et|y|e|и|i|och) (?=\d)/giu,
    '$1 to ',
  ],
]
