import { join } from 'node:path'
import { replaceFile, openJournal, readJournal } from './journal.ts'

/** The file of the keys of all calls of a run, new or cached, one a line. */
export const recordedCallsFile = 'used-calls.jsonl'

export type CallRecorder = Awaited<ReturnType<typeof openCallRecorder>>

/** Records the key of each call of a run once. */
export async function openCallRecorder(folder: string) {
  const file = join(folder, recordedCallsFile)
  const seenKeys = new Set(Array.from(await readRecordedCalls(folder), shortKey))
  const journal = await openJournal<string>(file)
  let isOpen = true
  return {
    record: (key: string): void => {
      if (!isOpen || seenKeys.has(shortKey(key))) return
      seenKeys.add(shortKey(key))
      journal.append(key)
    },
    /** Closes the file and sorts its keys, each once. */
    async close(): Promise<void> {
      if (!isOpen) return
      isOpen = false
      journal.close()
      const keys = [...(await readRecordedCalls(folder))].sort()
      await replaceFile(file, keys.map((key) => `${JSON.stringify(key)}\n`).join(''))
    },
  }
}

/** Half of a key, still unique, in a fifth of its memory: a run may have very many. */
const shortKey = (key: string) => Buffer.from(key.slice(0, 32), 'hex').toString('latin1')

/** The keys of the calls of a run. */
export async function readRecordedCalls(folder: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for await (const { value } of readJournal(join(folder, recordedCallsFile))) {
    if (typeof value === 'string') keys.add(value)
  }
  return keys
}
