import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { registryText } from './registry.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gembench-registry-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const zod = JSON.stringify(import.meta.resolve('zod'))

/** Writes a file that exports a plug-in of that name as `variable`. */
function writeItem(file: string, variable: string, fields: object): void {
  mkdirSync(join(folder, file, '..'), { recursive: true })
  const item = JSON.stringify({ summary: 's', ...fields })
  const text = `import { z } from ${zod}\nexport const ${variable} = { ...${item}, options: z.strictObject({}) }\n`
  writeFileSync(join(folder, file), text)
}

test('items are files, or folders with a file of their name: reference methods first, then by name', async () => {
  writeItem('vector.ts', 'vector', { name: 'vector' })
  writeItem('gem-rag/gem-rag.ts', 'gemRag', { name: 'gem-rag' })
  writeItem('oracle.ts', 'oracle', { name: 'oracle', context: 'unlimited' })
  writeFileSync(join(folder, '2wiki.ts'), "export { twoWiki } from './sets.ts'\n")
  writeItem('sets.ts', 'twoWiki', { name: '2wiki' })
  expect((await registryText(folder)).split('\n').slice(1)).toEqual([
    'export const items = {',
    "'oracle': () => import('./oracle.ts').then(({ oracle }) => oracle),",
    "'2wiki': () => import('./2wiki.ts').then(({ twoWiki }) => twoWiki),",
    "'gem-rag': () => import('./gem-rag/gem-rag.ts').then(({ gemRag }) => gemRag),",
    "'vector': () => import('./vector.ts').then(({ vector }) => vector),",
    '}',
  ])
})

test('tests, parts, shared files and the registry itself are no items', async () => {
  writeItem('bm25.ts', 'bm25', { name: 'bm25' })
  for (const file of ['bm25.test.ts', 'index.ts', 'registry.generated.ts', 'shared/attempt.ts', 'README.md'])
    writeItem(file, 'other', { name: 'other' })
  writeFileSync(join(folder, 'part.ts'), 'export const limit = 3\nexport function download() {}\n')
  expect(await registryText(folder)).toMatch(/items = \{\n'bm25': [^\n]*\n\}$/)
})

test('an item whose name is not that of its file is reported with the file that it needs', async () => {
  writeItem('my-method.ts', 'myMethod', { name: 'mymethod' })
  await expect(registryText(folder)).rejects.toThrow(/my-method\.ts: exports "mymethod"; name the file mymethod\.ts/)
})
