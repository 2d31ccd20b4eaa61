import { expect, test } from 'vitest'
import { componentOf } from './communities.ts'

test('finds the largest of 150,000 components', () => {
  const rows = Array.from({ length: 150_000 }, (_, id) => ({ source: `A${id}`, target: `B${id}`, weight: 1 }))
  const component = componentOf([...rows, { source: 'A7', target: 'C', weight: 1 }])
  expect(component.names).toEqual(['A7', 'B7', 'C'])
})
