/** An inverted index in typed arrays. */
export interface Postings {
  /** Word numbers, by first occurrence. */
  readonly words: ReadonlyMap<string, number>
  /** The number of words of each text. */
  readonly lengths: Uint32Array
  /** The texts in their order, `rowsOfBlock` in each block. */
  readonly blocks: readonly Block[]
}

/**
 * Postings of consecutive texts. `words`: ascending word numbers; the postings of `words[at]` are at `starts[at]` to
 * `starts[at + 1]` of `rows` (offsets from the block's first text) and `counts`.
 */
export interface Block {
  readonly words: Uint32Array
  readonly starts: Uint32Array
  readonly rows: Uint16Array
  readonly counts: Uint8Array | Uint32Array
}

/** Texts per block: row offsets fit 16 bits. */
export const rowsOfBlock = 2 ** 16

/** Reads the words of each text once and keeps none: 3 bytes for each word of each text, and the dictionary. */
export function postingsOf(bags: Iterable<readonly string[]>): Postings {
  const words = new Map<string, number>()
  const lengths = growing()
  const blocks: Block[] = []
  // per word: its last text, counted from 1, and the position of that posting in the block
  const lastText = growing()
  const lastPosition = growing()
  let open = openBlock()
  let row = 0
  for (const bag of bags) {
    if (row > 0 && row % rowsOfBlock === 0) {
      blocks.push(closeBlock(open, words.size))
      open = openBlock()
    }
    for (const word of bag) {
      let number = words.get(word)
      if (number === undefined) words.set(ownText(word), (number = words.size))
      if (lastText.at(number) === row + 1) open.counts.add(lastPosition.at(number), 1)
      else {
        lastText.set(number, row + 1)
        lastPosition.set(number, open.size)
        open.words.set(open.size, number)
        open.rows.set(open.size, row % rowsOfBlock)
        open.counts.set(open.size++, 1)
      }
    }
    lengths.set(row++, bag.length)
  }
  if (row > 0) blocks.push(closeBlock(open, words.size))
  return { words, lengths: lengths.first(row), blocks }
}

interface OpenBlock {
  size: number
  readonly words: Growing
  readonly rows: Growing
  readonly counts: Growing
}

const openBlock = (): OpenBlock => ({ size: 0, words: growing(), rows: growing(), counts: growing() })

/** Sorts the postings of a block by word, stably. */
function closeBlock({ size, words, rows, counts }: OpenBlock, wordCount: number): Block {
  const places = new Uint32Array(wordCount + 1)
  let most = 0
  for (let at = 0; at < size; at++) {
    places[words.at(at)]!++
    most = Math.max(most, counts.at(at))
  }
  const present: number[] = []
  for (let word = 0; word < wordCount; word++) {
    if (places[word]! > 0) present.push(word)
  }
  const starts = new Uint32Array(present.length + 1)
  for (const [at, word] of present.entries()) {
    starts[at + 1] = starts[at]! + places[word]!
    places[word] = starts[at]!
  }
  const sortedRows = new Uint16Array(size)
  const sortedCounts = most < 256 ? new Uint8Array(size) : new Uint32Array(size)
  for (let at = 0; at < size; at++) {
    const place = places[words.at(at)]!++
    sortedRows[place] = rows.at(at)
    sortedCounts[place] = counts.at(at)
  }
  return { words: Uint32Array.from(present), starts, rows: sortedRows, counts: sortedCounts }
}

/** The posting range of a word in a block, end exclusive; empty where no text holds it. */
export function placesOf({ words, starts }: Block, word: number): readonly [from: number, to: number] {
  const at = binarySearch(words, word, 0, words.length)
  return at < 0 ? [0, 0] : [starts[at]!, starts[at + 1]!]
}

/** How often a text holds a word. */
export function timesIn({ words, blocks }: Postings, word: string, row: number): number {
  const number = words.get(word)
  const block = blocks[Math.floor(row / rowsOfBlock)]
  if (number === undefined || !block) return 0
  const at = binarySearch(block.rows, row % rowsOfBlock, ...placesOf(block, number))
  return at < 0 ? 0 : block.counts[at]!
}

/** The index of a number in a range of an ascending list, or -1. */
function binarySearch(ascending: Uint16Array | Uint32Array, target: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < target) low = middle + 1
    else high = middle
  }
  return low < to && ascending[low] === target ? low : -1
}

/** A growable Uint32Array; unset entries are 0. */
interface Growing {
  at(place: number): number
  set(place: number, value: number): void
  add(place: number, value: number): void
  first(count: number): Uint32Array
}

function growing(): Growing {
  let data = new Uint32Array(1024)
  return {
    at: (place) => (place < data.length ? data[place]! : 0),
    set(place, value) {
      if (place >= data.length) {
        const larger = new Uint32Array(2 * place)
        larger.set(data)
        data = larger
      }
      data[place] = value
    },
    add: (place, value) => void (data[place]! += value),
    first: (count) => data.slice(0, count),
  }
}

/** Copies a substring, which would otherwise keep its whole source text in memory. */
const ownText = (word: string): string => (word.length > 12 ? Array.from(word).join('') : word)
