import { CommanderError } from 'commander'
import pc from 'picocolors'
import { messageOf, ModelError, UserError } from '../errors.ts'
import { complain } from './print.ts'

/** What a process may end with. */
export const exitCodes = { done: 0, unexpected: 1, usage: 2, incomplete: 3, interrupted: 130 } as const

/** Says what went wrong and returns the exit code that it means. */
export function fail(error: unknown): number {
  // commander has said it already
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (error instanceof UserError) {
    for (const line of error.message.split('\n')) complain(`${pc.red('error')} ${line}`)
    return exitCodes.usage
  }
  if (error instanceof Error && error.name === 'AbortError') {
    complain('interrupted: what is finished is kept; the same command goes on from here')
    return exitCodes.interrupted
  }
  if (error instanceof ModelError) {
    complain(`${pc.red('failed')} ${messageOf(error)}${error.raw === undefined ? '' : `\n${error.raw}`}`)
    return exitCodes.incomplete
  }
  complain(`${pc.red('unexpected')} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return exitCodes.unexpected
}
