// Runs one config from the compiled package and prints how long it took after start-up and how much memory at most, in
// megabytes.
import { join, resolve } from 'node:path'
import { run } from '../../dist/index.js'

const folder = resolve(process.argv[2] ?? '.')
const settings = { cwd: folder, results: join(folder, 'results'), cacheFolder: join(folder, 'cache'), cache: false }
const started = performance.now()
await run('config.yaml', settings)
const seconds = (performance.now() - started) / 1000
process.stdout.write(JSON.stringify({ seconds, megabytes: process.resourceUsage().maxRSS / 1024 }))
process.exit(0)
