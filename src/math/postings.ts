import { slices } from '../basics/collections.ts'
import type { Packed } from '../types.ts'

/** Which texts hold a word, and how often: what searches by words are made of, in typed arrays. */
export interface Postings {
  /** Every distinct word, numbered by its first occurrence. */
  readonly words: ReadonlyMap<string, number>
  /** The number of words of each text. */
  readonly lengths: Uint32Array
  /** The texts in their order, `rowsOfBlock` in each block. */
  readonly blocks: readonly Block[]
}

/**
 * The words of neighbouring texts. `words`: the numbers of those that stand in one, ascending; of the word at `at` are
 * the places from `starts[at]` to `starts[at + 1]`: `rows`, counted from the first text of the block, and `counts`.
 */
export interface Block {
  readonly words: Uint32Array
  readonly starts: Uint32Array
  readonly rows: Uint16Array
  readonly counts: Uint8Array | Uint32Array
}

/** Texts of a block: their numbers in it fit 16 bits. */
export const rowsOfBlock = 2 ** 16

/** Reads the words of each text once and keeps none: 3 bytes for each word of each text, and the dictionary. */
export function postingsOf(bags: Iterable<readonly string[]>): Postings {
  const words = new Map<string, number>()
  const lengths = growing()
  const blocks: Block[] = []
  // of each word: the last text that held it, counted from 1, and where in the block it was noted
  const [last, noted] = [growing(), growing()]
  let open = openBlock()
  let row = 0
  for (const bag of bags) {
    if (row > 0 && row % rowsOfBlock === 0) {
      blocks.push(closed(open, words.size))
      open = openBlock()
    }
    for (const word of bag) {
      let number = words.get(word)
      if (number === undefined) words.set(ownText(word), (number = words.size))
      if (last.at(number) === row + 1) open.counts.add(noted.at(number), 1)
      else {
        last.set(number, row + 1)
        noted.set(number, open.size)
        open.words.set(open.size, number)
        open.rows.set(open.size, row % rowsOfBlock)
        open.counts.set(open.size++, 1)
      }
    }
    lengths.set(row++, bag.length)
  }
  if (row > 0) blocks.push(closed(open, words.size))
  return { words, lengths: lengths.first(row), blocks }
}

/** The postings as texts and arrays, as they lie in memory. */
export const packedPostings = ({ words, lengths, blocks }: Postings): Packed => ({
  texts: [...words.keys()],
  arrays: [lengths, ...blocks.flatMap((block) => [block.words, block.starts, block.rows, block.counts])],
})

/** The same postings again, of so many texts; undefined for what are none. */
export function unpackedPostings({ texts, arrays: [lengths, ...arrays] }: Packed, rows: number): Postings | undefined {
  if (!(lengths instanceof Uint32Array) || lengths.length !== rows) return undefined
  const blocks: Block[] = []
  for (const [words, starts, rows, counts] of slices(arrays, 4)) {
    const fits = words instanceof Uint32Array && starts instanceof Uint32Array && rows instanceof Uint16Array
    if (!fits || !counts || counts instanceof Uint16Array || counts.length !== rows.length) return undefined
    if (starts.length !== words.length + 1 || starts.at(-1) !== rows.length) return undefined
    blocks.push({ words, starts, rows, counts })
  }
  if (blocks.length !== Math.ceil(rows / rowsOfBlock)) return undefined
  return { words: new Map(texts.map((word, number) => [word, number])), lengths, blocks }
}

interface OpenBlock {
  size: number
  readonly words: Growing
  readonly rows: Growing
  readonly counts: Growing
}

const openBlock = (): OpenBlock => ({ size: 0, words: growing(), rows: growing(), counts: growing() })

/** Sorts what was noted text by text by its words; the texts of a word stay in their order. */
function closed({ size, words, rows, counts }: OpenBlock, known: number): Block {
  const places = new Uint32Array(known + 1)
  let most = 0
  for (let at = 0; at < size; at++) {
    places[words.at(at)]!++
    most = Math.max(most, counts.at(at))
  }
  const here: number[] = []
  for (let word = 0; word < known; word++) if (places[word]! > 0) here.push(word)
  const starts = new Uint32Array(here.length + 1)
  for (const [at, word] of here.entries()) {
    starts[at + 1] = starts[at]! + places[word]!
    places[word] = starts[at]!
  }
  const [sorted, often] = [new Uint16Array(size), most < 256 ? new Uint8Array(size) : new Uint32Array(size)]
  for (let at = 0; at < size; at++) {
    const place = places[words.at(at)]!++
    sorted[place] = rows.at(at)
    often[place] = counts.at(at)
  }
  return { words: Uint32Array.from(here), starts, rows: sorted, counts: often }
}

/** The places of a word in a block, the end excluded; none where no text of it holds the word. */
export function placesOf({ words, starts }: Block, word: number): readonly [from: number, to: number] {
  const at = found(words, word, 0, words.length)
  return at < 0 ? [0, 0] : [starts[at]!, starts[at + 1]!]
}

/** How often a text holds a word. */
export function timesIn({ words, blocks }: Postings, word: string, row: number): number {
  const [number, block] = [words.get(word), blocks[Math.floor(row / rowsOfBlock)]]
  if (number === undefined || !block) return 0
  const at = found(block.rows, row % rowsOfBlock, ...placesOf(block, number))
  return at < 0 ? 0 : block.counts[at]!
}

/** Where a number stands in a part of an ascending list; -1 where it does not. */
function found(ascending: Uint16Array | Uint32Array, wanted: number, from: number, to: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low < to && ascending[low] === wanted ? low : -1
}

/** Whole numbers in 32 bits, as many as are set; 0 where none was. */
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

/** A part of a text keeps the whole of it in memory; letters that were put together do not. */
const ownText = (word: string): string => (word.length > 12 ? Array.from(word).join('') : word)
