/** Deletes the parts of onnxruntime-node for other systems than this one from node_modules; `npm ci` brings them back. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { platform, arch } = process
const binaries = join(dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json')), 'bin')

for (const version of readdirSync(binaries)) {
  const folder = join(binaries, version)
  if (!existsSync(join(folder, platform, arch))) throw new Error(`onnxruntime-node has no part for ${platform} ${arch}`)
  for (const system of readdirSync(folder))
    for (const processor of readdirSync(join(folder, system)))
      if (system !== platform || processor !== arch)
        rmSync(join(folder, system, processor), { recursive: true, force: true })
}
process.stdout.write(`onnxruntime-node: only the part for ${platform} ${arch} is left\n`)
