import { expect, test } from 'vitest'
import { findDataset, datasets } from './index.ts'

test('finds a dataset by its name', async () => {
  for (const name of datasets.names) expect((await findDataset(name)).name).toBe(name)
})

test('suggests the nearest name for an unknown one', async () => {
  await expect(findDataset('qualty')).rejects.toThrow('unknown dataset "qualty"; did you mean "quality"?')
})

test('every option has a description and a default', async () => {
  for (const dataset of await datasets.all()) {
    expect(dataset.options.safeParse({}).success).toBe(true)
    const shape: object = 'shape' in dataset.options ? (dataset.options.shape as object) : {}
    for (const [name, option] of Object.entries(shape) as [string, { description?: string }][])
      expect(option.description, `${dataset.name}.${name}`).toMatch(/\w/)
  }
})
