/** Writes what is made from the sources. With --check: says what is stale and exits 1. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { format } from 'prettier'
import { itemFolders, registryText } from './registry.ts'

const root = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))
const check = process.argv.includes('--check')
const stale: string[] = []

async function produce(name: string, text: string, parser: 'json' | 'markdown' | 'typescript'): Promise<void> {
  const prettyText = await format(text, { semi: false, singleQuote: true, printWidth: 120, parser })
  const before = await readFile(root(name), 'utf8').catch(() => '')
  if (before === prettyText) return
  if (check) stale.push(name)
  else await writeFile(root(name), prettyText)
}

for (const folder of itemFolders)
  await produce(`${folder}/registry.generated.ts`, await registryText(root(folder)), 'typescript')
// the rest loads every item: as the registries say now, and not where they are stale
if (stale.length === 0) await produceDocuments()

if (stale.length > 0) {
  process.stderr.write(`stale: ${stale.join(', ')}; run npm run generate\n`)
  process.exitCode = 1
}

async function produceDocuments(): Promise<void> {
  const { configJsonSchema } = await import('../src/config/index.ts')
  const { registries: menus } = await import('../src/run/plug-ins/registries.ts')
  const { economy } = await import('./economy.ts')
  const { datasetsReadmeParts, readmeParts } = await import('./readme-parts.ts')
  const { referencePages } = await import('./reference.ts')
  const read = (name: string): Promise<string> => readFile(root(name), 'utf8')
  await produce('configs/schema.json', JSON.stringify(await configJsonSchema(menus)), 'json')
  const example = await read('examples/shared-words.js')
  await produce('README.md', readmeParts(await read('README.md'), example), 'markdown')
  for (const [name, page] of await referencePages(await economy()))
    await produce(`configs/reference/${name}.md`, page, 'markdown')
  await produce('datasets/README.md', datasetsReadmeParts(await read('datasets/README.md')), 'markdown')
}
