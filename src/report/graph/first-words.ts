/** Whole words of a text, at most `limit` letters, with an ellipsis if more follow; a long first word is cut. */
export function firstWords(text: string, limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= limit) return line
  const end = line.lastIndexOf(' ', limit - 1)
  return `${line.slice(0, end > 0 ? end : limit - 1).replace(/[\s,;:.]+$/, '')}…`
}
