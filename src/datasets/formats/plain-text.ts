/**
 * An article as plain text. One that begins as HTML, be it with a comment, loses its markup the way QuALITY v1.0.1 strips it: breaks and
 * paragraphs become line breaks (our reading; words agree with the stripped release, white space need not). Any other text stays but for
 * its ends. Time is linear in the length.
 */
export function plainText(article: string): string {
  const text = article.trim()
  if (!/^<(?:!doctype|!--|html|[a-z][a-z0-9]*[\s/>])/i.test(text)) return text
  const flat = withoutUnseen(text).replace(/\s+/g, ' ')
  // behind the last ">" no tag ends, and looking for its end at every "<" would take quadratic time
  const markup = flat.lastIndexOf('>') + 1
  const written = flat
    .slice(0, markup)
    .replace(/<br\b[^>]*>/gi, '\n')
    .replace(/<\/?(?:p|div|h[1-6]|hr|li|ul|ol|pre|blockquote)\b[^>]*>/gi, '\n\n')
    .replace(/<[/!a-z][^>]*>/gi, '')
  return (written + flat.slice(markup))
    .replace(/&(?:lt|gt|quot|nbsp|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The text with a space for every comment and for every element that is not read as text; one that never ends stays. */
function withoutUnseen(text: string): string {
  const pieces: string[] = []
  const unclosed = new Set<string>()
  let from = 0
  const opening = /<!--|<(head|table|script|style)\b/gi
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const name = found[1]?.toLowerCase() ?? 'comment'
    if (unclosed.has(name)) continue
    const close = closing[name] ?? /-->/g
    close.lastIndex = opening.lastIndex
    if (close.test(text)) {
      pieces.push(text.slice(from, found.index), ' ')
      from = opening.lastIndex = close.lastIndex
    } else unclosed.add(name)
  }
  return pieces.join('') + text.slice(from)
}

const closing: Readonly<Record<string, RegExp>> = {
  head: /<\/head\s*>/gi,
  table: /<\/table\s*>/gi,
  script: /<\/script\s*>/gi,
  style: /<\/style\s*>/gi,
}

// the release's markup was written by a serializer that escapes no more than these
const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&#39;': "'",
  '&amp;': '&',
}
