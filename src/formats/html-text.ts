import { decodeEntities } from '../text/characters.ts'

/**
 * A page of HTML as text: blocks become paragraphs, rows lines with a tab between cells, items lines that begin "- ",
 * headings lines that begin "# " to "###### "; `pre` keeps its white space. What is malformed is read as browsers do,
 * or stays as it is written. Time is linear in the length.
 */
export function htmlText(html: string): { readonly text: string; readonly title?: string } {
  const page = textBuilder()
  const tagEnd = tagEnds(html)
  let title: string | undefined
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    page.text(html.slice(at, open < 0 ? html.length : open))
    if (open < 0) break
    const tag = tagAt(html, open)
    const end = html.startsWith('<!--', open)
      ? after(html, '-->', open + 4)
      : tag || /[!?]/.test(html[open + 1] ?? '')
        ? tagEnd(open)
        : -1
    if (end < 0) {
      page.text('<')
      at = open + 1
      continue
    }
    at = end
    if (!tag) continue
    const { name, closes } = tag
    if (!closes && unseen.has(name)) {
      const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
      close.lastIndex = end
      const found = close.exec(html)
      if (name === 'title') title ??= decodeEntities(html.slice(end, found?.index)).replace(/\s+/g, ' ').trim()
      at = found ? found.index : html.length
    } else page.tag(name, closes)
  }
  return { text: page.end(), ...(title !== undefined && title !== '' && { title }) }
}

/** Elements whose content is no text of the page. */
const unseen = new Set(['script', 'style', 'template', 'noscript', 'svg', 'title', 'textarea', 'select', 'iframe'])

const blocks = new Set(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend main menu nav ol p pre search section summary table ul'.split(
    ' ',
  ),
)

function tagAt(html: string, open: number): { readonly name: string; readonly closes: boolean } | undefined {
  const named = /(\/?)([a-z][^\s/>]*)/iy
  named.lastIndex = open + 1
  const found = named.exec(html)
  return found ? { name: (found[2] ?? '').toLowerCase(), closes: found[1] === '/' } : undefined
}

/** Where the mark ends that begins behind `from`; the end of the text where there is none, as browsers read it. */
function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

/** Finds where a tag ends: behind the first ">" outside quotes; -1 where there is none. */
function tagEnds(html: string): (open: number) => number {
  const last = { '"': html.lastIndexOf('"'), "'": html.lastIndexOf("'"), '>': html.lastIndexOf('>') }
  return (open) => {
    if (open > last['>']) return -1
    for (let at = open + 1; at < html.length; at++) {
      const sign = html[at]
      if (sign === '>') return at + 1
      // a quote without its partner is a sign like any other
      if ((sign === '"' || sign === "'") && html[at - 1] === '=' && at < last[sign]) at = html.indexOf(sign, at + 1)
    }
    return -1
  }
}

/** Puts text together, one space for every run of white space outside `pre`. */
function textBuilder() {
  const pieces: string[] = []
  let depth = 0
  let spaced = true
  let firstCell = true
  let heading = ''
  const add = (piece: string): void => {
    pieces.push(piece)
    spaced = true
  }
  return {
    text(written: string): void {
      if (written === '') return
      const text = decodeEntities(written).replaceAll('\u00a0', ' ')
      const flat = depth > 0 ? text : text.replace(/\s+/g, ' ')
      const next = spaced && depth === 0 ? flat.replace(/^ /, '') : flat
      if (next === '') return
      pieces.push(heading, next)
      heading = ''
      spaced = depth === 0 && next.endsWith(' ')
    },
    tag(name: string, closes: boolean): void {
      if (name === 'pre') depth = Math.max(0, depth + (closes ? -1 : 1))
      if (name === 'br' || name === 'tr') add('\n')
      else if (name === 'li' && !closes) add('\n- ')
      else if ((name === 'td' || name === 'th') && !closes) {
        if (!firstCell) add('\t')
        firstCell = false
      } else if (blocks.has(name)) add('\n\n')
      if (/^h[1-6]$/.test(name)) heading = closes ? '' : `${'#'.repeat(Number(name[1]))} `
      if (name === 'tr') firstCell = true
    },
    end: (): string =>
      pieces
        .join('')
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .replace(/^\n+|\n+$/g, ''),
  }
}
