import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenizer, tokenizerNames } from '../../text/tokens.ts'
import { countedByLines } from './counted.ts'

const pieces = [
  'id,title',
  '12',
  ',"a ""b""',
  '\n',
  '\n\n',
  '\r\n',
  ' ',
  '\t',
  '-----',
  '/',
  '灯',
  "'s",
  '.',
  'é',
  '9.0',
]

test.each(tokenizerNames)('lines by themselves have as many tokens as all together (%s)', (name) => {
  const count = (text: string) => tokenizer(name).count(text)
  const counted = countedByLines(count)
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (some) => {
      expect(counted(some.join(''))).toBe(count(some.join('')))
    }),
    { numRuns: 2000, seed: 1 },
  )
})

test('a line is counted once, in however many texts it stands', () => {
  const asked: string[] = []
  const counted = countedByLines((text) => {
    asked.push(text)
    return text.length
  })
  expect([counted('1,a\n2,b\n'), counted('1,a\n2,b\n3,c\n')]).toEqual([8, 12])
  expect(asked).toEqual(['1,a\n', '2,b\n', '3,c\n'])
})
