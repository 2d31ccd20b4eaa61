import { expect, test } from 'vitest'
import { bm25 } from '../../methods/bm25.ts'
import { raptor } from '../../methods/raptor/raptor.ts'
import { vector } from '../../methods/vector.ts'
import { noteOnMemory } from './memory.ts'

const million = { documents: 1e6, characters: 5e8, bytes: 5e8 }
const chunks = { by: 'tokens', size: 200, overlap: 0 } as const
const much = { heap: 8e9, all: 32e9 }
const note = (of: readonly string[], size = million, can = much): string | undefined =>
  noteOnMemory(
    size,
    { chunks: { ...chunks, tokenizer: 'o200k_base' } },
    [bm25, vector, raptor]
      .filter(({ name }) => of.includes(name))
      .map((method) => ({
        row: { method: method.name, variant: '' },
        method,
        options: method.options.parse({}),
      })),
    can,
  )

test('a large run says what it takes, part by part, the largest index first', () => {
  expect(note(['bm25'])).toBe(
    'the run takes about 2.0 GB of memory (1.6 GB texts and chunks, 0.5 GB the index of bm25)',
  )
  expect(note(['bm25', 'vector', 'raptor'])).toBe(
    'the run takes about 2.5 GB of memory (1.6 GB texts and chunks, 0.5 GB the index of bm25, 0.4 GB the index of vector; not counted: the index of raptor)',
  )
})

test('a small one says nothing', () => {
  expect(note(['bm25', 'vector', 'raptor'], { documents: 1e5, characters: 5e7, bytes: 5e7 })).toBeUndefined()
})

test.each([
  [
    { heap: 8e9, all: 1.9e9 },
    /2\.0 GB .*, and this computer has 1\.9 GB: take fewer documents, or a computer with more memory$/,
  ],
  [
    { heap: 1e9, all: 32e9 },
    /2\.0 GB .*, and Node gives texts and chunks 1\.0 GB: set .*NODE_OPTIONS=--max-old-space-size=1922, or/,
  ],
])('what cannot fit is refused with what to do: %j', (can, message) => {
  expect(() => note(['bm25'], million, can)).toThrow(message)
})

test('vectors in a database take none', () => {
  const store = { use: 'pgvector', url: 'postgresql://host/db' }
  const row = { row: { method: 'v', variant: '' }, method: vector, options: vector.options.parse({ store }) }
  expect(noteOnMemory(million, { chunks: { ...chunks, tokenizer: 'o200k_base' } }, [row], much)).toBe(
    'the run takes about 1.6 GB of memory (1.6 GB texts and chunks)',
  )
})
