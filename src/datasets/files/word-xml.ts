import { escapeUTF8 } from 'entities'
import { DomUtils, ElementType, parseDocument } from 'htmlparser2'

type Node = ReturnType<typeof parseDocument>['children'][number]
type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number]

/** What the styles of a Word file say of a paragraph or run, by the ids of the styles. */
type WordStyles = ReturnType<typeof wordStyles>

/** The styles of `styles.xml`, each with what it takes over from the style that it is based on. */
export function wordStyles(xml: string) {
  const elements = DomUtils.getElementsByTagName('w:style', parse(xml))
  const styles = new Map(elements.map((style) => [style.attribs['w:styleId'], style]))
  const inherit = <T>(id: string | undefined, read: (style: Element) => T | undefined): T | undefined => {
    const path = new Set<Element>()
    for (let style = styles.get(id); style && !path.has(style); style = styles.get(valueIn(style, 'w:basedOn'))) {
      const value = read(style)
      if (value !== undefined) return value
      path.add(style)
    }
    return undefined
  }
  const outlineOf = (style: Element) =>
    valueIn(style, 'w:outlineLvl') ?? (valueIn(style, 'w:name') === 'Title' ? '0' : undefined)
  return {
    isHidden: (id: string | undefined) => inherit(id, (style) => isOn(firstIn(style, 'w:vanish'))),
    level(id: string) {
      const outline = Number(inherit(id, outlineOf) ?? Infinity)
      // level 9 is that of plain text
      return outline > 8 ? undefined : Math.min(outline + 1, 6)
    },
  }
}

/** A part of a Word file with line breaks and styles of headings that mammoth knows, without hidden text and ruby. */
export function mendedWordXml(xml: string, styles: WordStyles): string {
  const mend = (nodes: readonly Node[], paragraphStyle?: string): string =>
    nodes.map((node) => mendedNode(node, paragraphStyle)).join('')
  const mendedNode = (node: Node, paragraphStyle: string | undefined): string => {
    if ('data' in node) return node.type === ElementType.Text ? escapeUTF8(node.data) : ''
    if (!('attribs' in node)) return mend(node.children, paragraphStyle)
    if (isLeftOut(node, paragraphStyle, styles)) return ''
    const ownStyle = node.name === 'w:p' ? valueIn(childOf(node, 'w:pPr'), 'w:pStyle') : paragraphStyle
    const content = mend(node.children, ownStyle)
    if (node.name === 'w:ruby' || node.name === 'w:rubyBase') return content
    const name = node.name === 'w:cr' ? 'w:br' : node.name
    const level = name === 'w:pStyle' ? styles.level(node.attribs['w:val'] ?? '') : undefined
    const attributes = Object.entries(level === undefined ? node.attribs : { 'w:val': `Heading${level}` })
    const start = [name, ...attributes.map(([key, value]) => `${key}="${escapeUTF8(value)}"`)].join(' ')
    return content === '' ? `<${start}/>` : `<${start}>${content}</${name}>`
  }
  return mend(parse(xml))
}

function isLeftOut(element: Element, paragraphStyle: string | undefined, styles: WordStyles) {
  if (element.name === 'w:rt') return true
  if (element.name === 'w:tr') return isOn(childOf(childOf(element, 'w:trPr'), 'w:hidden')) === true
  if (element.name !== 'w:r') return false
  const properties = childOf(element, 'w:rPr')
  const byItself = isOn(childOf(properties, 'w:vanish'))
  const byStyle = styles.isHidden(valueIn(properties, 'w:rStyle')) ?? styles.isHidden(paragraphStyle)
  return byItself ?? byStyle === true
}

/** Elements and attributes of one part: a long novel has a tenth of it, and more would fill the memory. */
const mostParts = 4_000_000

function parse(xml: string): Node[] {
  const part = /[<=]/g
  for (let count = 0; part.test(xml); count++)
    if (count === mostParts) throw new Error(`it has more than ${mostParts} elements and attributes`)
  return parseDocument(xml, { xmlMode: true }).children
}

const firstIn = (element: Element | undefined, name: string) =>
  element && DomUtils.getElementsByTagName(name, element.children, true, 1)[0]

const childOf = (element: Element | undefined, name: string) =>
  element && DomUtils.getElementsByTagName(name, element.children, false, 1)[0]

const valueIn = (element: Element | undefined, name: string) => firstIn(element, name)?.attribs['w:val']

const isOn = (element: Element | undefined) => element && !/^(?:0|false|off)$/.test(element.attribs['w:val'] ?? '')
