import { complain } from './print.ts'

/** A signal that the first Ctrl-C raises; the second ends the process at once. */
export function interruptible(): AbortSignal {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130)
    complain('stopping: calls under way are given up, what is finished is kept (once more to end at once)')
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return controller.signal
}
