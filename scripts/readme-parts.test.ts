import { expect, test } from 'vitest'
import { readmeParts } from './readme-parts.ts'
import { referencePages } from './reference.ts'

test('puts the example into the README', () => {
  expect(readmeParts('<!-- example --><!-- /example -->', 'const a = 1\n')).toContain('```ts\nconst a = 1\n```')
})

test('writes a reference page for each kind, with a section for every item', async () => {
  const pages = await referencePages([])
  expect([...pages.keys()]).toEqual(['methods', 'datasets', 'scorers', 'models', 'commands'])
  const methods = pages.get('methods') ?? ''
  expect(methods).toMatch(/^\| \[`vector`\]\(#vector\) \|/m)
  expect(methods).toMatch(/^## gem-rag$/m)
  expect(methods).toMatch(/^\| `components` \| integer \| `2` \|/m)
})

test('where source and licence are the same words, the reference says them once', async () => {
  const datasets = (await referencePages([])).get('datasets') ?? ''
  expect(datasets).toContain('Source: own data.')
  expect(datasets).not.toContain('own data; own data')
})
