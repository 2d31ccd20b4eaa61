/**
 * An article as plain text. One that begins as HTML loses its markup the way QuALITY v1.0.1 strips it: breaks and paragraphs become
 * line breaks (our reading; words agree with the stripped release, white space need not). Any other text stays but for its ends.
 */
export function plainText(article: string): string {
  const text = article.trim()
  if (!/^<(?:!doctype|html|[a-z][a-z0-9]*[\s/>])/i.test(text)) return text
  return text
    .replace(/<!--[^]*?-->|<(head|table|script|style)\b[^]*?<\/\1\s*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .replace(/<br\b[^>]*>/gi, '\n')
    .replace(/<\/?(?:p|div|h[1-6]|hr|li|ul|ol|pre|blockquote)\b[^>]*>/gi, '\n\n')
    .replace(/<[/!a-z][^>]*>/gi, '')
    .replace(/&(?:lt|gt|quot|nbsp|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .replace(/ *\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
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
