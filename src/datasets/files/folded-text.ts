import { itemAt } from '../../basics/collections.ts'
import { occurrences, type TextSpan } from '../shared/answer-span.ts'

/**
 * A text for comparison with words that another program may have written otherwise: one kind of quotes, dashes and
 * white space, no invisible characters, letters and marks, full-width forms and ligatures taken apart. Case stays, and
 * so do superscripts and fractions: 10⁶ is not 106.
 */
export const foldedText = (text: string): string => foldedCharacters(text).replace(/\s+/g, ' ')

/** Finds all non-overlapping places of words in a text, both folded. */
export function foldedPlaces(text: string): (words: string) => readonly TextSpan[] {
  const units: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  for (const { index, 0: character } of text.matchAll(wholeCharacters)) {
    const plainText = /^[\w,.]$/.test(character) ? character : foldedCharacters(character).replace(/\s/g, ' ')
    for (const unit of plainText.split('')) {
      if (unit === ' ' && units.at(-1) === ' ') continue
      units.push(unit)
      starts.push(index)
      ends.push(index + character.length)
    }
  }
  const joinedUnits = units.join('')
  /** Whether two units are parts of one character. */
  const isInside = (unit: number): boolean => starts[unit - 1] === starts[unit] && unit < starts.length
  return (words) => {
    const pattern = foldedText(words).trim()
    return occurrences(joinedUnits, pattern)
      .filter((at) => !isInside(at) && !isInside(at + pattern.length))
      .map((at) => ({ start: itemAt(starts, at), end: itemAt(ends, at + pattern.length - 1) }))
  }
}

/** A character with its combining marks, or a Hangul syllable of conjoining letters. */
const wholeCharacters = /\P{M}?[\p{M}\u1160-\u11ff]*/gu

const foldedCharacters = (text: string): string =>
  text
    .replace(/[‘’‚‛‹›′‵´`ʹʼ]/g, "'")
    .replace(/[“”„‟«»″‶〝〞〟]/g, '"')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[^\p{No}]+/gu, (run) => run.normalize('NFKD'))
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
