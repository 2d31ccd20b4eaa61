/** Hears of errors that strangers' code throws outside every call. */
type Listener = (line: string) => void

const listeners: Listener[] = []
let count = 0

/** From now on `listener` hears of strays, until the returned function is called; then the one before it does. */
export function hearStrays(listener: Listener): () => void {
  listeners.push(listener)
  return () => void listeners.splice(listeners.lastIndexOf(listener), 1)
}

/** Whether somebody hears of strays: only then may an error be taken for a stranger's by its place alone. */
export const areStraysHeard = (): boolean => listeners.length > 0

/** Counts an error, and tells it to who hears of strays, else as a warning of the process. */
export function tellStray(line: string): void {
  count++
  const listener = listeners.at(-1) ?? ((text: string) => process.emitWarning(text))
  listener(line)
}

/** Errors so far that strangers' code threw outside every call; no row is changed by them. */
export const countStrays = (): number => count
