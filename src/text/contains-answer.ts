import { itemAt } from '../basics/collections.ts'
import { canonical, foldCase } from './matching/canonical.ts'
import { isDenied } from './matching/denial.ts'
import { piecesOf, type Piece } from './matching/pieces.ts'

/**
 * Whether an answer states a reference: literally, or as the same words and typed values in order, and neither denied,
 * left open, former (unless the question asks for that) nor one of several. For "yes" and "no", whether the answer
 * begins or ends with it, in some twenty languages.
 */
export function containsAnswer(answer: string, reference: string, question = ''): boolean {
  const text = canonical(answer)
  const target = canonical(reference).trim()
  const polarity = wordPolarity(target)
  if (polarity !== undefined) return polarityOf(text) === polarity
  const isComma = hasDecimalComma(text)
  const pieces = piecesOf(text, isComma ?? false)
  // a reference of unknown number format is read in the answer's format and in the English one
  const formats = new Set([hasDecimalComma(target) ?? isComma ?? false, hasDecimalComma(target) ?? false])
  const readings = Array.from(formats, (format) => withoutArticle(piecesOf(target, format), target))
  if (readings.every(({ length }) => length === 0)) return text.trim() === target
  const isStated = ([from, next]: Range) => {
    const start = itemAt(pieces, from).start
    const end = itemAt(pieces, next - 1).end
    return hasCaseOf(text, pieces, from, next, target) && !isDenied(text, start, end, question)
  }
  return (
    literalRanges(text, pieces, target).some(isStated) ||
    readings.some((reading) => equalRanges(pieces, reading).some(isStated))
  )
}

/** The rule of `containsAnswer` for a note below a table; configs/README.md has the details. */
export const containment =
  'the answer contains an accepted answer: equal words and values in order, not denied and not one of several'

/** The number of words and values of a text. */
export const pieceCount = (text: string): number => piecesOf(canonical(text), hasDecimalComma(text) ?? false).length

type Range = readonly [from: number, next: number]

function literalRanges(text: string, pieces: readonly Piece[], target: string): Range[] {
  const starts = new Map(pieces.map(({ start }, i) => [start, i]))
  const ends = new Map(pieces.map(({ end }, i) => [end, i + 1]))
  const ranges: Range[] = []
  for (let at = text.indexOf(target); at >= 0; at = text.indexOf(target, at + 1)) {
    const from = starts.get(at)
    const next = ends.get(at + target.length)
    if (from === undefined || next === undefined) continue
    const isAtEdges = pieces[from]?.isEdge && pieces[next]?.isEdge !== false
    if (isAtEdges) ranges.push([from, next])
  }
  return ranges
}

function equalRanges(pieces: readonly Piece[], target: readonly Piece[]): Range[] {
  return pieces.flatMap(({ isEdge }, from) => {
    const next = isEdge ? matchEnd(pieces, from, target) : undefined
    return next === undefined ? [] : [[from, next] as const]
  })
}

/** The end of a match of `targets` from a piece on; compounds may be split differently. */
function matchEnd(pieces: readonly Piece[], from: number, targets: readonly Piece[]): number | undefined {
  let i = from
  let j = 0
  let pieceRest = ''
  let targetRest = ''
  while (j < targets.length || targetRest !== '') {
    const piece = pieces[i]
    const target = targets[j]
    if (pieceRest === '' && targetRest === '') {
      if (!piece || !target) return undefined
      if (areEqual(piece, target)) [i, j] = [i + 1, j + 1]
      else if (i > from && isFiller(pieces, i) && !(i > from + 1 && isFiller(pieces, i - 1))) i++
      else if (j > 0 && j + 1 < targets.length && isFiller(targets, j)) j++
      else if (isTyped(piece) && isTyped(target)) return undefined
      else [i, j, pieceRest, targetRest] = [i + 1, j + 1, ...remains(piece.text, target.text)]
    } else if (pieceRest !== '') {
      if (!target?.isSoft) return undefined
      ;[pieceRest, targetRest] = remains(pieceRest, target.text)
      j++
    } else {
      if (!piece?.isSoft) return undefined
      ;[pieceRest, targetRest] = remains(piece.text, targetRest)
      i++
    }
    if (pieceRest === '\0') return undefined
  }
  return pieceRest === '' || isParticle(targets, pieceRest) ? endAt(pieces, i) : undefined
}

const endAt = (pieces: readonly Piece[], next: number) => (pieces[next]?.isEdge === false ? undefined : next)

const isTyped = ({ keys }: Piece) => keys.length > 0

/** Values are equal if they share a reading; other pieces by spelling: Köln is Koln and Koeln. */
const areEqual = (piece: Piece, target: Piece) =>
  isTyped(piece) && isTyped(target)
    ? target.keys.some((key) => piece.keys.includes(key) || piece.also.includes(key))
    : [piece.text, piece.spelt].includes(target.text) ||
      piece.text === target.spelt ||
      target.keys.some((key) => piece.also.includes(key))

const remains = (piece: string, target: string): readonly [string, string] =>
  piece !== '' && target !== '' && piece.startsWith(target)
    ? [piece.slice(target.length), '']
    : piece !== '' && target.startsWith(piece)
      ? ['', target.slice(piece.length)]
      : ['\0', '']

/** An article, or the "to" between two values ("9 am to 5 pm"). */
const isFiller = (pieces: readonly Piece[], i: number) => {
  const text = pieces[i]?.text ?? ''
  const hasValue = (piece: Piece | undefined) => (piece?.keys.length ?? 0) > 0
  const isBetween = hasValue(pieces[i - 1]) && hasValue(pieces[i + 1])
  const isArticle = /^(?:an?|the)$/.test(text)
  return isArticle || (isBetween && /^(?:to|bis|a|до|do|till|until)$/.test(text))
}

/** Whether the rest is a Korean particle or copula. */
const isParticle = (targets: readonly Piece[], rest: string) =>
  /\p{sc=Hangul}$/u.test(targets.at(-1)?.text ?? '') &&
  (targets.length > 1 || targets[0]?.text.length !== 1) &&
  /^(?:은|는|이|가|을|를|의|에|에서|에게|께서|로|으로|와|과|도|만|까지|부터|보다|처럼|라고|이라고|이다|다|입니다|이에요|예요|였다|이었다|였습니다|이었습니다|이며|이고|인|란|이란){1,3}$/.test(
    rest,
  )

function withoutArticle(pieces: readonly Piece[], text: string): readonly Piece[] {
  const [first, ...rest] = pieces
  const hasRest = rest.some((piece) => !/^(?:an?|the)$/.test(piece.text))
  if (!first || !hasRest || text[first.end] === '.') return pieces
  const word = text.slice(first.start, first.end)
  const isName = /^An? \p{Lu}/u.test(text)
  const isEnglishArticle = /^(?:an?|the)$/i.test(word) && !isName
  return isEnglishArticle || otherArticle.test(word) ? rest : pieces
}

const otherArticle = /^(?:der|die|das|den|dem|des|eine?[mnr]?|le|la|les|l|une?|el|los|las|una|il|lo|gli)$/

/** Whether a match has the capitals of a name that is a common word: WHO is not "who", May not "may". */
function hasCaseOf(text: string, pieces: readonly Piece[], from: number, next: number, target: string) {
  const last = itemAt(pieces, next - 1)
  const match = text.slice(last.start, last.end)
  const word = target.slice(Math.max(0, target.length - match.length))
  if (!/^\p{Lu}/u.test(word) || !commonWords.test(word)) return true
  if (next - from > 1 && !/^an?$/i.test(word)) return true
  const follower = /^\s+\p{Ll}/u.test(text.slice(last.end, last.end + 3))
  const before = text.slice(Math.max(0, last.start - 5), last.start)
  const isStart = /(?:^|[.!?]\s+)["'(]*$/.test(before)
  const hasCapital = /^\p{Lu}/u.test(match)
  if (/^(?:an?|the)$/i.test(word)) return hasCapital && !(isStart && follower)
  const isAcronym = word.length > 1 && word === word.toUpperCase()
  return isAcronym ? match === word : hasCapital
}

const commonWords =
  /^(?:an?|the|i|it|us|who|may|march|will|am|pm|in|on|at|or|and|no|so|we|he|me|be|do|go|as|is|up|can|any|all|one|art|mark)$/i

function hasDecimalComma(text: string): boolean | undefined {
  const count = (form: RegExp) => text.match(form)?.length ?? 0
  const point = count(pointWords)
  const comma = count(commaWords)
  if (point !== comma) return comma > point
  if (/\d[.\s]\d{3},\d|(?<![\d,])\d+,\d{1,2}(?![\d,])/.test(text)) return true
  return /\d,\d{3}\.\d|(?<![\d.])\d+\.\d{1,2}(?![\d.])/.test(text) ? false : undefined
}

const pointWords = /(?<![\p{L}'])(?:the|of|and|was|were|is|are|it|to|for|with|by|from|this|has|have)(?!\p{L})/giu
const commaWords =
  /(?<![\p{L}'])(?:der|die|das|und|ist|ein|eine|von|mit|beträgt|im|le|les|des|est|une|du|pour|el|los|las|es|del|por|il|di|che|è|het|een|och|är|att|på|jest|nie|się|w|ve|bir|on|ja|não|são|uma)(?!\p{L})|[\p{sc=Cyrillic}\p{sc=Greek}]+/giu

const wordPolarity = (text: string): boolean | undefined => {
  const word = foldCase(text).replace(/[\s.!,。！]+$/u, '')
  return yes.test(word) ? true : no.test(word) ? false : undefined
}

function polarityOf(text: string): boolean | undefined {
  const plain = foldCase(text).trim()
  const [, last] = conclusion.exec(plain.slice(-60)) ?? []
  if (last !== undefined) return wordPolarity(last)
  const [, first = '', behind = ''] = /^[^\p{L}\p{N}]*([\p{L}\p{M}]+)(.{0,20})/su.exec(plain) ?? []
  // "No one may", "No information"
  if (
    first === 'no' &&
    /^\s+(?!(?:it|they|he|she|you|we|i|this|that|there|se|es|esta|hay|puede)(?!\p{L}))\p{L}/u.test(behind)
  )
    return undefined
  return wordPolarity(first) ?? wordPolarity(spaceless.exec(first)?.[0] ?? '')
}

const yesWords =
  'yes|yeah|yep|ja|jo|oui|si|sim|да|ναι|evet|tak|kylla|נכן|כן|نعم|是的?|对|對|はい|네|예|ใช่|हां|हाँ|áno|ano|igen|так'
const noWords =
  'no|nope|nein|non|nao|nee|nej|nei|нет|οχι|hayır|hayir|nie|ei|לא|لا|不是?|否|いいえ|아니요|아니오|ไม่(?:ใช่)?|नहीं|ne|nem|ні'
const yes = new RegExp(`^(?:${yesWords})$`, 'u')
const no = new RegExp(`^(?:${noWords})$`, 'u')
const spaceless = /^(?:是的|不是|はい|いいえ|不|ใช่|ไม่ใช่|ไม่)/
const conclusion = new RegExp(
  `(?:^|[:,;—-]\\s*|(?<!\\p{L})(?:so|is|therefore|thus|hence|lautet|ist|est|es|ar|on|also|donc|jest)\\s+)["'*_]*(${yesWords}|${noWords})[^\\p{L}\\p{N}]*$`,
  'u',
)
