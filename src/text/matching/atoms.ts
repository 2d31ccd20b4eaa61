import { once } from '../../basics/memoise.ts'
import { unspacedScripts } from '../words.ts'
import { foldCase } from './canonical.ts'

/** A run of letters, a number as written ("1.234,5"), or another sign, with its place in the canonical text. */
export interface Atom {
  readonly kind: 'word' | 'number' | 'sign'
  readonly text: string
  /** The text in lower case without diacritics. */
  readonly foldedText: string
  readonly start: number
  readonly end: number
  /** Whether no white space precedes it. */
  readonly isGlued: boolean
}

/** A canonical text with its atoms, and whether it writes 1.5 as 1,5. */
export interface Source {
  readonly text: string
  readonly atoms: readonly Atom[]
  readonly hasDecimalComma: boolean
}

export const atomAt = ({ atoms }: Source, i: number): Atom => atoms[i] ?? outside
const outside: Atom = { kind: 'sign', text: '', foldedText: '', start: -1, end: -1, isGlued: false }

/** Whether the atom is this sign, without a space before it. */
export const isGluedSign = (source: Source, i: number, sign: string): boolean =>
  atomAt(source, i).text === sign && atomAt(source, i).isGlued

/** The match of a sticky expression at an atom, and the next atom. */
export function formAt({ text, atoms }: Source, i: number, form: RegExp) {
  form.lastIndex = atoms[i]?.start ?? text.length
  const match = form.exec(text)
  if (!match) return undefined
  let next = i + 1
  while ((atoms[next]?.start ?? Infinity) < form.lastIndex) next++
  return { match, next }
}

/** The atoms of a canonical text, in order; words of scripts without spaces are those of `Intl.Segmenter`. */
export function atomsOf(text: string): Atom[] {
  const atoms: Atom[] = []
  const push = (kind: Atom['kind'], part: string, start: number): void => {
    const isGlued = atoms.at(-1)?.end === start
    atoms.push({ kind, text: part, foldedText: foldCase(part), start, end: start + part.length, isGlued })
  }
  for (const { 0: part, 1: number, 2: word, 3: run, index } of text.matchAll(atomForm)) {
    const wordOrSign = word === undefined ? 'sign' : 'word'
    if (run === undefined) push(number === undefined ? wordOrSign : 'number', part, index)
    else
      for (const { segment, index: at } of segmenter().segment(run)) {
        const parts = affixes.exec(segment)?.slice(1) ?? [segment]
        for (const [i, letters] of parts.entries()) {
          const offset = parts.slice(0, i).join('').length
          if (letters !== '') push('word', letters, index + at + offset)
        }
      }
  }
  return atoms
}

/** A number with its separators; "1,2,3" is three. */
export const numberForm =
  "\\d{1,3}(?:,\\d{2,3}){0,9},\\d{3}(?:\\.\\d+)?(?![,\\d])|\\d+(?:[.'_]\\d+)*(?:(?<!,\\d{1,40}),\\d+(?![\\d,]{0,40},\\d))?"

const spaceless = `${unspacedScripts}ー`

/** A number, a word (or a counter after a number), a run without spaces (bounded: segmenting is quadratic), a sign. */
const atomForm = new RegExp(
  `(${numberForm})|((?<=\\d)[年月日時时分點点万萬億亿千円元년월일시분만억천원]` +
    `|(?![${spaceless}])[\\p{L}\\p{M}](?:(?![${spaceless}])[\\p{L}\\p{M}\\p{N}_])*)|([${spaceless}]{1,300})|\\S`,
  'gu',
)

const segmenter = once(() => new Intl.Segmenter('ja', { granularity: 'word' }))

/** Separates prepositions and place suffixes, since the segmenter splits 在上海市 as 在上|海市. */
const affixes = /^([在是为為於于到从從去往由和与與及住叫]?)(.+?)([市省县縣区區州国國人氏]?)$/su
