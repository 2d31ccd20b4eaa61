import { expect, test } from 'vitest'
import { readmeParts, referencePage } from './readme-parts.ts'

test('the README has the example as its file has it, the table of a published result, and every name', () => {
  const empty = ['example', 'table', 'names'].map((name) => `<!-- ${name} --><!-- /${name} -->`).join('\n')
  const columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const page = ['# x', '', `| ${columns.join(' | ')} |`, '', '| other |'].join('\n')
  const readme = readmeParts(empty, 'const a = 1\n', page)
  expect(readme).toContain('\n| a | b | c | d | e | f |\n')
  expect(readme).not.toContain('other')
  expect(readme).toContain('```js\nconst a = 1\n```')
  expect(readme).toMatch(/^Methods: `closed-book`, .*`vector`\.$/m)
})

test('where source and licence are the same words, the reference says them once', async () => {
  const page = await referencePage([])
  expect(page).toMatch(/\| own data +\|/)
  expect(page).not.toContain('own data; own data')
})
