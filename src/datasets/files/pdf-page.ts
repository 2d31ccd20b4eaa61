import { subscript, superscript } from '../../text/superscript.ts'

/** A piece of text on a page of a PDF file: `transform` as in the file, other measures in its units. */
export interface PdfItem {
  readonly text: string
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
  readonly endsLine: boolean
}

/** The text of a page, line by line; small pieces above or below the base line are superscripts and subscripts. */
export function pageText(items: readonly PdfItem[]): string {
  let text = ''
  // the last piece of full size on the line, and the small ones behind it
  let base: PdfItem | undefined
  let small: { readonly place: 'above' | 'below'; readonly items: PdfItem[] } | undefined
  const flush = () => {
    if (!small) return
    const mark = small.items.map((item) => item.text).join('')
    const before = text.slice(text.lastIndexOf('\n') + 1)
    text += small.place === 'above' ? superscript(before, mark) : subscript(before, mark)
    if (/\s$/.test(mark)) text += ' '
    small = undefined
  }
  for (const [at, item] of items.entries()) {
    const place = placeOf(item, base ?? nextOnLine(items, at), base && (small?.items.at(-1) ?? base))
    if (place === undefined || (small && small.place !== place)) flush()
    if (place === undefined) text += item.text
    else {
      small ??= { place, items: [] }
      small.items.push(item)
    }
    if (place === undefined && item.text.trim() !== '') base = item
    if (item.endsLine) {
      flush()
      text += '\n'
      base = undefined
    }
  }
  flush()
  return text
}

/** A number, a letter or a sign: longer words are headlines or initials beside text of another size. */
const markLike = /^(?=.{1,8}$)(?:\S*\d\S*|\p{L}|[^\p{L}\p{N}\s]+)$/u

/** Shares of the size of the base: of a mark at most, and how far it stands above or below, and away from it. */
const [largest, above, below, away] = [0.85, [0.12, 0.9], [-0.5, -0.04], 0.5] as const

function placeOf(item: PdfItem, base: PdfItem | undefined, before: PdfItem | undefined) {
  if (!base || !markLike.test(item.text.trim()) || item.height > largest * base.height) return undefined
  if (!isUpright(item) || !isUpright(base)) return undefined
  const gap = before ? leftOf(item) - (leftOf(before) + before.width) : 0
  if (Math.abs(gap) > away * base.height) return undefined
  const rise = (baseLineOf(item) - baseLineOf(base)) / base.height
  if (rise > above[0] && rise < above[1]) return 'above'
  return rise > below[0] && rise < below[1] ? 'below' : undefined
}

function nextOnLine(items: readonly PdfItem[], at: number) {
  for (let next = at; items[next]?.endsLine === false; next++) {
    const item = items[next + 1]
    if (item && item.text.trim() !== '') return item
  }
  return undefined
}

const isUpright = ({ transform: [, b = 0, c = 0] }: PdfItem) => b === 0 && c === 0
const leftOf = ({ transform }: PdfItem) => transform[4] ?? 0
const baseLineOf = ({ transform }: PdfItem) => transform[5] ?? 0
