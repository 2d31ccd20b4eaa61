import { printNotice } from './terminal/print.ts'

/** What a process may end with. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  incomplete: 3,
  worse: 4,
  limited: 5,
  undecided: 6,
  interrupted: 130,
} as const

/** What is said where Ctrl-C has ended a command. */
export const interruptedLine = 'interrupted: finished work is kept; run the same command again to continue'

/** A signal that the first Ctrl-C raises; the second ends the process. */
export function interruptible(): AbortSignal {
  listening ??= listen()
  return listening.signal
}

/** What follows can be ended by a signal as any other process. */
export function stopListening(): void {
  listening?.stop()
  listening = undefined
}

let listening: { readonly signal: AbortSignal; readonly stop: () => void } | undefined

function listen(): NonNullable<typeof listening> {
  const controller = new AbortController()
  const abort = (): void => {
    if (controller.signal.aborted) {
      // progress bars hide it
      if (process.stderr.isTTY) process.stderr.write('\u001B[?25h\n')
      process.exit(exitCodes.interrupted)
    }
    printNotice('stopping: finished work is kept; press Ctrl-C again to end at once')
    controller.abort()
  }
  process.on('SIGINT', abort).on('SIGTERM', abort)
  return { signal: controller.signal, stop: () => void process.off('SIGINT', abort).off('SIGTERM', abort) }
}
