/** A text by its letters and digits alone. */
export interface Letters {
  readonly letters: string
  /** The letters that stand between two offsets of the text, the end excluded. */
  range(start: number, end: number): Range
}

/** Letters of one text, counted from 0; the end is excluded. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** The letters and digits of a text, and where in it they stand. */
export function lettersIn(text: string): Letters {
  const offsets: number[] = []
  let letters = ''
  for (const { index, 0: run } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    letters += run
    for (let unit = 0; unit < run.length; unit++) offsets.push(index + unit)
  }
  const before = (offset: number): number => {
    let [low, high] = [0, offsets.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (offsets[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low
  }
  return { letters, range: (start, end) => ({ from: before(start), to: before(end) }) }
}

/** Every place where the letters stand in others. */
export function* occurrences(wanted: string, letters: string): Generator<Range> {
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1))
    yield { from: at, to: at + wanted.length }
}
