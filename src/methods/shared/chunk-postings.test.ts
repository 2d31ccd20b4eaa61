import { expect, test } from 'vitest'
import { packPostings, type Postings } from '../../math/postings.ts'
import { mulberry32 } from '../../math/random.ts'
import { sha256 } from '../../text/hash.ts'
import type { Keepable, Packed } from '../../types.ts'
import { chunkPostings } from './chunk-postings.ts'

/** Keeps what is packed by its name, in memory. */
function inMemory() {
  const files = new Map<string, Packed>()
  const cached = <T>(name: string, { make, pack, unpack }: Keepable<T>): T => {
    const known = files.get(name)
    const read = known && unpack(known)
    if (read !== undefined) return read
    const made = make()
    files.set(name, pack(made))
    return made
  }
  return { files, cached }
}
function digestOf(postings: Postings): string {
  const { texts, arrays } = packPostings(postings)
  return sha256(JSON.stringify([texts, arrays.map((one) => [one.constructor.name, [...one]])]))
}
const chunksOf = (...texts: readonly string[]) => texts.map((text) => ({ text }))

test('round-trips postings over several blocks with counts above 8 bits', () => {
  const random = mulberry32(3)
  const texts = Array.from(
    { length: 70_000 },
    () => `w${Math.floor(2 / (random() + 0.01))} und w${Math.floor(9 * random())}`,
  )
  const chunks = chunksOf(...texts, 'und '.repeat(300))
  const store = inMemory()
  const first = chunkPostings(chunks, 'plain', store, 0)
  const again = chunkPostings(chunks, 'plain', store, 0)
  expect(store.files.size).toBe(1)
  expect(again).not.toBe(first)
  expect(digestOf(again)).toBe(digestOf(first))
})

test('gives different texts, orders, chunks and analysers different cache keys', () => {
  const store = inMemory()
  for (const chunks of [['ab', 'c'], ['c', 'ab'], ['a', 'bc'], ['abc'], ['ab', 'c', '']])
    for (const analyser of ['plain', 'english'] as const) chunkPostings(chunksOf(...chunks), analyser, store, 0)
  expect(store.files.size).toBe(10)
})

test.each([
  ['of fewer texts', ({ texts, arrays }: Packed) => ({ texts, arrays: [new Uint32Array(1), ...arrays.slice(1)] })],
  ['without an array', ({ texts, arrays }: Packed) => ({ texts, arrays: arrays.slice(0, -1) })],
  ['without a block', ({ texts, arrays }: Packed) => ({ texts, arrays: arrays.slice(0, 1) })],
  ['of other numbers', ({ texts, arrays }: Packed) => ({ texts, arrays: arrays.map((one) => Uint8Array.from(one)) })],
  ['whose lengths differ', ({ texts, arrays }: Packed) => ({ texts, arrays: arrays.with(-1, new Uint8Array(1)) })],
])('rebuilds postings %s', (_, change) => {
  const store = inMemory()
  const chunks = chunksOf('the mill', 'a mill, a river')
  const first = chunkPostings(chunks, 'plain', store, 0)
  for (const [name, packed] of store.files) store.files.set(name, change(packed))
  expect(chunkPostings(chunks, 'plain', store, 0)).toEqual(first)
})

test('matches the digest of the current version of cached postings', () => {
  const chunks = chunksOf('The mills’ wheels of Orrin’s mill', 'Possibly 灯塔 naïve 1841', '')
  const digest = (['plain', 'english'] as const).map((analyser) =>
    digestOf(chunkPostings(chunks, analyser, {})).slice(0, 12),
  )
  expect(digest).toEqual(['5e4feb9722eb', '36900e6ffab4'])
})
