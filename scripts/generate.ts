/** Writes what is made from the sources. With --check: says what is stale and exits 1. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { format } from 'prettier'
import { configJsonSchema } from '../src/config/index.ts'
import { menus } from '../src/run/plug-ins/menus.ts'
import { economy } from './economy.ts'
import { datasetsReadmeParts, readmeParts, referencePage } from './readme-parts.ts'

const root = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))
const check = process.argv.includes('--check')
const stale: string[] = []

async function produce(name: string, text: string): Promise<void> {
  const before = await readFile(root(name), 'utf8').catch(() => '')
  if (before === text) return
  if (check) stale.push(name)
  else await writeFile(root(name), text)
}

const style = { semi: false, singleQuote: true, printWidth: 120 }
await produce(
  'configs/schema.json',
  await format(JSON.stringify(await configJsonSchema(menus)), { ...style, parser: 'json' }),
)
const readme = await readFile(root('README.md'), 'utf8')
const example = await readFile(root('examples/own-method.js'), 'utf8')
const published = await readFile(root('results/published/hipporag2-musique/table.md'), 'utf8')
await produce('README.md', await format(readmeParts(readme, example, published), { ...style, parser: 'markdown' }))
await produce(
  'configs/REFERENCE.md',
  await format(await referencePage(await economy()), { ...style, parser: 'markdown' }),
)
const datasetsReadme = await readFile(root('datasets/README.md'), 'utf8')
await produce('datasets/README.md', await format(datasetsReadmeParts(datasetsReadme), { ...style, parser: 'markdown' }))

if (stale.length > 0) {
  process.stderr.write(`stale: ${stale.join(', ')}; run npm run generate\n`)
  process.exitCode = 1
}
