import { runningNames } from '../basics/processes.ts'
import { isSupervised } from '../run/calls/supervision.ts'
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

/** A signal that the first Ctrl-C raises; the second ends the process, or its supervisor does. */
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
    if (controller.signal.aborted && isSupervised) return
    if (controller.signal.aborted) process.exit(exitCodes.interrupted)
    printNotice('stopping: finished work is kept; press Ctrl-C again to end at once')
    controller.abort()
  }
  const ignored = Object.fromEntries(notOurs.map((signal) => [signal, onlySaid(controller.signal)]))
  const handlers: Readonly<Record<string, (signal: string) => void>> = isSupervised
    ? ignored
    : { SIGINT: abort, SIGTERM: abort }
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
  if (isSupervised) {
    process.on('message', abort)
    // this process ends when its work is done, and with its supervisor
    process.channel?.unref()
    process.on('disconnect', () => process.exit(exitCodes.interrupted))
  }
  const stop = (): void => Object.entries(handlers).forEach(([signal, handler]) => void process.off(signal, handler))
  return { signal: controller.signal, stop }
}

/** Signals that a supervised process is not meant to get: its supervisor passes on those for the command. */
const notOurs = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const

/** Says once that another process has sent a signal. One of a terminal comes to the supervisor as well. */
function onlySaid(ending: AbortSignal): (signal: string) => void {
  let isSaid = false
  return (signal) => {
    const names = runningNames()
    const say = (): void => {
      if (ending.aborted || isSaid) return
      isSaid = true
      const who = names.length === 0 ? '' : `; ${names.join(', ')} ran then and may have sent it`
      printNotice(
        `note: another process sent ${signal} to this one, which goes on${who}; to end it, press Ctrl-C or end process ${process.ppid}`,
      )
    }
    setTimeout(say, 500).unref()
  }
}
