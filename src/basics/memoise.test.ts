import { expect, test } from 'vitest'
import { memoiseRecent } from './memoise.ts'

function counted(most: number) {
  const made: string[] = []
  const of = memoiseRecent(most, (text) => {
    made.push(text)
    return text.toUpperCase()
  })
  return { made, of }
}

test('does not recompute a recent text', () => {
  const { made, of } = counted(4)
  expect(['a', 'b', 'a', 'b', 'a'].map(of)).toEqual(['A', 'B', 'A', 'B', 'A'])
  expect(made).toEqual(['a', 'b'])
})

test('keeps at most the limit, and always the most used text', () => {
  const { made, of } = counted(10)
  for (let n = 0; n < 100; n++) {
    of(`text ${n}`)
    of('always')
  }
  expect(made.filter((text) => text === 'always')).toHaveLength(1)
  // the last ten at most are known still
  made.length = 0
  for (let n = 99; n >= 80; n--) of(`text ${n}`)
  expect(made).toContain('text 89')
  expect(made).not.toContain('text 99')
})
