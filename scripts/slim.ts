/** Deletes source maps and onnxruntime for other systems from node_modules; `npm ci` brings them back. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../node_modules', import.meta.url))
const system = join(process.platform, process.arch)

for (const version of entries(join(packages, 'onnxruntime-node/bin'))) {
  if (!existsSync(join(version, system))) throw new Error(`onnxruntime-node has no part for ${system}`)
  for (const part of entries(version).flatMap(entries)) if (!part.endsWith(system)) rmSync(part, { recursive: true })
}
const maps = readdirSync(packages, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.map'))
for (const map of maps) rmSync(join(packages, map))
process.stdout.write(`only the part of onnxruntime-node for ${system} is left, and no source map (${maps.length})\n`)

/** The paths of what is in a folder; none where there is none. */
function entries(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}
