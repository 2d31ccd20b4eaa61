import { Parser, type Handler } from 'htmlparser2'

interface Style {
  basedOn?: string
  isHidden?: boolean
  outline?: number
}

/** What the styles of a Word file say of a paragraph or run, by the ids of the styles. */
type WordStyles = ReturnType<typeof wordStyles>

/** The styles of `styles.xml`, each with what it takes over from the style that it is based on. */
export function wordStyles(xml: string) {
  const styles = new Map<string, Style>()
  let style: Style = {}
  const parser = boundedParser({
    onopentag(name, attributes) {
      const value = attributes['w:val'] ?? ''
      if (styles.size > most.entries) throw new Error(`it has more than ${most.entries} styles`)
      if (name === 'w:style') styles.set(attributes['w:styleId'] ?? '', (style = {}))
      else if (name === 'w:name' && value === 'Title') style.outline = 0
      else if (name === 'w:basedOn') style.basedOn = value
      else if (name === 'w:vanish') style.isHidden = isOn(attributes)
      else if (name === 'w:outlineLvl') style.outline = Number(value)
    },
  })
  parser.end(xml)
  const inherit = <Key extends 'isHidden' | 'outline'>(id: string | undefined, key: Key) => {
    const path = new Set<string>()
    for (let at = id; at !== undefined && !path.has(at); at = styles.get(at)?.basedOn) {
      const value = styles.get(at)?.[key]
      if (value !== undefined) return value
      path.add(at)
    }
    return undefined
  }
  return {
    isHidden: (id: string | undefined) => inherit(id, 'isHidden'),
    level(id: string) {
      const outline = inherit(id, 'outline')
      // level 9 is that of plain text
      return outline === undefined || outline > 8 ? undefined : Math.min(outline + 1, 6)
    },
  }
}

interface Open {
  readonly name: string
  readonly start: number
  style?: string
  isHidden?: boolean
  /** Replacement of the whole element. */
  by?: string
}

/** A part of a Word file with line breaks and styles of headings that mammoth knows, without hidden text and ruby. */
export function mendedWordXml(xml: string, styles: WordStyles): string {
  const edits: { readonly start: number; readonly end: number; readonly by: string }[] = []
  const path: Open[] = []
  const paragraphs: Open[] = []
  const replace = (start: number, by: string) => {
    // edits within this range are obsolete
    while ((edits.at(-1)?.start ?? -1) >= start) edits.pop()
    edits.push({ start, end: parser.endIndex + 1, by })
  }
  const isLeftOut = ({ name, style, isHidden }: Open) =>
    isHidden ?? (name === 'w:r' && (styles.isHidden(style) ?? styles.isHidden(paragraphs.at(-1)?.style)) === true)
  const parser = boundedParser({
    onopentag(name, attributes) {
      if (edits.length > most.entries) throw new Error(`it hides text in more than ${most.entries} places`)
      const element: Open = { name, start: parser.startIndex }
      const [owner, properties] = path.slice(-2)
      path.push(element)
      if (name === 'w:p') paragraphs.push(element)
      else if (name === 'w:cr') element.by = '<w:br/>'
      else if (name === 'w:rt') element.by = ''
      else if (name === 'w:ruby' || name === 'w:rubyBase') replace(element.start, '')
      if (!owner || !properties) return
      switch (`${owner.name}/${properties.name}/${name}`) {
        case 'w:r/w:rPr/w:vanish':
        case 'w:tr/w:trPr/w:hidden':
          owner.isHidden = isOn(attributes)
          break
        case 'w:r/w:rPr/w:rStyle':
        case 'w:p/w:pPr/w:pStyle': {
          owner.style = attributes['w:val'] ?? ''
          const level = name === 'w:pStyle' ? styles.level(owner.style) : undefined
          if (level !== undefined) element.by = `<w:pStyle w:val="Heading${level}"/>`
        }
      }
    },
    onclosetag(name, isImplied) {
      const element = path.pop()
      const by = element && isLeftOut(element) ? '' : element?.by
      if (element && by !== undefined) replace(element.start, by)
      else if (!isImplied && (name === 'w:ruby' || name === 'w:rubyBase')) replace(parser.startIndex, '')
      if (name === 'w:p') paragraphs.pop()
    },
  })
  parser.end(xml)
  const starts = edits.map(({ end }) => end)
  return [
    ...edits.map(({ start, by }, at) => xml.slice(starts[at - 1] ?? 0, start) + by),
    xml.slice(starts.at(-1) ?? 0),
  ].join('')
}

/** Limits for a file of any size, so that a small archive cannot fill the memory. */
const most = { depth: 1000, attributes: 1000, entries: 1_000_000 }

/** A parser of XML that throws Error for excessive depth or attributes. */
function boundedParser({ onopentag, onclosetag }: Partial<Handler>): Parser {
  let depth = 0
  let attributes = 0
  return new Parser(
    {
      onattribute() {
        if (++attributes > most.attributes) throw new Error(`an element has more than ${most.attributes} attributes`)
      },
      onopentag(...tag) {
        attributes = 0
        if (++depth > most.depth) throw new Error(`its elements are nested more than ${most.depth} deep`)
        onopentag?.(...tag)
      },
      onclosetag(...tag) {
        depth--
        onclosetag?.(...tag)
      },
    },
    { xmlMode: true },
  )
}

const isOn = ({ 'w:val': value }: Readonly<Record<string, string>>) =>
  value === undefined || !/^(?:0|false|off)$/.test(value)
