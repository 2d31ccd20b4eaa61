import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
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

test.each([
  'README.md',
  'configs/README.md',
  'configs/PLUG-INS.md',
  'results/README.md',
  'results/STATISTICS.md',
  'results/FINDINGS.md',
  'datasets/README.md',
])('every link of %s leads to a file of the package', (page) => {
  const root = join(import.meta.dirname, '..')
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: readonly string[] }
  const patterns = files.map((name) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}(?:/|$)`))
  const isShipped = (file: string): boolean => file === 'README.md' || patterns.some((pattern) => pattern.test(file))
  const links = Array.from(
    readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g),
    ([, to = '']) => normalize(join(dirname(page), to)),
  )
  expect(links.filter((file) => !existsSync(join(root, file)) || !isShipped(file))).toEqual([])
})
