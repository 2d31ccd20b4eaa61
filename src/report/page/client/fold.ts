/** Equal texts once, with how many of all there are: `right (4 of 5)`; one alone has no count. In the order in which they are met. */
export function folded(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return Array.from(counts, ([text, count]) => (texts.length > 1 ? `${text} (${count} of ${texts.length})` : text))
}
