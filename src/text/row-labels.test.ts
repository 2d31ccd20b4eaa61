import { expect, test } from 'vitest'
import { rowLabels } from './names.ts'

const row = (method: string, ...varied: (readonly [option: string, text: string])[]) => ({
  method,
  variant: varied.map((one) => one.join('=')).join(', '),
  ...(varied.length > 0 && { varied: varied.map(([option, text]) => ({ option, text })) }),
})

test('labels rows of one method by their varied options', () => {
  expect(rowLabels([row('bm25'), row('gem-rag', ['components', '3'], ['questions', '5'])])).toEqual([
    ...['bm25', 'components 3, questions 5'],
  ])
})

test('labels rows of several varied methods with the method, and older rows as in tables', () => {
  expect(
    rowLabels([row('a', ['chunks.size', '50']), row('b', ['chunks.size', '50']), { method: 'c', variant: 'k=1' }]),
  ).toEqual(['a, chunks.size 50', 'b, chunks.size 50', 'c (k=1)'])
})
