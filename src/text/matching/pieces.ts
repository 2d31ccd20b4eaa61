import { atomAt, atomsOf, isGluedSign, type Source } from './atoms.ts'
import { foldCase, foldUmlauts } from './canonical.ts'
import { valuesAt } from './values.ts'

/** A word or a typed value of a text. */
export interface Piece {
  /** As written, in lower case and without diacritics; empty for the unit of "€160". */
  readonly text: string
  /** The same with umlauts spelt ae, oe, ue. */
  readonly spelt: string
  readonly keys: readonly string[]
  readonly also: readonly string[]
  /** UTF-16 offsets in the canonical text. */
  readonly start: number
  readonly end: number
  /** Whether it may join the previous piece ("e-mail"). */
  readonly isSoft: boolean
  /** Whether a match may begin here, or end before it: not within "LM-3071" or "U.S.". */
  readonly isEdge: boolean
}

/** The pieces of a canonical text, in order. */
export function piecesOf(text: string, hasDecimalComma: boolean): Piece[] {
  const source: Source = { text, atoms: atomsOf(text), hasDecimalComma }
  const pieces: Piece[] = []
  const push = (from: number, next: number, keys: readonly string[], also: readonly string[]): void => {
    const start = atomAt(source, from).start
    const end = atomAt(source, next - 1).end
    const before = pieces.at(-1)
    const raw = text.slice(start, end)
    const gap = before && text.slice(before.end, start)
    const areInitials = before !== undefined && before.text.length === 1 && /^\p{L}(?!\p{L})/u.test(raw)
    const areSpacedInitials = areInitials && gap === '. '
    const isClitic = gap === "'" && clitic.test(raw)
    const isCompound = gap !== undefined && /^[-'.·・]?$/.test(gap) && !isClitic
    const isCode = gap === '-' && /^\d/.test(raw) && /\p{Lu}/u.test(text.slice(before?.start, before?.end))
    const hasText = next > from
    pieces.push({
      text: hasText ? foldCase(raw) : '',
      spelt: hasText ? foldUmlauts(raw) : '',
      keys,
      also,
      start: hasText ? start : end,
      end,
      isSoft: isCompound || areSpacedInitials,
      isEdge: !isCode && !(areInitials && gap === '.'),
    })
  }
  for (let i = 0; i < source.atoms.length;) {
    const values = valuesAt(source, i)
    for (const { keys, also, next } of values) {
      push(i, next, keys, also)
      i = next
    }
    if (values.length > 0) continue
    const word = wordAt(source, i)
    if (word) push(word.from, word.next, [], [])
    i = word?.next ?? i + 1
  }
  return pieces
}

/** A word with the signs that belong to it (".NET", "@lab", "C++", "F#", "AB-"), or a symbol. */
function wordAt(source: Source, i: number): { readonly from: number; readonly next: number } | undefined {
  const { kind, text, isGlued } = atomAt(source, i)
  if (kind !== 'word') {
    const isAtStart = !isGlued || /^[([{'"]$/.test(atomAt(source, i - 1).text)
    const isPrefix = text === '@' || (/^[.#]$/.test(text) && isAtStart)
    const follower = atomAt(source, i + 1)
    const isWord = isPrefix && follower.kind === 'word' && follower.isGlued
    if (isWord) return { from: i, next: i + 2 }
    return /\p{So}/u.test(text) ? { from: i, next: i + 1 } : undefined
  }
  let next = i + 1
  while (isGluedSign(source, next, '+') || (next === i + 1 && isGluedSign(source, next, '#'))) next++
  const isElement = /^\p{Lu}\p{L}?\d{0,2}$/u.test(text)
  const isCharged = isElement && next === i + 1 && isGluedSign(source, next, '-')
  const end = isCharged ? next + 1 : next
  const follower = atomAt(source, end)
  const isInside = follower.isGlued && follower.kind !== 'sign'
  return { from: i, next: isInside && end < i + 3 ? i + 1 : end }
}

/** "we're" is not "were". */
const clitic = /^(?:re|ll|ve|s|d|m)$/i
