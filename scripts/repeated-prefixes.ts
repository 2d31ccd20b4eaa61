/** Of each prompt, in the order in which they were asked, the longest beginning that an earlier one has, too: a server that keeps what it has read need not read it again. */
export function repeatedPrefixes(prompts: readonly string[]): readonly string[] {
  const earlier: string[] = []
  return prompts.map((prompt) => {
    // of sorted texts, those with the longest common beginning are neighbours
    const place = placeOf(prompt, earlier)
    const length = Math.max(common(prompt, earlier[place - 1] ?? ''), common(prompt, earlier[place] ?? ''))
    earlier.splice(place, 0, prompt)
    return prompt.slice(0, length)
  })
}

function placeOf(text: string, sorted: readonly string[]): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((sorted[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}

function common(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return Math.min(length, b.length)
}
