import { subscript, superscript } from '../text/superscript.ts'
import { tableRows } from './html-tables.ts'

type Attributes = Readonly<Record<string, string>>

/** An open superscript or subscript: the depth of its element, its first piece, and the text before it. */
interface Mark {
  readonly depth: number
  readonly start: number
  readonly before: string
  readonly isRaised: boolean
  isNote: boolean
}

/** Builds the text of a page from balanced tags. */
export function textBuilder() {
  const pieces: string[] = []
  let depth = 0
  let preDepth = 0
  let inHeading = false
  let endsWithSpace = true
  // the prefix of a heading or item, pending until its first text
  let lead = ''
  let isNoteLink = false
  const lists: { readonly isOrdered: boolean; next: number }[] = []
  const marks: Mark[] = []
  // trailing line ends
  let lineEnds = 2
  const endLine = (count: number) => {
    if (lead !== '') return
    if (inHeading && !endsWithSpace) pieces.push(' ')
    for (; !inHeading && lineEnds < count; lineEnds++) pieces.push('\n')
    endsWithSpace = true
  }
  const tables = tableRows(pieces, () => {
    lineEnds = 0
    endLine(2)
  })
  const openMark = (isRaised: boolean) => {
    if (lead !== '') pieces.push(lead)
    lead = ''
    lineEnds = 0
    marks.push({ depth, start: pieces.length, before: lineEnd(pieces), isRaised, isNote: isNoteLink })
  }
  const closeMark = ({ start, before, isRaised, isNote }: Mark) => {
    const content = pieces.slice(start).join('')
    const mark = content.trim()
    if (mark === '' || mark.includes('\n')) return
    pieces.length = start
    pieces.push(isRaised ? superscript(before, mark, isNote) : subscript(before, mark))
    endsWithSpace = /\s$/.test(content)
    if (endsWithSpace) pieces.push(' ')
  }
  const openItem = () => {
    const list = lists.at(-1)
    endLine(1)
    lead = list?.isOrdered ? `${list.next++}. ` : '- '
  }
  const addText = (content: string) => {
    const text = content.replaceAll('\u00a0', ' ')
    const flat = preDepth > 0 ? text : text.replace(/\s+/g, ' ')
    const next = endsWithSpace && preDepth === 0 && flat.startsWith(' ') ? flat.slice(1) : flat
    if (next === '') return
    if (lead !== '') pieces.push(lead)
    pieces.push(next)
    lead = ''
    lineEnds = 0
    endsWithSpace = preDepth === 0 && next.endsWith(' ')
  }
  return {
    text: addText,
    open(name: string, attributes: Attributes): void {
      depth++
      if (name === 'a') {
        isNoteLink = attributes['href']?.includes('#') === true
        const mark = marks.at(-1)
        if (mark) mark.isNote ||= isNoteLink
      }
      if (name === 'br') endLine(lineEnds + 1)
      else if (name === 'li') openItem()
      else if (name === 'dd') endLine(1)
      else if (name === 'sub' || name === 'sup') openMark(name === 'sup')
      else if (formulaWords.has(name)) addText(' ')
      else if (blocks.has(name)) endLine(2)
      if (name === 'ol' || name === 'ul')
        lists.push({ isOrdered: name === 'ol', next: Number(attributes['start']) || 1 })
      if (heading.test(name)) {
        lead = `${'#'.repeat(Number(name[1]))} `
        inHeading = true
      }
      if (name === 'pre') preDepth++
      tables.open(name)
    },
    close(name: string): void {
      for (let mark = marks.at(-1); mark?.depth === depth; mark = marks.at(-1)) {
        marks.pop()
        closeMark(mark)
      }
      depth--
      tables.close(name)
      if (name === 'a') isNoteLink = false
      if (name === 'pre') preDepth--
      if (name === 'ol' || name === 'ul') lists.pop()
      if (heading.test(name)) {
        lead = ''
        inHeading = false
      }
      if (name === 'li') lead = ''
      if (name === 'li' || name === 'dt' || name === 'dd') endLine(1)
      else if (blocks.has(name)) endLine(2)
    },
    end(): string {
      tables.close('table')
      return pieces
        .join('')
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .replace(/^\n+|\n+$/g, '')
    },
  }
}

const heading = /^h[1-6]$/

/** Numbers, names, operators and texts of a formula, which are read one by one: 10 6, not 106. */
const formulaWords: ReadonlySet<string> = new Set(['mn', 'mi', 'mo', 'mtext'])

const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote body caption center details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend main menu nav ol p pre search section summary table tr ul'.split(
    ' ',
  ),
)

/** The end of the current line. */
function lineEnd(pieces: readonly string[]) {
  let text = ''
  for (let at = pieces.length - 1; at >= 0 && text.length < 24; at--) text = `${pieces[at]?.slice(-24) ?? ''}${text}`
  return text.slice(text.lastIndexOf('\n') + 1)
}
