import { atomAt, formAt, type Source } from './atoms.ts'
import { foldCase } from './canonical.ts'
import { months } from './lexicon.ts'
import { numberKey } from './numbers.ts'

/** A typed value up to the atom `next`: a key per reading, and `also` the keys it implies. No key: literal. */
export interface Value {
  readonly keys: readonly string[]
  readonly also: readonly string[]
  readonly next: number
}

type Keys = Omit<Value, 'next'>

/** A value of a fixed form that begins at an atom: a network address, code, date or time. */
export function formattedValueAt(source: Source, i: number): Value | undefined {
  const { kind, text } = atomAt(source, i)
  if (kind === 'sign' && !/^[+(:]$/.test(text)) return undefined
  for (const [form, read] of forms) {
    const match = formAt(source, i, form)
    const keys = match && read(match.match, source)
    if (keys) return { ...keys, next: match.next }
  }
  return undefined
}

function dateKeys(year = '', month = '', day = ''): Keys | undefined {
  const m = Number(month)
  const d = Number(day)
  if (m > 12 || d > 31 || (month !== '' && m < 1) || (day !== '' && d < 1)) return undefined
  const key = (...parts: readonly string[]) => `d:${parts.join('-')}`
  const ofMonth = month === '' ? '' : String(m)
  const ofDay = day === '' ? '' : String(d)
  return {
    keys: [month === '' ? numberKey(year) : key(year, ofMonth, ofDay)],
    also: [
      key('', ofMonth, ''),
      ...(day === '' ? [] : [key(year, ofMonth, ''), key('', ofMonth, ofDay)]),
      ...(year === '' ? [] : [numberKey(year)]),
    ],
  }
}

/** A time in 24 hours; without "am" or "pm" it may be a ratio, with it the hour is implied. */
function timeKeys(hour = '', minute = '', more = ''): Keys | undefined {
  const h = Number(hour)
  const half = /^[ap]m$/i.test(more)
  const isHourInRange = half ? h >= 1 && h <= 12 : h <= 24
  if (!isHourInRange || Number(minute) > 59) return undefined
  const seconds = /^\d/.test(more) ? `:${more}` : ''
  const key = (hours: number, kind = 't') => `${kind}:${hours}:${minute.padStart(2, '0')}${seconds}`
  const hourKey = minute === '00' ? [numberKey(String(h))] : []
  if (half) {
    const firstHour = /^p/i.test(more) ? 12 : 0
    return { keys: [key(firstHour + (h % 12))], also: [key(h, 'T'), ...hourKey] }
  }
  if (more !== '' && seconds === '') return { keys: [key(h)], also: hourKey }
  const canBeRatio = seconds === '' && !minute.startsWith('0')
  const ratio = canBeRatio ? [`r:${numberKey(String(h))}|${numberKey(minute)}`] : []
  return { keys: [key(h), key(h, 'T'), ...ratio], also: [] }
}

/** The date of a month's name; "may" and "march" without a day or year are verbs. */
function namedDate(year: string | undefined, name = '', day?: string): Keys | undefined {
  const month = months().get(foldCase(name))
  const isVerb = year === undefined && day === undefined && /^(?:may|march|mars)$/.test(name)
  return month === undefined || isVerb ? undefined : dateKeys(year, String(month), day)
}

const literal: Keys = { keys: [], also: [] }

function codeKeys([code]: RegExpExecArray): Keys | undefined {
  const digits = code.replace(/[^\dX]/gi, '')
  return digits.length < 7 ? undefined : { keys: [`c:${digits}`], also: [] }
}

/** A date with the year last: the day comes first with points, in most languages, and where it exceeds 12. */
function dateOfParts(
  [, first = '', sign = '', second = '', year = '']: RegExpExecArray,
  source: Source,
): Keys | undefined {
  const isDayFirst = sign.startsWith('.') || source.hasDecimalComma || Number(first) > 12
  if (isDayFirst) return dateKeys(year, second, first)
  if (Number(second) > 12) return dateKeys(year, first, second)
  const keys = first === second ? [`d:${year}-${Number(first)}-${Number(first)}`] : []
  return { keys, also: [numberKey(year)] }
}

const end = '(?![\\p{L}\\p{N}])'
const name = '([\\p{L}\\p{M}]{2,20})'
const dayEnd = '(?:st|nd|rd|th|er|o|\\.)?(?: of| de| den)?'
const yearBehind = `${end}(?:[.,]{0,2}(?: de| of| del)? ([12]\\d{3})(?!\\d))?`
const hex = '[\\da-f]{1,4}'
const writtenForms: readonly (readonly [string, (match: RegExpExecArray, source: Source) => Keys | undefined])[] = [
  [`(?:${hex}:){3,7}${hex}(?!:)${end}`, () => literal],
  [`(?:${hex}(?::${hex}){0,6})?::(?:${hex}(?::${hex}){0,6})?(?:/\\d+)?${end}`, () => literal],
  ['(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})(?!\\d)(?:T(?=\\d))?', ([, y, , m, d]) => dateKeys(y, m, d)],
  ['(\\d{1,2})(\\. ?|[-/])(\\d{1,2})\\2(\\d{4})(?!\\d)', dateOfParts],
  ['(?:(\\d{4}) ?[年년] ?)?(\\d{1,2}) ?[月월](?: ?(\\d{1,2}) ?[日일])?', ([, y, m, d]) => dateKeys(y, m, d)],
  ['(\\d{4}) ?[年년]', ([, year]) => dateKeys(year)],
  [`(\\d{1,2})${dayEnd} ?${name}${yearBehind}`, ([, d, month, y]) => namedDate(y, month, d)],
  [`${name}\\.?,?(?: of| de| del)? ([12]\\d{3})(?!\\d)`, ([, month, y]) => namedDate(y, month)],
  [
    `${name}\\.?(?: the)? (\\d{1,2})(?:st|nd|rd|th)?(?!\\d|[-.:]\\d)${yearBehind}`,
    ([, month, d, y]) => namedDate(y, month, d),
  ],
  [`${name}${end}`, ([, month]) => namedDate(undefined, month)],
  [`(\\d{1,2})[:.](\\d{2}) ?(am|pm|uhr|h)${end}`, ([, h, m, more]) => timeKeys(h, m, more)],
  ['(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?![:.,]?\\d)', ([, h, m, more]) => timeKeys(h, m, more)],
  [`(\\d{1,2}) ?(am|pm|uhr|o'clock)${end}`, ([, h, more]) => timeKeys(h, '00', more)],
  [`(\\d{1,2}) ?h ?(\\d{2})${end}`, ([, h, m]) => timeKeys(h, m, 'h')],
  ['(\\d{1,2})[時时点點시](?: ?(\\d{1,2})[分분])?', ([, h, m = '00']) => timeKeys(h, m, 'h')],
  [`\\+\\d{1,4}(?:[-\\s/.(]{1,2}\\d{1,12}\\)?){1,6}${end}`, codeKeys],
  [`\\d{1,9}(?:-\\d{1,9}){2,6}(?:-X)?(?!-\\d)${end}|\\d{3}-\\d{4}(?!-)${end}`, codeKeys],
  [`(?:0\\d{1,5}|\\(\\d{2,5}\\))(?:[-\\s/]{1,3}\\d{2,12}){1,5}${end}`, codeKeys],
  [`0\\d{6,19}${end}|\\d{9}X${end}`, codeKeys],
  [`\\d+(?:[-/]\\d+){2,}(?![-/]?\\d)${end}|0\\d*-\\d+${end}`, () => literal],
  // four bytes, also where each has three digits
  [
    `(?:(?:1?\\d?\\d|2[0-4]\\d|25[0-5])\\.){3}(?:1?\\d?\\d|2[0-4]\\d|25[0-5])(?:/\\d{1,2})?(?![.]?\\d)${end}`,
    () => literal,
  ],
]
const forms = writtenForms.map(([form, read]) => [new RegExp(form, 'iuy'), read] as const)
