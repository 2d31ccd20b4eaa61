/**
 * Where a pattern stands in a text, from left to right and apart from one another: UTF-16 offsets. Time is linear in both lengths
 * (Knuth, Morris and Pratt 1977). An empty pattern stands nowhere.
 */
export function occurrences(text: string, pattern: string): number[] {
  const found: number[] = []
  if (pattern === '') return found
  const borders = bordersOf(pattern)
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== pattern.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
    if (text.charCodeAt(at) === pattern.charCodeAt(matched)) matched++
    if (matched < pattern.length) continue
    found.push(at + 1 - matched)
    matched = 0
  }
  return found
}

/** For each beginning of the pattern, the length of the longest shorter beginning that it ends in. */
function bordersOf(pattern: string): Uint32Array {
  const borders = new Uint32Array(pattern.length)
  let length = 0
  for (let at = 1; at < pattern.length; at++) {
    while (length > 0 && pattern.charCodeAt(at) !== pattern.charCodeAt(length)) length = borders[length - 1] ?? 0
    if (pattern.charCodeAt(at) === pattern.charCodeAt(length)) length++
    borders[at] = length
  }
  return borders
}
