import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellOf, valuesOfCell } from './cell-values.ts'

const signs = ['a', '1', ' ', '|', '(', ')', '[', ']', "'", '"', ',', '\\', '\n', 'é', '#', 'N/A']
const texts = fc.string({ unit: fc.constantFrom(...signs), minLength: 1 }).map((text) => text.trim())

test('writing and reading a cell returns the same value', () => {
  fc.assert(
    fc.property(texts, fc.constantFrom('answer', 'options', 'evidence', 'tags'), (text, field) => {
      fc.pre(text !== '')
      expect(valuesOfCell(cellOf(text, field), field, 'q.csv:2')).toEqual([text])
    }),
    { numRuns: 500 },
  )
})

test('reads any list of texts that JSON writes', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (values) => {
      expect(valuesOfCell(JSON.stringify(values), 'answer', 'q.csv:2')).toEqual(values)
    }),
  )
})
