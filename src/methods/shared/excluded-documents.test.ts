import { expect, test } from 'vitest'
import { chunksOf } from '../../test-support/ask-method.ts'
import type { Passage } from '../../types.ts'
import { exclusionOf } from './excluded-documents.ts'

const chunks = chunksOf('a: 0 one', 'a: 4 two', 'b: 0 one')
const query = { id: 'a', text: 'one', excludedIds: ['a', 'unknown'] }
const passage = (from: readonly string[], more: Partial<Passage> = {}): Passage => ({
  text: 'one',
  score: 1,
  kind: 'chunk',
  from,
  ...more,
})
const spanIn = (documentId: string) => ({ documentId, start: 0, end: 3 })

test.each<[string, Passage, readonly Passage[]]>([
  ['a chunk of an excluded document goes', passage(['c0']), []],
  ['one of another document stays', passage(['c2']), [passage(['c2'])]],
  ['a text that stands in both is left to the other', passage(['c0', 'c2']), [passage(['c2'])]],
  ['a part of an excluded document goes', passage(['c0', 'c1'], { spans: [spanIn('a')] }), []],
  [
    'documents that share a part are not excluded',
    passage(['c0', 'c2'], { spans: [spanIn('a'), spanIn('b')] }),
    [passage(['c2'], { spans: [spanIn('b')] })],
  ],
  ['a summary of it alone goes', passage(['c0', 'c1'], { kind: 'summary' }), []],
  ['a summary of both stays as it is', passage(['c0', 'c2'], { kind: 'summary' }), [passage(['c0', 'c2'], { kind: 'summary' })]], // prettier-ignore
  ['what comes from no document stays', passage([]), [passage([])]],
])('%s', (_name, one, left) => {
  expect(exclusionOf(query, chunks).without([one])).toEqual(left)
})

test('enlarges the budget by the chunks of excluded documents', () => {
  const tokens = chunks.slice(0, 2).reduce((sum, chunk) => sum + chunk.tokens, 0)
  const budget = { passages: 5, tokens: 100 }
  expect(exclusionOf(query, chunks).withRoom(budget)).toEqual({ passages: 7, tokens: 100 + tokens })
  expect(exclusionOf({ id: 'a', text: 'one' }, chunks).withRoom(budget)).toEqual(budget)
})
