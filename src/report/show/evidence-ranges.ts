import { itemAt } from '../../basics/collections.ts'

/** Start and end offset in a text. */
export type Range = readonly [from: number, to: number]

/** Sorted, disjoint ranges of evidence, or of its beginning or end (12 letters or more). Ignores white space. */
export function evidenceRanges(passage: string, evidence: readonly string[]): readonly Range[] {
  const places = [...passage.matchAll(/\S/g)].map(({ index }) => index)
  const ranges = evidence
    .flatMap((text) => rangesIn(withoutSpace(passage), withoutSpace(text)))
    .map(([from, to]): Range => [itemAt(places, from), itemAt(places, to - 1) + 1])
    .sort(([a], [b]) => a - b)
  const disjoint: Range[] = []
  for (const [from, to] of ranges) {
    const last = disjoint.at(-1)
    if (!last || from > last[1]) disjoint.push([from, to])
    else disjoint.splice(-1, 1, [last[0], Math.max(last[1], to)])
  }
  return disjoint
}

const withoutSpace = (text: string) => text.replace(/\s/g, '')

function rangesIn(passage: string, evidence: string): readonly Range[] {
  if (evidence === '' || passage === '') return []
  const end = passage.length
  const at = passage.indexOf(evidence)
  if (at >= 0) return [[at, at + evidence.length]]
  if (evidence.includes(passage)) return [[0, end]]
  const ranges: readonly Range[] = [
    [0, overlap(evidence, passage)],
    [end - overlap(passage, evidence), end],
  ]
  return ranges.filter(([from, to]) => to > from)
}

/** Length of the longest suffix of `a` that is a prefix of `b`; 0 below 12 letters. */
function overlap(a: string, b: string) {
  for (let length = Math.min(a.length, b.length); length >= 12; length--)
    if (a.endsWith(b.slice(0, length))) return length
  return 0
}
