import { join } from 'node:path'
import { regularFile } from '../../basics/files.ts'
import { replaceFile, files, openJournal, readJournal, type Journal } from './journal.ts'
/** The keys of the calls that a run has used, new or from the cache, one a line. */
export const recordedCallsFile = 'used-calls.jsonl'

export type CallRecorder = ReturnType<typeof createCallRecorder>

/** Writes down which calls are used: in memory until it is told the folder. */
export function createCallRecorder() {
  const seenKeys = new Set<string>()
  /** Keys that come before the folder is known; undefined where they are kept nowhere. */
  let pendingKeys: string[] | undefined = []
  let journal: Journal<string> | undefined
  let file: string | undefined
  return {
    /** Notes the key of a call, once. */
    record: (key: string): void => {
      if (seenKeys.has(shortKey(key))) return
      seenKeys.add(shortKey(key))
      if (journal) journal.append(key)
      else pendingKeys?.push(key)
    },
    /**
     * Writes what was noted into a results folder, and from now on each key as it comes. A folder with trials and
     * without this file is of an earlier version: there its calls stay unknown, since those of the lines that are kept
     * are.
     */
    async writeTo(folder: string): Promise<void> {
      const storedKeys = await readRecordedCalls(folder)
      if (!storedKeys && sizeOf(files(folder).trials) > 0) {
        pendingKeys = undefined
        return
      }
      file = join(folder, recordedCallsFile)
      journal = await openJournal<string>(file)
      for (const key of pendingKeys ?? []) if (!storedKeys?.has(key)) journal.append(key)
      pendingKeys = undefined
      for (const key of storedKeys ?? []) seenKeys.add(shortKey(key))
    },
    /** Ends the writing, and puts the file in the order of its keys. */
    async close(): Promise<void> {
      journal?.close()
      journal = undefined
      // a run that was refused before it asked has taken its folder away
      if (file !== undefined && sizeOf(file) >= 0) await sortKeys(file)
      file = undefined
    },
  }
}

/** Keys come as calls are made; a finished file has them in their own order, each once. */
async function sortKeys(file: string): Promise<void> {
  const keys: string[] = []
  for await (const { value } of readJournal(file)) if (typeof value === 'string') keys.push(value)
  await replaceFile(
    file,
    [...new Set(keys)]
      .sort()
      .map((key) => `${JSON.stringify(key)}\n`)
      .join(''),
  )
}

/** Half of a key, of which no two are alike either, in a fifth of its memory: a run may have very many. */
const shortKey = (key: string): string => Buffer.from(key.slice(0, 32), 'hex').toString('latin1')

/** The keys of the calls that a run has used; undefined where its folder does not say. */
export async function readRecordedCalls(folder: string): Promise<ReadonlySet<string> | undefined> {
  const file = join(folder, recordedCallsFile)
  if (sizeOf(file) < 0) return undefined
  const keys = new Set<string>()
  for await (const { value } of readJournal(file)) if (typeof value === 'string') keys.add(value)
  return keys
}

/** -1 where there is no file. */
const sizeOf = (file: string): number => regularFile(file)?.size ?? -1
