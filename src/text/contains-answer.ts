import { itemAt } from '../basics/collections.ts'
import { canonical } from './matching/canonical.ts'
import { isDenied } from './matching/denial.ts'
import { hasDecimalComma } from './matching/decimal-comma.ts'
import { piecesOf, type Piece } from './matching/pieces.ts'
import { polarityOf, wordPolarity } from './matching/polarity.ts'

/**
 * Whether an answer gives a reference as its answer: it stands there literally, or as the same words and typed values
 * in order, and is not denied, left open, former (unless the question asks for that) or one of several. Of "yes" and
 * "no", whether the answer begins or ends with it, in any of some twenty languages.
 */
export function containsAnswer(answer: string, reference: string, question = ''): boolean {
  const [text, target] = [canonical(answer), canonical(reference).trim()]
  const polarity = wordPolarity(target)
  if (polarity !== undefined) return polarityOf(text) === polarity
  const isComma = hasDecimalComma(text)
  const pieces = piecesOf(text, isComma ?? false)
  // a reference that does not tell its number format has that of the answer, or the English one
  const formats = new Set([hasDecimalComma(target) ?? isComma ?? false, hasDecimalComma(target) ?? false])
  const readings = Array.from(formats, (format) => withoutArticle(piecesOf(target, format), target))
  if (readings.every(({ length }) => length === 0)) return text.trim() === target
  const isStated = ([from, next]: Range): boolean => {
    const [start, end] = [itemAt(pieces, from).start, itemAt(pieces, next - 1).end]
    return hasCaseOf(text, pieces, from, next, target) && !isDenied(text, start, end, question)
  }
  return (
    literalRanges(text, pieces, target).some(isStated) ||
    readings.some((wanted) => spellings(pieces, wanted).some((of) => equalRanges(pieces, wanted, of).some(isStated)))
  )
}

/** What `containsAnswer` takes for equal, for the note below a table. */
export const containment =
  'the answer contains an accepted answer: the same words in order, whatever their case, diacritics, quotes, hyphens and articles, and equal values (numbers in any format or in words, with sign, comparator, unit and currency; percentages, fractions, ratios, ranges, powers, dates, times; codes and versions as written); not where it is denied ("not X", "formerly X"), left open or one of several ("X or Y"); of yes and no, what the answer begins or ends with'

/** How many words and values a text has. */
export const pieceCount = (text: string): number => piecesOf(canonical(text), hasDecimalComma(text) ?? false).length

type Range = readonly [from: number, next: number]

/** The pieces as which a text stands in another literally. */
function literalRanges(text: string, pieces: readonly Piece[], target: string): Range[] {
  const [starts, ends] = [
    new Map(pieces.map(({ start }, i) => [start, i])),
    new Map(pieces.map(({ end }, i) => [end, i + 1])),
  ]
  const ranges: Range[] = []
  for (let at = text.indexOf(target); at >= 0; at = text.indexOf(target, at + 1)) {
    const [from, next] = [starts.get(at), ends.get(at + target.length)]
    if (from !== undefined && next !== undefined && pieces[from]?.isEdge && pieces[next]?.isEdge !== false)
      ranges.push([from, next])
  }
  return ranges
}

type Spelling = 'text' | 'spelt'

/** Köln is Koln and Koeln: which of two spellings of the umlauts is compared, on either side. */
const spellings = (pieces: readonly Piece[], wanted: readonly Piece[]): (readonly [Spelling, Spelling])[] => [
  ['text', 'text'],
  ...(wanted.some(({ text, spelt }) => text !== spelt) ? [['spelt', 'text'] as const] : []),
  ...(pieces.some(({ text, spelt }) => text !== spelt) ? [['text', 'spelt'] as const] : []),
]

function equalRanges(pieces: readonly Piece[], wanted: readonly Piece[], of: readonly [Spelling, Spelling]): Range[] {
  return pieces.flatMap(({ isEdge }, from) => {
    const next = isEdge ? matchEnd(pieces, from, wanted, of) : undefined
    return next === undefined ? [] : [[from, next] as const]
  })
}

/** Where the wanted pieces end that begin at a piece; joints that may be written together may differ. */
function matchEnd(
  pieces: readonly Piece[],
  from: number,
  wanted: readonly Piece[],
  [ofWanted, ofPieces]: readonly [Spelling, Spelling],
): number | undefined {
  let [i, j, left, right] = [from, 0, '', '']
  while (j < wanted.length || right !== '') {
    const [piece, target] = [pieces[i], wanted[j]]
    if (left === '' && right === '') {
      if (!piece || !target) return undefined
      if (areEqual(piece, target, piece[ofPieces] === target[ofWanted])) [i, j] = [i + 1, j + 1]
      else if (i > from && isFiller(pieces, i) && !(i > from + 1 && isFiller(pieces, i - 1))) i++
      else if (j > 0 && j + 1 < wanted.length && isFiller(wanted, j)) j++
      else if (isTyped(piece) && isTyped(target)) return undefined
      else [i, j, left, right] = [i + 1, j + 1, ...remains(piece[ofPieces], target[ofWanted])]
    } else if (left !== '') {
      if (!target) return isParticle(wanted, left) ? endAt(pieces, i) : undefined
      if (!target.isSoft) return undefined
      ;[left, right] = remains(left, target[ofWanted])
      j++
    } else {
      if (!piece?.isSoft) return undefined
      ;[left, right] = remains(piece[ofPieces], right)
      i++
    }
    if (left === '\0') return undefined
  }
  return left === '' || isParticle(wanted, left) ? endAt(pieces, i) : undefined
}

const endAt = (pieces: readonly Piece[], next: number): number | undefined =>
  pieces[next]?.isEdge === false ? undefined : next

const isTyped = ({ keys }: Piece): boolean => keys.length > 0

/** Values are equal that share a reading; all else is as it is spelt. */
const areEqual = (piece: Piece, target: Piece, isSpeltAlike: boolean): boolean =>
  isTyped(piece) && isTyped(target)
    ? target.keys.some((key) => piece.keys.includes(key) || piece.also.includes(key))
    : isSpeltAlike || target.keys.some((key) => piece.also.includes(key))

/** What is left of the longer text behind the shorter, on its side; a mark where neither begins with the other. */
const remains = (piece: string, target: string): readonly [string, string] =>
  piece !== '' && target !== '' && piece.startsWith(target)
    ? [piece.slice(target.length), '']
    : piece !== '' && target.startsWith(piece)
      ? ['', target.slice(piece.length)]
      : ['\0', '']

/** An article, or the "to" between two values ("9 am to 5 pm"). */
const isFiller = (pieces: readonly Piece[], i: number): boolean => {
  const text = pieces[i]?.text ?? ''
  const isBetween = (pieces[i - 1]?.keys.length ?? 0) > 0 && (pieces[i + 1]?.keys.length ?? 0) > 0
  return /^(?:an?|the)$/.test(text) || (isBetween && /^(?:to|bis|a|до|do|till|until)$/.test(text))
}

/** Whether what follows a Korean word is a particle or the copula. */
const isParticle = (wanted: readonly Piece[], rest: string): boolean =>
  /\p{sc=Hangul}$/u.test(wanted.at(-1)?.text ?? '') &&
  (wanted.length > 1 || wanted[0]?.text.length !== 1) &&
  /^(?:은|는|이|가|을|를|의|에|에서|에게|께서|로|으로|와|과|도|만|까지|부터|보다|처럼|라고|이라고|이다|다|입니다|이에요|예요|였다|이었다|였습니다|이었습니다|이며|이고|인|란|이란){1,3}$/.test(
    rest,
  )

/** The pieces without an article in front: English ones, and those of other languages in small letters. */
function withoutArticle(pieces: readonly Piece[], text: string): readonly Piece[] {
  const [first, ...rest] = pieces
  if (!first || rest.every((piece) => /^(?:an?|the)$/.test(piece.text)) || text[first.end] === '.') return pieces
  const written = text.slice(first.start, first.end)
  const isName = /^An? \p{Lu}/u.test(text)
  return (/^(?:an?|the)$/i.test(written) && !isName) || otherArticle.test(written) ? rest : pieces
}

const otherArticle = /^(?:der|die|das|den|dem|des|eine?[mnr]?|le|la|les|l|une?|el|los|las|una|il|lo|gli)$/

/**
 * Whether a match is written as the name that the reference is: WHO is not "who", May not "may", the A of "Group A" not
 * the article. Only of words that mean something else in small letters.
 */
function hasCaseOf(text: string, pieces: readonly Piece[], from: number, next: number, target: string): boolean {
  const last = itemAt(pieces, next - 1)
  const written = text.slice(last.start, last.end)
  const word = target.slice(Math.max(0, target.length - written.length))
  if (!/^\p{Lu}/u.test(word) || !commonWords.test(word)) return true
  if (next - from > 1 && !/^an?$/i.test(word)) return true
  const follower = /^\s+\p{Ll}/u.test(text.slice(last.end, last.end + 3))
  const isStart = /(?:^|[.!?]\s+)["'(]*$/.test(text.slice(Math.max(0, last.start - 5), last.start))
  if (/^(?:an?|the)$/i.test(word)) return /^\p{Lu}/u.test(written) && !(isStart && follower)
  return word.length > 1 && word === word.toUpperCase() ? written === word : /^\p{Lu}/u.test(written)
}

const commonWords =
  /^(?:an?|the|i|it|us|who|may|march|will|am|pm|in|on|at|or|and|no|so|we|he|me|be|do|go|as|is|up|can|any|all|one|art|mark)$/i
