import { expect, test } from 'vitest'
import { mulberry32 } from '../random.ts'
import { product, productTransposed, transposed } from './matrix-product.ts'

const random = mulberry32(3)
const numbers = (length: number) => Float64Array.from({ length }, () => random() - 0.5)

test.each([
  [1, 1, 1],
  [4, 3, 8],
  [7, 5, 6],
  [5, 1, 9],
  [130, 384, 30],
  [3, 2000, 2],
  [0, 3, 2],
  [2, 0, 3],
  [2, 3, 0],
])('%d x %d times %d columns', (rows, inner, columns) => {
  const [a, b] = [numbers(rows * inner), numbers(inner * columns)]
  const expected = Float64Array.from({ length: rows * columns }, (_, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns]
    let sum = 0
    for (let k = 0; k < inner; k++) sum += a[row * inner + k]! * b[k * columns + column]!
    return sum
  })
  // sums are taken in the same order
  expect(product(a, b, rows, inner, columns)).toEqual(expected)
  expect(productTransposed(a, transposed(b, inner, columns), rows, inner, columns)).toEqual(expected)
})
