import { stopListening, exitCodes, interruptedLine } from './ending.ts'
import { parse } from './program.ts'
import { CommanderError } from 'commander'
import pc from 'picocolors'
import { messageOf, ModelError, PlugInError, SpendingLimitError, UserError, type LimitedAmount } from '../errors.ts'
import { plural } from '../text/amounts.ts'
import { plain } from '../text/characters.ts'
import { printNotice } from './terminal/print.ts'

/** Runs one command line in this process. Returns the exit code that it means. */
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

/** The exit code that the command has set, if any. */
const exitCodeSet = (): number => Number(process.exitCode ?? exitCodes.done)

/** Says what went wrong and returns the exit code that it means. */
export function fail(error: unknown): number {
  // commander has said it already
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (error instanceof UserError) {
    for (const line of error.message.split('\n')) printNotice(`${pc.red('error')} ${plain(line)}`)
    return exitCodes.usage
  }
  if (error instanceof Error && error.name === 'AbortError') {
    printNotice(interruptedLine)
    return exitCodes.interrupted
  }
  if (error instanceof SpendingLimitError) {
    printNotice(stoppedBy(error))
    return exitCodes.limited
  }
  if (error instanceof ModelError) {
    printNotice(
      `${pc.red('failed')} ${plain(messageOf(error))}${error.raw === undefined ? '' : `\n${plain(error.raw)}`}`,
    )
    return exitCodes.incomplete
  }
  // or a file or folder that cannot be read or written: the message names it
  if (error instanceof PlugInError || (error instanceof Error && 'syscall' in error)) {
    printNotice(`${pc.red('error')} ${plain(messageOf(error))}`)
    return exitCodes.usage
  }
  printNotice(`${pc.red('unexpected')} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return exitCodes.unexpected
}

/** That a limit was reached, what was spent, and how to go on. */
function stoppedBy({ amount, limit, next, spent: total }: SpendingLimitError): string {
  const spent = total()
  const money = amount === 'usd' ? `, ${shownAmount('usd', spent.usd)}` : ''
  const need = amount === 'calls' ? 'would exceed' : `may need ${shownAmount(amount, next)}, which would exceed`
  const beyond = `the next call ${need} --budget-${amount} ${limit}`
  return spent.calls === 0
    ? `stopped before the first call: ${beyond}; give a larger limit`
    : `stopped: ${beyond}; spent ${shownAmount('calls', spent.calls)}, ${shownAmount('tokens', spent.tokens)}${money}; finished work is kept; run the same command again to continue`
}

const shownAmount = (amount: LimitedAmount, value: number): string =>
  amount === 'usd' ? `$${value.toPrecision(4)}` : plural(value, amount.slice(0, -1))
