/** A search of texts by the words they share with a query: BM25 (k1 1.2, b 0.75), best first, only texts that share one; ties in order. */
export function words(
  texts: readonly string[],
): (query: string, most: number) => readonly { readonly index: number; readonly score: number }[] {
  const split = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const counts = texts.map((text) => {
    const count = new Map<string, number>()
    for (const word of split(text)) count.set(word, (count.get(word) ?? 0) + 1)
    return count
  })
  const lengths = counts.map((count) => [...count.values()].reduce((sum, times) => sum + times, 0))
  const usual = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1
  const holders = new Map<string, number>()
  for (const count of counts) for (const word of count.keys()) holders.set(word, (holders.get(word) ?? 0) + 1)

  return (query, most) => {
    const asked = [...new Set(split(query))].flatMap((word) => {
      const texts = holders.get(word) ?? 0
      return texts > 0 ? [{ word, rarity: Math.log(1 + (counts.length - texts + 0.5) / (texts + 0.5)) }] : []
    })
    return counts
      .map((count, index) => {
        const stretch = 1.2 * (1 - 0.75 + (0.75 * (lengths[index] ?? 0)) / usual)
        const score = asked.reduce((sum, { word, rarity }) => {
          const times = count.get(word) ?? 0
          return sum + (rarity * times * 2.2) / (times + stretch)
        }, 0)
        return { index, score }
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, most)
  }
}
