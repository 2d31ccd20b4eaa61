import { Console } from 'node:console'
import { tuneEngine } from '../basics/processes.ts'
import { countErrors, listenForErrors, reportError } from '../run/calls/call-plug-in.ts'
import { placeOf, plainError } from '../run/calls/plug-in-errors.ts'
import { stopListening, exitCodes, interruptedLine } from './ending.ts'
import { parse } from './program.ts'
import { CommanderError } from 'commander'
import pc from 'picocolors'
import { messageOf, ModelError, PlugInError, UsageLimitError, UserError, type LimitedAmount } from '../errors.ts'
import { plural } from '../text/amounts.ts'
import { plain } from '../text/characters.ts'
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

/** Runs one command line in this process; returns its exit code. */
export async function main(args: readonly string[], version: string): Promise<number> {
  process.exitCode = undefined
  try {
    await parse(version, args)
    return exitCodeSet()
  } catch (error) {
    return fail(error)
  } finally {
    stopListening()
  }
}

/** The exit code set by the command, if any. */
const exitCodeSet = (): number => Number(process.exitCode ?? exitCodes.done)

/** Prints the error and returns its exit code. */
export function fail(error: unknown): number {
  // commander has printed it
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (error instanceof UserError) {
    for (const line of error.message.split('\n')) printNotice(`${pc.red('error')} ${plain(line)}`)
    return exitCodes.usage
  }
  if (error instanceof Error && error.name === 'AbortError') {
    printNotice(interruptedLine)
    return exitCodes.interrupted
  }
  if (error instanceof UsageLimitError) {
    printNotice(stoppedBy(error))
    return exitCodes.limited
  }
  if (error instanceof ModelError) {
    const reply = error.raw === undefined ? '' : `\n${plain(error.raw)}`
    printNotice(`${pc.red('failed')} ${plain(messageOf(error))}${reply}`)
    return exitCodes.incomplete
  }
  // an error of the file system names the file
  if (error instanceof PlugInError || (error instanceof Error && 'syscall' in error)) {
    printNotice(`${pc.red('error')} ${plain(messageOf(error))}`)
    return exitCodes.usage
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  printNotice(`${pc.red('unexpected')} ${trace}`)
  return exitCodes.unexpected
}

/** The message of a reached limit: expenses so far, and how to continue. */
function stoppedBy({ amount, limit, next, usage: total }: UsageLimitError): string {
  const usage = total()
  const money = amount === 'usd' ? `, ${shownAmount('usd', usage.usd)}` : ''
  const estimate = `may need ${shownAmount(amount, next)}, which`
  const need = amount === 'calls' ? 'would exceed' : `${estimate} would exceed`
  const excess = `the next call ${need} --budget-${amount} ${limit}.`
  if (usage.calls === 0) return `Stopped before the first call: ${excess} Give a larger limit.`
  const usageText = `${shownAmount('calls', usage.calls)}, ${shownAmount('tokens', usage.tokens)}${money}`
  return `Stopped: ${excess} Used: ${usageText}. Finished work is kept: the same command resumes.`
}

const shownAmount = (amount: LimitedAmount, value: number): string =>
  amount === 'usd' ? `$${value.toPrecision(4)}` : plural(value, amount.slice(0, -1))
