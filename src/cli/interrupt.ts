import { isSupervised } from '../run/strangers/supervision.ts'
import { printNotice } from './terminal/print.ts'

/**
 * A signal that the first Ctrl-C raises; the second ends the process at once. Of a supervised process the supervisor does the latter, and
 * ends it too where it has not ended a second after the first.
 */
export function interruptible(): AbortSignal {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted && isSupervised) return
    if (controller.signal.aborted) process.exit(130)
    printNotice('stopping: calls in progress are cancelled, finished work is kept; press Ctrl-C again to end at once')
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  if (isSupervised) {
    process.on('message', stop)
    // this process ends when its work is done, and with its supervisor
    process.channel?.unref()
    process.on('disconnect', () => process.exit(130))
  }
  return controller.signal
}
