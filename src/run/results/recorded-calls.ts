import { join } from 'node:path'
import { regularFile } from '../../basics/files.ts'
import { replaceFile, files, openJournal, readJournal, type Journal } from './journal.ts'

/** The file of the keys of all calls of a run, new or cached, one a line. */
export const recordedCallsFile = 'used-calls.jsonl'

export type CallRecorder = ReturnType<typeof createCallRecorder>

/** Records the keys of calls: in memory until the folder is known. */
export function createCallRecorder() {
  const seenKeys = new Set<string>()
  let pendingKeys: string[] = []
  let target: { readonly journal: Journal<string>; readonly folder: string } | undefined
  return {
    /** Records the key of a call once. */
    record: (key: string): void => {
      if (seenKeys.has(shortKey(key))) return
      seenKeys.add(shortKey(key))
      if (target) target.journal.append(key)
      else pendingKeys.push(key)
    },
    /**
     * Writes the pending keys into a results folder, and each further key at once. A folder with trials but
     * without this file is of an earlier version: nothing is recorded, since the calls of its lines are
     * unknown.
     */
    async writeTo(folder: string) {
      const storedKeys = await readRecordedCalls(folder)
      if (!storedKeys && (regularFile(files(folder).trials)?.size ?? 0) > 0) return
      const journal = await openJournal<string>(join(folder, recordedCallsFile))
      for (const key of pendingKeys) if (!storedKeys?.has(key)) journal.append(key)
      for (const key of storedKeys ?? []) seenKeys.add(shortKey(key))
      pendingKeys = []
      target = { journal, folder }
    },
    /** Closes the file and sorts its keys, each once. */
    async close(): Promise<void> {
      if (!target) return
      const { journal, folder } = target
      target = undefined
      journal.close()
      // a run that was refused has removed its folder
      const keys = await readRecordedCalls(folder)
      const lines = [...(keys ?? [])].sort().map((key) => `${JSON.stringify(key)}\n`)
      if (keys) await replaceFile(join(folder, recordedCallsFile), lines.join(''))
    },
  }
}

/** Half of a key, still unique, in a fifth of its memory: a run may have very many. */
const shortKey = (key: string) => Buffer.from(key.slice(0, 32), 'hex').toString('latin1')

/** The keys of the calls of a run; undefined if they were not recorded. */
export async function readRecordedCalls(folder: string): Promise<ReadonlySet<string> | undefined> {
  const file = join(folder, recordedCallsFile)
  if (!regularFile(file)) return undefined
  const keys = new Set<string>()
  for await (const { value } of readJournal(file)) {
    if (typeof value === 'string') keys.add(value)
  }
  return keys
}
