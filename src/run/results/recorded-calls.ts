import { join } from 'node:path'
import { regularFile } from '../../basics/files.ts'
import { replaceFile, files, openJournal, readJournal } from './journal.ts'

/** The file of the keys of all calls of a run, new or cached, one a line. */
export const recordedCallsFile = 'used-calls.jsonl'

export type CallRecorder = Awaited<ReturnType<typeof openCallRecorder>>

/**
 * Records the key of each call of a run once. In a folder with trials but without this file nothing is recorded: an
 * earlier version began it, and the calls of its lines are unknown.
 */
export async function openCallRecorder(folder: string) {
  const file = join(folder, recordedCallsFile)
  const storedKeys = await readRecordedCalls(folder)
  const isRecorded = storedKeys !== undefined || !regularFile(files(folder).trials)?.size
  const journal = isRecorded ? await openJournal<string>(file) : undefined
  const seenKeys = new Set(Array.from(storedKeys ?? [], shortKey))
  let isOpen = isRecorded
  return {
    record: (key: string): void => {
      if (!isOpen || seenKeys.has(shortKey(key))) return
      seenKeys.add(shortKey(key))
      journal?.append(key)
    },
    /** Closes the file and sorts its keys, each once. */
    async close(): Promise<void> {
      if (!isOpen) return
      isOpen = false
      journal?.close()
      const keys = [...((await readRecordedCalls(folder)) ?? [])].sort()
      await replaceFile(file, keys.map((key) => `${JSON.stringify(key)}\n`).join(''))
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
