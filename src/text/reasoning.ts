import { itemAt } from '../basics/collections.ts'
import { answerMarkers, boxMarkers, reasoningMarkers, type Marker } from './reasoning-markers.ts'

/**
 * A reply without the reasoning at its beginning and without what is put around the answer; empty where the reasoning
 * never ends. A marker that is a word of a sentence stays.
 */
export function withoutReasoning(reply: string): string {
  const spots = spotsIn(reply)
  let from = 0
  let model: Marker | undefined
  for (let next = 0; ;) {
    const spot = spots[next]
    const opens = spot?.isOpen === true && reply.slice(from, spot.start).trim() === ''
    const closing = opens ? closingOf(spots, next) : loneClosing(reply, spots, next, from)
    const closed = spots[closing]
    if (opens && isWord(reply, spot, closed)) break
    if (opens && !closed) return answerWithin(reply.slice(spot.end))
    if (!closed) break
    model = closed.marker
    from = closed.end
    next = closing + 1
  }
  return unwrapped(withoutLaterBlocks(reply, spots, from, model))
}

/** What is wrong with a reply of which nothing is left. */
export const reasoningAlone = 'the reply has reasoning and no answer after it'

/** A marker in a reply. `isMentioned`: of a closing that is quoted, or in the middle of a sentence. */
interface Spot {
  readonly marker: Marker
  readonly isOpen: boolean
  readonly start: number
  readonly end: number
  readonly isMentioned: boolean
}

const anyMarker = new RegExp(reasoningMarkers.map(({ open, close }) => `(${open})|(${close})`).join('|'), 'gi')

function spotsIn(reply: string): readonly Spot[] {
  return Array.from(reply.matchAll(anyMarker), (match) => {
    const [text, ...markers] = match
    const place = markers.findIndex((marker: string | undefined) => marker !== undefined)
    const [start, end] = [match.index, match.index + text.length]
    return {
      marker: itemAt(reasoningMarkers, place >> 1),
      isOpen: place % 2 === 0,
      start,
      end,
      isMentioned: isMentioned(reply.slice(Math.max(0, start - 2), start), reply.slice(end, end + 3)),
    }
  })
}

/** Whether the characters around a marker are quotes, or words of one sentence. */
const isMentioned = (before: string, after: string): boolean =>
  (/["'`“‘«„(]$/u.test(before) && /^["'`”’»“)]/u.test(after)) ||
  (/[\p{L}\p{N},;] $/u.test(before) && /^(?: [\p{Ll}\p{Lo}]|[.,;:!?])/u.test(after))

/** The closing of the block that opens at a place: its own, else one of another marker; -1 for none. */
function closingOf(spots: readonly Spot[], at: number): number {
  const { marker } = itemAt(spots, at)
  const first = (fits: (spot: Spot) => boolean): number => {
    for (let index = at + 1; index < spots.length; index++) if (fits(itemAt(spots, index))) return index
    return -1
  }
  const own = first((spot) => !spot.isOpen && spot.marker === marker && !spot.isMentioned)
  if (own >= 0) return own
  const mentioned = first((spot) => !spot.isOpen && spot.marker === marker)
  return mentioned >= 0 ? mentioned : first(isClosing)
}

/** Whether a marker ends reasoning whose opening may be in the prompt. */
const isClosing = ({ isOpen, isMentioned, marker }: Spot): boolean =>
  !isOpen && !isMentioned && marker.opensInPrompt === true

/** Whether a marker at the beginning is the first word of a sentence, such as "<think> is a tag". */
function isWord(reply: string, { marker, end }: Spot, closing: Spot | undefined): boolean {
  const goesOn = (at: number): boolean => /^ \p{Ll}/u.test(reply.slice(at, at + 3))
  if (!closing) return marker.ordinary === true || goesOn(end)
  if (marker.ordinary && closing.marker !== marker) return true
  return goesOn(closing.end) && /^ \p{Ll}+ $/u.test(reply.slice(end, closing.start))
}

/** The next closing without an opening; -1 for none. JSON and blocks of code are no reasoning. */
function loneClosing(reply: string, spots: readonly Spot[], next: number, from: number): number {
  if (/^\s*(?:\{|```|\[\s*["[{])/.test(reply.slice(from, from + 100))) return -1
  let opening: Spot | undefined
  for (let index = next; index < spots.length; index++) {
    const spot = itemAt(spots, index)
    if (spot.isOpen) opening = spot
    else if (opening?.marker === spot.marker && isBlock(reply, opening, spot)) opening = undefined
    else if (isClosing(spot)) return index
  }
  return -1
}

/** Whether an opening within the text belongs to a closing: at the start of a line, or in the same line. */
const isBlock = (reply: string, opening: Spot, closing: Spot): boolean =>
  startsLine(reply, opening) || !reply.slice(opening.end, closing.start).includes('\n')

const startsLine = (reply: string, { start }: Spot): boolean => start === 0 || reply[start - 1] === '\n'

/** The rest of a reply without the blocks of its model that begin a line: reasoning between parts of the answer. */
function withoutLaterBlocks(reply: string, spots: readonly Spot[], from: number, model: Marker | undefined): string {
  let rest = ''
  let kept = from
  for (const [index, spot] of spots.entries()) {
    if (spot.start < kept || spot.marker !== model || !spot.isOpen || !startsLine(reply, spot)) continue
    rest += reply.slice(kept, spot.start)
    kept = spots[closingOf(spots, index)]?.end ?? reply.length
  }
  return rest + reply.slice(kept)
}

/** The answer that follows reasoning without an end: one that is marked at the start of a line; else none. */
function answerWithin(reasoning: string): string {
  const start = reasoning.search(markedAnswer)
  return start < 0 ? '' : unwrapped(reasoning.slice(start))
}

const markedAnswer = new RegExp(`^(?:${answerMarkers.map(({ open }) => open).join('|')})`, 'im')

const wrappers = answerMarkers.map(({ open, close }) => ({
  open: new RegExp(`^${open}`, 'i'),
  close: new RegExp(close, 'i'),
  lastClose: new RegExp(`(?<! )${close}$`, 'i'),
}))

/** No model nests more wrappers. */
const mostWrappers = 3

/** An answer without what is put around it. */
function unwrapped(text: string): string {
  const isBoxed = text.includes(boxMarkers.open) && text.includes(boxMarkers.close)
  const plain = isBoxed ? text.replaceAll(boxMarkers.open, '').replaceAll(boxMarkers.close, '') : text
  let body = plain.replace(/<\|(?:end|return)\|>\s*$/, '').trim()
  for (let depth = 0; depth < mostWrappers; depth++) body = withoutWrapper(body)
  return body
}

function withoutWrapper(body: string): string {
  for (const { open, close, lastClose } of wrappers) {
    const opening = open.exec(body)?.[0]
    if (opening === undefined) {
      if (lastClose.test(body)) return body.replace(lastClose, '').trim()
      continue
    }
    const inside = body.slice(opening.length)
    const closing = close.exec(inside)
    const [answer, after] = closing
      ? [inside.slice(0, closing.index), inside.slice(closing.index + closing[0].length)]
      : [inside, '']
    const isSentence = closing ? /^ \p{Ll}+ $/u.test(answer) && /^ \p{Ll}/u.test(after) : /^ \p{Ll}/u.test(inside)
    return isSentence ? body : `${answer.trim()}\n${after.trim()}`.trim()
  }
  return body
}
