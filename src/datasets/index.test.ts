import { expect, test } from 'vitest'
import { datasets } from './index.ts'

test('every option has a description and a default', async () => {
  for (const dataset of await datasets.all()) {
    expect(dataset.options.safeParse({}).success).toBe(true)
    const shape: object = 'shape' in dataset.options ? (dataset.options.shape as object) : {}
    for (const [name, option] of Object.entries(shape) as [string, { description?: string }][])
      expect(option.description, `${dataset.name}.${name}`).toMatch(/\w/)
  }
})
