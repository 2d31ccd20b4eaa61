import { expect, test } from 'vitest'
import { datasetNamed, datasets } from './index.ts'

test('names are unique and lead to their dataset', () => {
  const names = datasets.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const dataset of datasets) expect(datasetNamed(dataset.name)).toBe(dataset)
})

test('an unknown name suggests the nearest', () => {
  expect(() => datasetNamed('qualty')).toThrow('unknown dataset "qualty"; did you mean "quality"?')
})

test('every option explains itself and has a default', () => {
  for (const dataset of datasets) {
    expect(dataset.options.safeParse({}).success).toBe(true)
    const shape: object = 'shape' in dataset.options ? (dataset.options.shape as object) : {}
    for (const [name, option] of Object.entries(shape) as [string, { description?: string }][])
      expect(option.description, `${dataset.name}.${name}`).toMatch(/\w/)
  }
})
