#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { fail } from './cli/fail.ts'
import { readDotEnv } from './cli/read-dot-env.ts'
import { program } from './cli/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

// whoever reads may have read enough: `gembench ls methods | head`
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

try {
  readDotEnv(process.cwd(), process.env)
  await program(version).parseAsync()
} catch (error) {
  process.exitCode = fail(error)
}
