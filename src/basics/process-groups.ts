type Listener = (pid: number, lives: boolean) => void

/** Plug-ins cannot call `process.kill` on a group; this is the function as it was before. */
const kill = process.kill.bind(process)

const groups = new Set<number>()
let tell: Listener = () => undefined

/** From now on `listener` hears when a group of processes begins and when it has ended. */
export const hearOfGroups = (listener: Listener): void => void (tell = listener)

/** Makes a group known by the id of its first process: it is ended with this process, whatever ends this one in good order. */
export function knowGroup(pid: number): void {
  if (groups.size === 0) process.on('exit', endAll)
  groups.add(pid)
  tell(pid, true)
}

/** Says that a group has ended: its id may soon be that of another one. */
export function forgetGroup(pid: number): void {
  if (!groups.delete(pid)) return
  if (groups.size === 0) process.off('exit', endAll)
  tell(pid, false)
}

/** Sends a signal to all processes of a group; one that has ended hears nothing. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // it has ended
  }
}

const endAll = (): void => groups.forEach((pid) => signalGroup(pid, 'SIGKILL'))
