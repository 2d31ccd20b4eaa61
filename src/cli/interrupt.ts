import { printNotice } from './print.ts'

/** A signal that the first Ctrl-C raises; the second ends the process at once. */
export function interruptible(): AbortSignal {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130)
    printNotice('stopping: calls in progress are cancelled, finished work is kept; press Ctrl-C again to end at once')
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return controller.signal
}
