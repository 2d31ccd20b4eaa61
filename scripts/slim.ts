/** Deletes the parts of onnxruntime-node for other systems from node_modules; `npm ci` brings them back. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

const { platform, arch } = process
const binaries = fileURLToPath(new URL('../node_modules/onnxruntime-node/bin', import.meta.url))

if (existsSync(binaries)) process.stdout.write(`onnxruntime-node: only the part for ${slim()} is left\n`)
else process.stdout.write('onnxruntime-node is not installed: there is nothing to delete\n')

/** Gives the name of what stays. Throws, and deletes nothing, where there is no part for this system. */
function slim(): string {
  const versions = readdirSync(binaries).map((version) => join(binaries, version))
  for (const folder of versions)
    if (!existsSync(join(folder, platform, arch)))
      throw new Error(`onnxruntime-node has no part for ${platform} ${arch}`)
  for (const folder of versions)
    for (const system of readdirSync(folder))
      for (const processor of readdirSync(join(folder, system)))
        if (system !== platform || processor !== arch)
          rmSync(join(folder, system, processor), { recursive: true, force: true })
  return `${platform} ${arch}`
}
