import { printNotice } from './terminal/print.ts'

/** The exit codes. */
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

/** The message after Ctrl-C. */
export const interruptedLine = 'Interrupted. Finished work is kept: the same command resumes.'

/** A signal aborted by the first Ctrl-C; the second one ends the process. */
export function interruptible(): AbortSignal {
  listening ??= listen()
  return listening.signal
}

/** Restores the default handling of signals. */
export function stopListening(): void {
  listening?.stop()
  listening = undefined
}

let listening: { readonly signal: AbortSignal; readonly stop: () => void } | undefined

function listen(): NonNullable<typeof listening> {
  const controller = new AbortController()
  const abort = (): void => {
    if (controller.signal.aborted) {
      // show the cursor and wrap lines, which progress bars stop
      if (process.stderr.isTTY) process.stderr.write('\u001B[?25h\u001B[?7h\n')
      process.exit(exitCodes.interrupted)
    }
    printNotice('Stopping: finished work is kept. Press Ctrl-C again to end at once.')
    controller.abort()
  }
  process.on('SIGINT', abort).on('SIGTERM', abort)
  return { signal: controller.signal, stop: () => void process.off('SIGINT', abort).off('SIGTERM', abort) }
}
