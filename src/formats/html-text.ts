import { Parser } from 'htmlparser2'
import { textBuilder } from './html-builder.ts'

/**
 * A page of HTML as text: paragraphs, rows of tables with " | ", items with "- " or "1. ", headings with "# " to
 * "###### "; `pre` keeps its white space. Hidden and deleted text is dropped.
 */
export function htmlText(html: string): { readonly text: string; readonly title?: string } {
  const page = textBuilder()
  let title: string | undefined
  let titleParts: string[] | undefined
  let depth = 0
  // depth of the outermost hidden element
  let hiddenDepth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++
        if (hiddenDepth > 0) return
        if (!isHidden(name, attributes)) {
          page.open(name, attributes)
          return
        }
        hiddenDepth = depth
        if (name === 'title' && title === undefined) titleParts = []
      },
      ontext(text) {
        if (hiddenDepth === 0) page.text(text)
        else titleParts?.push(text)
      },
      onclosetag(name) {
        if (hiddenDepth === 0) page.close(name)
        if (hiddenDepth === depth) {
          hiddenDepth = 0
          title ??= titleParts?.join('').replace(/\s+/g, ' ').trim()
          titleParts = undefined
        }
        depth--
      },
    },
    // in XHTML "<a id='x'/>" is a complete element
    { recognizeSelfClosing: /^\s*<\?xml\s/.test(html) },
  )
  parser.end(html)
  return { text: page.end(), ...(title !== undefined && title !== '' && { title }) }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Elements whose content is not page text, or duplicates it. */
const invisibleElements = words(
  'script style template noscript svg title textarea select datalist iframe noframes noembed object video audio canvas del s strike rt rp annotation annotation-xml',
)

/** Decorative where hidden from assistive technology. */
const decorativeElements = words('a b i small span sub sup')

const hiddenStyle =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|text-decoration(?:-line)?\s*:[^;]*line-through)/i

function isHidden(name: string, attributes: Readonly<Record<string, string>>) {
  if (invisibleElements.has(name)) return true
  // pages saved before their script ran may hide themselves
  if (name === 'html' || name === 'body') return false
  const { hidden: hiddenAttribute, style, open, class: classes } = attributes
  return (
    (hiddenAttribute !== undefined && hiddenAttribute !== 'until-found') ||
    (name === 'dialog' && open === undefined) ||
    (style !== undefined && hiddenStyle.test(style)) ||
    (attributes['aria-hidden'] === 'true' && decorativeElements.has(name)) ||
    // MediaWiki's sort keys
    (classes !== undefined && /(?:^|\s)sortkey(?:\s|$)/.test(classes))
  )
}
