/** The candidate most like a text by Ratcliff and Obershelp's measure; of equals the largest text, as Python's difflib.get_close_matches with cutoff 0. */
export function closest(text: string, candidates: readonly string[]): number {
  const found = candidates.map((candidate, index) => ({ candidate, index, score: likeness(candidate, text) }))
  const [best] = found.sort(
    // Python compares texts by code points, whose order is that of their bytes
    (a, b) => b.score - a.score || Buffer.compare(Buffer.from(b.candidate), Buffer.from(a.candidate)),
  )
  return best?.index ?? 0
}

/** Twice the characters that match, over all characters; difflib also ignores what is frequent in texts of 200 characters, we do not. */
export const likeness = (a: string, b: string): number =>
  a.length + b.length === 0 ? 1 : (2 * matching(a, b)) / (a.length + b.length)

/** The length of the longest common stretch, and of what matches before and after it. */
function matching(a: string, b: string): number {
  if (a === '' || b === '') return 0
  const { startA, startB, length } = longestCommon(a, b)
  if (length === 0) return 0
  return (
    length +
    matching(a.slice(0, startA), b.slice(0, startB)) +
    matching(a.slice(startA + length), b.slice(startB + length))
  )
}

/** The longest stretch that both hold: of equals the one that starts first in `a`, then in `b`. */
function longestCommon(a: string, b: string) {
  let best = { startA: 0, startB: 0, length: 0 }
  let ending = new Map<number, number>()
  for (let i = 0; i < a.length; i++) {
    const next = new Map<number, number>()
    for (let j = b.indexOf(a.charAt(i)); j >= 0; j = b.indexOf(a.charAt(i), j + 1)) {
      const length = (ending.get(j - 1) ?? 0) + 1
      next.set(j, length)
      if (length > best.length) best = { startA: i - length + 1, startB: j - length + 1, length }
    }
    ending = next
  }
  return best
}
