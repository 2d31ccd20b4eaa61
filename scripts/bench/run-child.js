// Runs one config from the sources and prints how long it took after start-up and how much memory at most.
import { join, resolve } from 'node:path'
import { tuneEngine } from '../../src/basics/tune-engine.ts'
import { readConfig } from '../../src/config/index.ts'
import { peakMemory } from './peak-memory.js'
import { menus, run } from '../../src/run/index.ts'

tuneEngine()
const folder = resolve(process.argv[2] ?? '.')
const plan = await readConfig(['config.yaml'], { cwd: folder, environment: {} }, menus)
const settings = {
  results: join(folder, 'results'),
  cacheFolder: join(folder, 'cache'),
  cache: false,
  signal: new AbortController().signal,
}
const started = performance.now()
await run(plan, settings)
const seconds = (performance.now() - started) / 1000
process.stdout.write(JSON.stringify({ seconds, megabytes: peakMemory() / 2 ** 20 }))
process.exit(0)
