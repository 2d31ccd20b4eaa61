/**
 * A superscript as plain text, as it follows `before` on its line: a power or charge as "^6", an ordinal or an
 * abbreviation as it is ("1st", "Mme"), the mark of a footnote as "[1]", so that no number or word takes in the next.
 * `isNote`: it is known to refer to a footnote.
 */
export function raised(before: string, written: string, isNote = false): string {
  const mark = written.trim()
  if (!/[\p{L}\p{N}]/u.test(mark) || /^\[.*\]$/.test(mark)) return mark
  if (isNote) return `[${mark}]`
  if (mark === 'TM') return '™'
  if (mark === 'o' && /\d\s*$/.test(before)) return '°'
  if (ordinalEnd.test(mark) && numberEnd.test(before)) return mark
  if (abbreviationEnd.test(mark) && abbreviated.test(before)) return mark
  if (noteMark.test(mark) && noted.test(before)) return `[${mark}]`
  if (/\p{L}{3}.*\s|\s.*\p{L}{3}/u.test(mark)) return ` [${mark}]`
  return /^[+−–-]?[\p{L}\p{N}.,]+[+−–-]?$/u.test(mark) ? `^${mark}` : `^(${mark.replace(/^\((.*)\)$/, '$1')})`
}

/** A subscript as plain text: "H2O" is searched for as such, but a digit after a digit would change the number. */
export function lowered(before: string, written: string): string {
  const mark = written.trim()
  return /\d$/.test(before) && /^\d/.test(mark) ? `_${mark}` : mark
}

/** English, French, Spanish, Italian and Portuguese; "2a" and "3a" may be marks of footnotes in a table. */
const ordinalEnd = /^(?:st|nd|rd|th|ers?|ères?|res?|n?des?|èmes?|emes?|es?|r[ao]|d[ao]|t[ao]|m[ao]|v[ao]|n[ao])$/i
const numberEnd = /(?:\d|\b[IVXLC]+)$/

/** Mme, Mlle, Mgr, Dr, No, Ste, Cie, McDonald. */
const abbreviationEnd = /^(?:mes?|lles?|gr|rs?|os?|te|ie|c)$/
const abbreviated = /(?:^|[^\p{L}\p{N}])(?:\p{Lu}\p{Ll}?|n)$/u

const noteMark = /^(?:\d{1,3}(?:\s?[,–-]\s?\d{1,3})*|[a-z])$/

/** The beginning of a line, a word that is no unit or variable, a sign of punctuation, or a percentage or price. */
const noted =
  /^\s*(?:- |\d+\. )?$|(?:\p{L}{4}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}])['"’”»)\]]*$|[.,;:!?…。、，"”»%€$£]$/u
