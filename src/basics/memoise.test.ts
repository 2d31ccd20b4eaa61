import { expect, test } from 'vitest'
import { remembered } from './memoise.ts'

function counted(most: number) {
  const made: string[] = []
  const of = remembered(most, (text) => {
    made.push(text)
    return text.toUpperCase()
  })
  return { made, of }
}

test('a text that was asked lately is not made again', () => {
  const { made, of } = counted(4)
  expect(['a', 'b', 'a', 'b', 'a'].map(of)).toEqual(['A', 'B', 'A', 'B', 'A'])
  expect(made).toEqual(['a', 'b'])
})

test('of two, each is kept while they are asked in turns', () => {
  const { made, of } = counted(2)
  for (let round = 0; round < 5; round++) ['x', 'y'].forEach(of)
  expect(made).toEqual(['x', 'y'])
})

test('never more than so many are kept, and what is asked all the time stays', () => {
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

test('a function that gives nothing is asked once, too', () => {
  let asked = 0
  const of = remembered(4, () => {
    asked++
  })
  of('a')
  of('a')
  expect(asked).toBe(1)
})
