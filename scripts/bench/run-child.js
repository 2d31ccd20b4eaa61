// Runs one config by the compiled command, and prints how long it took and how much memory at most, in megabytes.
import { resolve } from 'node:path'

process.chdir(resolve(process.argv[2] ?? '.'))
process.argv.splice(2, Infinity, 'run', '--config', 'config.yaml', '--no-cache', '--quiet')
process.stdout.write = () => true
process.on('exit', () => {
  const measured = { seconds: performance.now() / 1000, megabytes: process.resourceUsage().maxRSS / 1024 }
  process.stderr.write(JSON.stringify(measured))
})
await import('../../dist/cli.js')
