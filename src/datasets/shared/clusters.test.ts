import { expect, test } from 'vitest'
import { withClusters } from '../ragbench.ts'

const clusters = (request: Readonly<Record<string, readonly string[]>>) =>
  withClusters(
    Object.entries(request).map(([id, documents]) => ({
      id,
      text: 'Who?',
      reference: { kind: 'turn', accepted: 'I' },
      evidence: documents.map((documentId) => ({ documentId })),
    })),
  ).map(({ cluster }) => cluster)

test.each<[string, Record<string, string[]>, string[]]>([
  ['apart', { a: ['1'], b: ['2'] }, ['a', 'b']],
  ['without a document', { a: [], b: [] }, ['a', 'b']],
  ['one document', { b: ['1'], a: ['1'] }, ['a', 'a']],
  ['a chain', { c: ['1', '2'], b: ['2', '3'], x: ['9'], a: ['3'] }, ['a', 'a', 'x', 'a']],
  ['two that a third connects', { c: ['1'], b: ['2'], a: ['2', '1'] }, ['a', 'a', 'a']],
  ['one document twice', { b: ['1', '1'] }, ['b']],
])('%s', (_, request, expected) => {
  expect(clusters(request)).toEqual(expected)
})

test('joins a chain of a hundred thousand questions in one cluster', () => {
  const request = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`q${n}`, [`${n}`, `${n + 1}`]]))
  expect(new Set(clusters(request))).toEqual(new Set(['q0']))
})
