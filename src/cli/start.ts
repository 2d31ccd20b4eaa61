import { Console } from 'node:console'
import { tuneEngine } from '../basics/processes.ts'
import { countErrors, listenForErrors, reportError } from '../run/calls/call-plug-in.ts'
import { placeOf } from '../run/calls/error-place.ts'
import { plainError } from '../run/calls/plain-error.ts'
import { exitCodes } from './ending.ts'
import { fail, main } from './main.ts'
import { printNotice } from './terminal/print.ts'

/** Runs the command and ends the process, even if a plug-in left handles open. */
export async function start(version: string): Promise<void> {
  tuneEngine()
  // prints of plug-ins go to standard error
  globalThis.console = new Console(process.stderr)
  listenForErrors(printNotice)
  process.on('uncaughtException', (error: unknown) => {
    if (placeOf(error) === undefined) process.exit(fail(error))
    reportError(`failed outside every call: ${plainError(error, 'it').message}; no row is changed`)
  })
  const code = await main(process.argv.slice(2), version)
  process.exitCode = code === exitCodes.done && countErrors() > 0 ? exitCodes.incomplete : code
  // exit after standard output is flushed
  process.stdout.write('', () => process.exit())
}
