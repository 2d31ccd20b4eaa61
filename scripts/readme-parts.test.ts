import { expect, test } from 'vitest'
import { readmeParts, referencePage } from './readme-parts.ts'

test('the README has the example as its file has it, and every name', () => {
  const readme = readmeParts('<!-- example --><!-- /example -->\n<!-- names --><!-- /names -->', 'const a = 1\n')
  expect(readme).toContain('```js\nconst a = 1\n```')
  expect(readme).toMatch(/^Methods: `closed-book`, .*`command`\.$/m)
})

test('where source and licence are the same words, the reference says them once', () => {
  const page = referencePage([])
  expect(page).toMatch(/\| own data +\|/)
  expect(page).not.toContain('own data; own data')
})
