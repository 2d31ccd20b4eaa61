import { itemAt } from '../basics/collections.ts'
import { answerMarkers, boxMarkers, reasoningMarkers, type Marker } from './reasoning-markers.ts'

/** Removes leading reasoning and the wrapper of the answer; empty where the reasoning never ends. */
export function withoutReasoning(reply: string): string {
  const spots = spotsIn(reply)
  let from = 0
  let model: Marker | undefined
  for (let next = 0; ;) {
    const spot = spots[next]
    const opens = spot?.isOpen === true && reply.slice(from, spot.start).trim() === ''
    const closing = opens ? closingOf(spots, next) : loneClosing(reply, spots, next, from)
    const closingSpot = spots[closing]
    if (opens && isWord(reply, spot, closingSpot)) break
    if (opens && !closingSpot) return answerWithin(reply.slice(spot.end))
    if (!closingSpot) break
    model = closingSpot.marker
    from = closingSpot.end
    next = closing + 1
  }
  return unwrap(withoutLaterBlocks(reply, spots, from, model))
}

/** The error of a reply that is reasoning alone. */
export const reasoningAlone = 'the reply has reasoning and no answer after it'

/** A marker in a reply. `isMentioned`: quoted, or in the middle of a sentence. */
interface Spot {
  readonly marker: Marker
  readonly isOpen: boolean
  readonly start: number
  readonly end: number
  readonly isMentioned: boolean
}

const anyMarker = new RegExp(reasoningMarkers.map(({ open, close }) => `(${open})|(${close})`).join('|'), 'gi')

function spotsIn(reply: string): readonly Spot[] {
  // most replies have none, and `matchAll` copies the expression
  if (reply.search(anyMarker) < 0) return []
  return Array.from(reply.matchAll(anyMarker), (match) => {
    const [text, ...markers] = match
    const place = markers.findIndex((marker: string | undefined) => marker !== undefined)
    const start = match.index
    const end = match.index + text.length
    return {
      marker: itemAt(reasoningMarkers, place >> 1),
      isOpen: place % 2 === 0,
      start,
      end,
      isMentioned: isMentioned(reply.slice(Math.max(0, start - 2), start), reply.slice(end, end + 3)),
    }
  })
}

const isMentioned = (before: string, after: string) =>
  (/["'`“‘«„(]$/u.test(before) && /^["'`”’»“)]/u.test(after)) ||
  (/[\p{L}\p{N},;] $/u.test(before) && /^(?: [\p{Ll}\p{Lo}]|[.,;:!?])/u.test(after))

/** The closing of an opening: of the same marker, else of another; -1 for none. */
function closingOf(spots: readonly Spot[], at: number) {
  const { marker } = itemAt(spots, at)
  const first = (isMatch: (spot: Spot) => boolean) => {
    for (let index = at + 1; index < spots.length; index++) {
      if (isMatch(itemAt(spots, index))) return index
    }
    return -1
  }
  const isOwnClosing = (spot: Spot) => !spot.isOpen && spot.marker === marker
  const sameMarker = first((spot) => isOwnClosing(spot) && !spot.isMentioned)
  if (sameMarker >= 0) return sameMarker
  const quotedMarker = first(isOwnClosing)
  return quotedMarker >= 0 ? quotedMarker : first(isClosing)
}

/** Whether a marker ends reasoning whose opening may be in the prompt. */
const isClosing = ({ isOpen, isMentioned, marker }: Spot) => !isOpen && !isMentioned && marker.opensInPrompt === true

/** Whether a marker at the beginning is the first word of a sentence, such as "<think> is a tag". */
function isWord(reply: string, { marker, end }: Spot, closing: Spot | undefined) {
  const goesOn = (at: number) => /^ \p{Ll}/u.test(reply.slice(at, at + 3))
  if (!closing) return marker.ordinary === true || goesOn(end)
  if (marker.ordinary && closing.marker !== marker) return true
  return goesOn(closing.end) && /^ \p{Ll}+ $/u.test(reply.slice(end, closing.start))
}

function loneClosing(reply: string, spots: readonly Spot[], next: number, from: number) {
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

const isBlock = (reply: string, opening: Spot, closing: Spot) =>
  startsLine(reply, opening) || !reply.slice(opening.end, closing.start).includes('\n')

const startsLine = (reply: string, { start }: Spot) => start === 0 || reply[start - 1] === '\n'

function withoutLaterBlocks(reply: string, spots: readonly Spot[], from: number, model: Marker | undefined) {
  let rest = ''
  let end = from
  for (const [index, spot] of spots.entries()) {
    if (spot.start < end || spot.marker !== model || !spot.isOpen || !startsLine(reply, spot)) continue
    rest += reply.slice(end, spot.start)
    end = spots[closingOf(spots, index)]?.end ?? reply.length
  }
  return rest + reply.slice(end)
}

function answerWithin(reasoning: string) {
  const start = reasoning.search(markedAnswer)
  return start < 0 ? '' : unwrap(reasoning.slice(start))
}

const markedAnswer = new RegExp(`^(?:${answerMarkers.map(({ open }) => open).join('|')})`, 'im')

const wrappers = answerMarkers.map(({ open, close }) => ({
  open: new RegExp(`^${open}`, 'i'),
  close: new RegExp(close, 'i'),
  lastClose: new RegExp(`(?<! )${close}$`, 'i'),
}))

/** Maximum nesting. */
const mostWrappers = 3

function unwrap(text: string) {
  const isBoxed = text.includes(boxMarkers.open) && text.includes(boxMarkers.close)
  const plain = isBoxed ? text.replaceAll(boxMarkers.open, '').replaceAll(boxMarkers.close, '') : text
  let body = plain.replace(/<\|(?:end|return)\|>\s*$/, '').trim()
  for (let depth = 0; depth < mostWrappers; depth++) body = withoutWrapper(body)
  return body
}

function withoutWrapper(body: string) {
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
