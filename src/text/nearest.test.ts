import { expect, test } from 'vitest'
import { nearest, unknownName } from './nearest.ts'

const known = ['bm25', 'vector', 'closed-book', 'full-context']

test.each([
  ['bm52', 'bm25'],
  ['VECTOR', 'vector'],
  ['closedbook', 'closed-book'],
  ['full_context', 'full-context'],
  ['graphrag', undefined],
  ['', undefined],
])('%j probably meant %j', (name, expected) => expect(nearest(name, known)).toBe(expected))

test('of equally near names the first', () => expect(nearest('cat', ['bat', 'rat'])).toBe('bat'))

test('an unknown name is answered with the known ones', () => {
  expect(unknownName('method', 'bm52', ['bm25', 'vector'])).toBe(
    'unknown method "bm52"; did you mean "bm25"? (known: bm25, vector)',
  )
  expect(unknownName('method', 'xyzzy', ['bm25'])).toBe('unknown method "xyzzy" (known: bm25)')
})
