import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rowOf, rowsToMatrix } from './toolkit.ts'

test('a row of a matrix is the vector that was put there; there is none beyond the last', () => {
  const matrix = rowsToMatrix([Float32Array.of(1, 2), Float32Array.of(3, 4)])
  expect([...rowOf(matrix, 1)]).toEqual([3, 4])
  for (const row of [-1, 2, 0.5]) expect(() => rowOf(matrix, row)).toThrow(`a matrix of 2 rows has no row ${row}`)
})

test.each(['index', 'toolkit', 'testing/index'])('%s: what is built exports what the source exports', async (name) => {
  const namesOf = async (file: string): Promise<readonly string[]> => Object.keys((await import(file)) as object).sort()
  const built = await namesOf(join(import.meta.dirname, '../dist', `${name}.js`))
  expect(built).toEqual(await namesOf(join(import.meta.dirname, `${name}.ts`)))
})
