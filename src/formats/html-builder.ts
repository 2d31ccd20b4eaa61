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

/** Builds the text of a page from balanced tags. `length`: of the page in characters. */
export function textBuilder(length: number) {
  const pieces: string[] = []
  let depth = 0
  let preDepth = 0
  let inHeading = false
  let endsWithSpace = true
  // the prefix of a heading or item, pending until its first text
  let lead = ''
  let link: string | undefined
  const lists: { readonly isOrdered: boolean; next: number }[] = []
  const marks: Mark[] = []
  const formulas: { readonly name: string; children: number }[] = []
  let fraction: { readonly at: number; readonly before: string; readonly numerator: string } | undefined
  // trailing line ends
  let lineEnds = 2
  const endLine = (count: number) => {
    if (lead !== '') return
    if (inHeading && !endsWithSpace) pieces.push(' ')
    for (; !inHeading && lineEnds < count; lineEnds++) pieces.push('\n')
    endsWithSpace = true
  }
  const tables = tableRows(pieces, length, () => {
    lineEnds = 0
    endLine(2)
  })
  const openMark = (isRaised: boolean, isNote: boolean) => {
    if (lead !== '') pieces.push(lead)
    lead = ''
    lineEnds = 0
    marks.push({ depth, start: pieces.length, before: lineEnd(pieces), isRaised, isNote })
  }
  const closeMark = ({ start, before, isRaised, isNote }: Mark) => {
    const content = pieces.slice(start).join('')
    const mark = content.trim()
    if (mark === '' || mark.includes('\n')) return
    pieces.length = start
    const slash = fraction ? pieces.slice(fraction.at + 1, fraction.at + 3).join('') : ''
    if (!isRaised && fraction && pieces.length <= fraction.at + 3 && /^\s*[/⁄]\s*$/.test(slash)) {
      pieces.length = fraction.at
      pieces.push(`${/\d$/.test(fraction.before) ? ' ' : ''}${fraction.numerator}/${mark}`)
    } else {
      if (isRaised && /^\d+$/.test(mark)) fraction = { at: start, before, numerator: mark }
      pieces.push(isRaised ? superscript(before, mark, isNote) : subscript(before, mark))
    }
    endsWithSpace = /\s$/.test(content)
    if (endsWithSpace) pieces.push(' ')
  }
  const openInFormula = (name: string) => {
    const above = formulas.at(-1)
    const place = above ? above.children++ : 0
    formulas.push({ name, children: 0 })
    if (above?.name === 'mfrac' && place === 1) pieces.push('/')
    else if (name === 'mfrac' && /\d$/.test(lineEnd(pieces))) pieces.push(' ')
    else if (place > 0 && /^msu[bp]/.test(above?.name ?? '')) openMark(above?.name === 'msup' || place === 2, false)
  }
  return {
    text(content: string): void {
      if (formulas.length > 0 && content.trim() === '') return
      const text = content.replaceAll('\u00a0', ' ')
      const flat = preDepth > 0 ? text : text.replace(/\s+/g, ' ')
      const next = endsWithSpace && preDepth === 0 && flat.startsWith(' ') ? flat.slice(1) : flat
      if (next === '') return
      if (lead !== '') pieces.push(lead)
      pieces.push(next)
      lead = ''
      lineEnds = 0
      endsWithSpace = preDepth === 0 && next.endsWith(' ')
    },
    open(name: string, attributes: Attributes): void {
      depth++
      if (name === 'math' || formulas.length > 0) {
        openInFormula(name)
        return
      }
      if (name === 'a') {
        link = attributes['href']
        const mark = marks.at(-1)
        if (mark) mark.isNote ||= isInPage(link)
      }
      if (name === 'br') endLine(lineEnds + 1)
      else if (name === 'li') {
        const list = lists.at(-1)
        const number = list?.isOrdered ? integerOr(attributes['value'], list.next) : undefined
        if (list && number !== undefined) list.next = number + 1
        endLine(1)
        lead = number === undefined ? '- ' : `${number}. `
      } else if (name === 'dd') endLine(1)
      else if (name === 'sub') openMark(false, false)
      else if (isRaisedBy(name, attributes)) openMark(true, isInPage(link) || isReference(attributes))
      else if (blocks.has(name)) endLine(2)
      if (name === 'ol' || name === 'ul')
        lists.push({ isOrdered: name === 'ol', next: integerOr(attributes['start'], 1) })
      if (heading.test(name)) {
        lead = `${'#'.repeat(Number(name[1]))} `
        inHeading = true
      }
      if (name === 'pre') preDepth++
      tables.open(name, attributes)
    },
    close(name: string): void {
      for (let mark = marks.at(-1); mark?.depth === depth; mark = marks.at(-1)) {
        marks.pop()
        closeMark(mark)
      }
      depth--
      if (formulas.length > 0) {
        formulas.pop()
        return
      }
      tables.close(name)
      if (name === 'a') link = undefined
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
      tables.end()
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

const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote body caption center details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend main menu nav ol p pre search section summary table tr ul'.split(
    ' ',
  ),
)

const integerOr = (text: string | undefined, otherwise: number) =>
  /^-?\d{1,9}$/.test(text ?? '') ? Number(text) : otherwise

const isInPage = (link: string | undefined) => link?.includes('#') === true

const isReference = ({ role, class: classes = '', 'epub:type': type }: Attributes) =>
  role === 'doc-noteref' || type === 'noteref' || /\b(?:reference|footnote|endnote|noteref)/i.test(classes)

const isRaisedBy = (name: string, { style = '', role, 'epub:type': type }: Attributes) =>
  name === 'sup' || role === 'doc-noteref' || type === 'noteref' || /vertical-align\s*:\s*super/i.test(style)

/** The end of the current line. */
function lineEnd(pieces: readonly string[]) {
  let text = ''
  for (let at = pieces.length - 1; at >= 0 && text.length < 24; at--) text = `${pieces[at]?.slice(-24) ?? ''}${text}`
  return text.slice(text.lastIndexOf('\n') + 1)
}
