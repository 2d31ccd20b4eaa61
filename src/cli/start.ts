import { fileURLToPath } from 'node:url'
import { tuneEngine } from '../basics/tune-engine.ts'
import { countStrays, hearStrays } from '../run/strangers/strays.ts'
import { haveStrangersRun } from '../run/strangers/supervision.ts'
import { exitCodes } from './exit-codes.ts'
import { printNotice } from './terminal/print.ts'
import { isToSupervise, supervise } from './supervise.ts'

/** Runs the command of this process, or a process that runs it and watches over it; `file` is the program. Sets the exit code. */
export async function start(version: string, file: URL): Promise<void> {
  if (isToSupervise(process.argv.slice(2))) process.exitCode = await supervise(fileURLToPath(file))
  else await command(version)
}

async function command(version: string): Promise<void> {
  tuneEngine()
  const { program } = await import('./program.ts')
  hearStrays(printNotice)
  try {
    const { readDotEnv } = await import('./read-dot-env.ts')
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
    const { fail } = await import('./fail.ts')
    process.exitCode = fail(error)
  }
  if (!haveStrangersRun()) return
  // a stranger's timers or connections would hold the process
  process.stdout.write('', () =>
    process.exit(process.exitCode || (countStrays() > 0 ? exitCodes.incomplete : exitCodes.done)),
  )
}
