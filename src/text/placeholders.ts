/** Layouts of a list in a template; numbered by default. */
export const layouts = ['numbered', 'lettered', 'lines', 'paragraphs', 'json'] as const

type Layout = (typeof layouts)[number]

/** `{{field}}` or `{{field:layout}}`; nested: `{{roles.asks}}`. */
const placeholder = /\{\{\s*([\w.]+)\s*(?::\s*([\w-]+)\s*)?\}\}/g

/** The placeholders of a text, and whether it has a malformed one. */
export function placeholdersIn(text: string): {
  readonly placeholders: readonly { readonly field: string; readonly layout?: string }[]
  readonly isBroken: boolean
} {
  const placeholders = [...text.matchAll(placeholder)].map(([, field = '', layout]) => ({
    field,
    ...(layout !== undefined && { layout }),
  }))
  return { placeholders, isBroken: text.replaceAll(placeholder, '').includes('{{') }
}

/** Fills placeholders; unknown fields become empty. */
export const fillPlaceholders = (text: string, fields: object): string =>
  text.replaceAll(placeholder, (_, path: string, layout: Layout = 'numbered') => textOf(fieldAt(fields, path), layout))

const fieldAt = (fields: object, path: string) =>
  path.split('.').reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), fields)

function textOf(value: unknown, layout: Layout) {
  if (value === undefined) return ''
  if (typeof value === 'string' && layout !== 'json') return value
  if (!Array.isArray(value) || layout === 'json') return JSON.stringify(value)
  const items = value.map((item: unknown) => itemText(item))
  if (layout === 'numbered') return items.map((item, index) => `${index + 1}. ${item}`).join('\n')
  if (layout === 'lettered') return items.map((item, index) => `${letterAt(index)}. ${item}`).join('\n')
  return items.join(layout === 'lines' ? '\n' : '\n\n')
}

/** Numbers after Z. */
const letterAt = (index: number) => (index < 26 ? String.fromCharCode(65 + index) : String(index + 1))

function itemText(item: unknown) {
  if (typeof item === 'string') return item
  if (typeof item === 'object' && item !== null && 'speaker' in item && 'text' in item)
    return `${String(item.speaker)}: ${String(item.text)}`
  return JSON.stringify(item)
}
