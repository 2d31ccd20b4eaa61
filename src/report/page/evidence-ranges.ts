import { itemAt } from '../../basics/collections.ts'

/** Begin and end of a part of a text. */
export type Range = readonly [from: number, to: number]

/** Where a passage holds its evidence or an end of it (12 letters or more), whatever the white space; sorted, apart. */
export function evidenceRanges(passage: string, evidence: readonly string[]): readonly Range[] {
  const own = withoutSpace(passage)
  const found = evidence
    .map(withoutSpace)
    .flatMap(({ text }) => rangeOf(own.text, text) ?? [])
    .map(([from, to]): Range => [itemAt(own.places, from), itemAt(own.places, to - 1) + 1])
    .sort(([a], [b]) => a - b)
  return found.reduce<Range[]>((merged, [from, to]) => {
    const last = merged.at(-1)
    if (last && from <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], to)]
    else merged.push([from, to])
    return merged
  }, [])
}

function rangeOf(passage: string, evidence: string): readonly Range[] | undefined {
  if (evidence === '') return undefined
  const at = passage.indexOf(evidence)
  if (at >= 0) return [[at, at + evidence.length]]
  if (passage !== '' && evidence.includes(passage)) return [[0, passage.length]]
  const begins = overlap(evidence, passage)
  const ends = overlap(passage, evidence)
  const ranges: Range[] = []
  if (begins >= least) ranges.push([0, begins])
  if (ends >= least) ranges.push([passage.length - ends, passage.length])
  return ranges
}

const least = 12

/** Length of the longest end of `a` that `b` begins with: the failure function of Knuth, Morris and Pratt. */
function overlap(a: string, b: string): number {
  const joined = `${b.slice(0, a.length)}\u0000${a.slice(-b.length)}`
  const borders = new Uint32Array(joined.length)
  for (let i = 1; i < joined.length; i++) {
    let length = borders[i - 1] ?? 0
    while (length > 0 && joined[i] !== joined[length]) length = borders[length - 1] ?? 0
    borders[i] = joined[i] === joined[length] ? length + 1 : 0
  }
  return borders.at(-1) ?? 0
}

/** A text without white space, and where each of its characters stood. */
function withoutSpace(text: string): { readonly text: string; readonly places: readonly number[] } {
  const places = Array.from({ length: text.length }, (_, index) => index).filter(
    (index) => !/\s/.test(text[index] ?? ''),
  )
  return { text: places.map((place) => text[place]).join(''), places }
}
