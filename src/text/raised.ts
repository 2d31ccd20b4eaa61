/**
 * A superscript as plain text, given the line before it: a power or charge as "^6", an ordinal or abbreviation as it is
 * ("1st", "Mme"), a footnote mark as "[1]", so that it does not merge with a number or word. `isNote`: known to be a
 * footnote mark.
 */
export function superscript(before: string, content: string, isNote = false): string {
  const mark = content.trim()
  if (!/[\p{L}\p{N}]/u.test(mark) || /^\[.*\]$/.test(mark)) return mark
  if (isNote) return `[${mark}]`
  if (mark === 'TM') return '™'
  if (mark === 'o' && /\d\s*$/.test(before)) return '°'
  if (ordinalEnd.test(mark) && numberEnd.test(before)) return mark
  if (abbreviationEnd.test(mark) && abbreviationStart.test(before)) return mark
  if (noteMark.test(mark) && noteContext.test(before)) return `[${mark}]`
  if (/\p{L}{3}.*\s|\s.*\p{L}{3}/u.test(mark)) return ` [${mark}]`
  return /^[+−–-]?[\p{L}\p{N}.,]+[+−–-]?$/u.test(mark) ? `^${mark}` : `^(${mark.replace(/^\((.*)\)$/, '$1')})`
}

/** A subscript as plain text: "H2O", but "_" between digits. */
export function subscript(before: string, content: string): string {
  const mark = content.trim()
  return /\d$/.test(before) && /^\d/.test(mark) ? `_${mark}` : mark
}

/** Ordinal endings in English, French, Spanish, Italian and Portuguese; "2a" and "3a" may be footnote marks. */
const ordinalEnd = /^(?:st|nd|rd|th|ers?|ères?|res?|n?des?|èmes?|emes?|es?|r[ao]|d[ao]|t[ao]|m[ao]|v[ao]|n[ao])$/i
const numberEnd = /(?:\d|\b[IVXLC]+)$/

/** Mme, Mlle, Mgr, Dr, No, Ste, Cie, McDonald. */
const abbreviationEnd = /^(?:mes?|lles?|gr|rs?|os?|te|ie|c)$/
const abbreviationStart = /(?:^|[^\p{L}\p{N}])(?:\p{Lu}\p{Ll}?|n)$/u

const noteMark = /^(?:\d{1,3}(?:\s?[,–-]\s?\d{1,3})*|[a-z])$/

/** Contexts of a footnote mark: a line start, a word of four letters, punctuation, a percentage or price. */
const noteContext =
  /^\s*(?:- |\d+\. )?$|(?:\p{L}{4}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}])['"’”»)\]]*$|[.,;:!?…。、，"”»%€$£]$/u
