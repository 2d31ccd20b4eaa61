#!/usr/bin/env node
import { readFileSync } from 'node:fs'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

// whoever reads may have read enough (`gembench ls methods | head`): the command goes on, and ends with its own exit
// code
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

const args = process.argv.slice(2)
// nothing else is loaded for it
if (args.length === 1 && args[0] === '--version') process.stdout.write(`${version}\n`)
else await (await import('./cli/main.ts')).start(version)
