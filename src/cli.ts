#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keepHeapSmall } from './basics/keep-heap-small.ts'
import { isToSupervise, supervise } from './cli/supervise.ts'
import { countStrays, hearStrays } from './run/strangers/strays.ts'
import { haveStrangersRun } from './run/strangers/supervision.ts'
import { exitCodes } from './cli/exit-codes.ts'
import { printNotice } from './cli/print.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

// whoever reads may have read enough (`gembench ls methods | head`): the command goes on, and ends with its own exit code
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

if (isToSupervise(process.argv.slice(2))) process.exitCode = await supervise(fileURLToPath(import.meta.url))
else await command()

async function command(): Promise<void> {
  keepHeapSmall()
  const { program } = await import('./cli/program.ts')
  hearStrays(printNotice)
  try {
    const { readDotEnv } = await import('./cli/read-dot-env.ts')
    // before the arguments are read, because a variable may stand for an option; --help and --version need none
    let fault: Error | undefined
    try {
      readDotEnv(process.cwd(), process.env)
    } catch (error) {
      fault = error as Error
    }
    const refuse = (): void => {
      if (fault) throw fault
    }
    await program(version).hook('preAction', refuse).parseAsync()
  } catch (error) {
    const { fail } = await import('./cli/fail.ts')
    process.exitCode = fail(error)
  }
  if (!haveStrangersRun()) return
  // a stranger's timers or connections would hold the process
  process.stdout.write('', () =>
    process.exit(process.exitCode || (countStrays() > 0 ? exitCodes.incomplete : exitCodes.done)),
  )
}
