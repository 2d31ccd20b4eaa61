import { Parser } from 'htmlparser2'
import { textBuilder } from './html-builder.ts'

/**
 * A page of HTML as text: blocks are paragraphs, and so are rows of tables, with " | " between their cells; items are
 * lines that begin "- " or "1. ", headings lines that begin "# " to "###### "; `pre` keeps its white space. What a
 * browser does not show is left out, and so is deleted text. Time is linear in the length, unless elements lie tens of
 * thousands deep within each other.
 */
export function htmlText(html: string): { readonly text: string; readonly title?: string } {
  const page = textBuilder(html.length)
  let title: string | undefined
  let titleParts: string[] | undefined
  let depth = 0
  // the depth of the element that is left out with all that it holds
  let hidden = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++
        if (hidden > 0) return
        if (!isHidden(name, attributes)) {
          page.open(name, attributes)
          return
        }
        hidden = depth
        if (name === 'title' && title === undefined) titleParts = []
      },
      ontext(text) {
        if (hidden === 0) page.text(text)
        else titleParts?.push(text)
      },
      onclosetag(name) {
        if (hidden === 0) page.close(name)
        if (hidden === depth) {
          hidden = 0
          title ??= titleParts?.join('').replace(/\s+/g, ' ').trim()
          titleParts = undefined
        }
        depth--
      },
    },
    // in XHTML "<a id='x'/>" is all of an element
    { recognizeSelfClosing: /^\s*<\?xml\s/.test(html) },
  )
  parser.end(html)
  return { text: page.end(), ...(title !== undefined && title !== '' && { title }) }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Elements whose content is no text of the page, or that of another element again. */
const unseen = words(
  'script style template noscript svg title textarea select datalist iframe noframes noembed object video audio canvas del s strike rt rp annotation annotation-xml',
)

/** Those that hold signs for the eye alone where assistive technology is told to pass them over. */
const decorated = words('a b i small span sub sup')

const hiddenStyle =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|text-decoration(?:-line)?\s*:[^;]*line-through)/i

function isHidden(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (unseen.has(name)) return true
  // a page that is saved before its script has run may hide all of itself
  if (name === 'html' || name === 'body') return false
  const { hidden, style, open, class: classes } = attributes
  return (
    (hidden !== undefined && hidden !== 'until-found') ||
    (name === 'dialog' && open === undefined) ||
    (style !== undefined && hiddenStyle.test(style)) ||
    (attributes['aria-hidden'] === 'true' && decorated.has(name)) ||
    // MediaWiki's keys to sort tables by
    (classes !== undefined && /(?:^|\s)sortkey(?:\s|$)/.test(classes))
  )
}
