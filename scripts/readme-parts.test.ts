import { expect, test } from 'vitest'
import { readmeParts } from './readme-parts.ts'

test('where source and licence are the same words, the README says them once', () => {
  const empty = ['methods', 'datasets', 'names'].map((name) => `<!-- ${name} --><!-- /${name} -->`)
  const readme = readmeParts(empty.join('\n'), [])
  expect(readme).toMatch(/\| own data +\|/)
  expect(readme).not.toContain('own data; own data')
})
