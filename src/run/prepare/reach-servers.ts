import { canonicalJson } from '../../text/hash.ts'
import { allAsked, type MethodEntry } from '../asking/method-entry.ts'

/** A server that a row needs, and how to try it: gives its name with versions. Throws UserError where it cannot be used. */
export interface NeededServer {
  readonly row: string
  readonly reach: () => Promise<string | undefined>
}

/** The servers that the options of methods name, each once. */
export function neededServers(
  entries: readonly Pick<MethodEntry, 'row' | 'method' | 'options' | 'file' | 'of'>[],
): readonly NeededServer[] {
  const needed = new Map<string, NeededServer>()
  for (const entry of entries)
    for (const { method, options, file } of allAsked(entry))
      if (file === undefined && method.reach)
        needed.set(canonicalJson([method.name, options]), {
          row: entry.row.method,
          reach: async () => method.reach?.(options),
        })
  return [...needed.values()]
}

/** Tries the servers of all rows, before anything is asked. Throws UserError where one cannot be used. */
export async function reachServers(...given: Parameters<typeof neededServers>): Promise<void> {
  for (const { reach } of neededServers(...given)) await reach()
}
