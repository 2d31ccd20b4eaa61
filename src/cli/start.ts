import { fileURLToPath } from 'node:url'
import { tuneEngine } from '../basics/tune-engine.ts'
import { countStrays, hearStrays } from '../run/strangers/strays.ts'
import { haveStrangersRun } from '../run/strangers/supervision.ts'
import { exitCodes } from './exit-codes.ts'
import { isToSupervise, supervise } from './supervise.ts'
import { printNotice } from './terminal/print.ts'

/** Runs the command of this process, or a process that runs it and watches over it; `file` is the program. Sets the exit code. */
export async function start(version: string, file: URL): Promise<void> {
  const args = process.argv.slice(2)
  if (isToSupervise(args)) {
    process.exitCode = await supervise(fileURLToPath(file))
    return
  }
  tuneEngine()
  hearStrays(printNotice)
  const { main } = await import('./main.ts')
  const code = await main(args, version)
  process.exitCode = code
  if (!haveStrangersRun()) return
  // timers or connections of a plug-in would hold the process
  process.stdout.write('', () =>
    process.exit(code === exitCodes.done && countStrays() > 0 ? exitCodes.incomplete : code),
  )
}
