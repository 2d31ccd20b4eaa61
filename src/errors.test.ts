import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutBytes } from './errors.ts'

test.each([
  ['short', 10, 'short'],
  ['exactly ten', 11, 'exactly ten'],
  ['exactly ten', 10, 'exactly…'],
  ['ééééé', 10, 'ééééé'],
  ['éééééé', 10, 'ééé…'],
  ['a😀😀', 8, 'a😀…'],
])('%j in %i bytes is %j', (text, bytes, cut) => {
  expect(cutBytes(text, bytes)).toBe(cut)
})

test('whatever the text, it is the text or a beginning of it that fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 4, max: 40 }), (text, bytes) => {
      const cut = cutBytes(text, bytes)
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(Math.max(bytes, Buffer.byteLength(cut === text ? text : '')))
      if (Buffer.byteLength(text) <= bytes) expect(cut).toBe(text)
      else expect(cut.endsWith('…') && text.startsWith(cut.slice(0, -1))).toBe(true)
    }),
  )
})
