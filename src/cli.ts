#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isToSupervise, supervise } from './cli/supervise.ts'
import { haveStrangersRun } from './run/strangers/supervision.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

// whoever reads may have read enough: `gembench ls methods | head`
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

if (isToSupervise(process.argv.slice(2))) process.exitCode = await supervise(fileURLToPath(import.meta.url))
else await command()

async function command(): Promise<void> {
  const { program } = await import('./cli/program.ts')
  try {
    const { readDotEnv } = await import('./cli/read-dot-env.ts')
    readDotEnv(process.cwd(), process.env)
    await program(version).parseAsync()
  } catch (error) {
    const { fail } = await import('./cli/fail.ts')
    process.exitCode = fail(error)
  }
  // a stranger's timers or connections would hold the process
  if (haveStrangersRun()) process.stdout.write('', () => process.exit())
}
