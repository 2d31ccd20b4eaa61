import { join } from 'node:path'
import { regularFile } from '../../basics/files.ts'
import { replaceFile, files, openJournal, readJournal, type Journal } from './journal.ts'
/** The keys of the calls that a run has used, new or from the cache, one a line. */
export const usedCallsFile = 'used-calls.jsonl'

export type UsedCalls = ReturnType<typeof usedCalls>

/** Writes down which calls are used: in memory until it is told the folder. */
export function usedCalls() {
  const noted = new Set<string>()
  /** Keys that come before the folder is known; undefined where they are kept nowhere. */
  let early: string[] | undefined = []
  let journal: Journal<string> | undefined
  let file: string | undefined
  return {
    /** Notes the key of a call, once. */
    note: (key: string): void => {
      if (noted.has(short(key))) return
      noted.add(short(key))
      if (journal) journal.append(key)
      else early?.push(key)
    },
    /**
     * Writes what was noted into a results folder, and from now on each key as it comes. A folder with trials and
     * without this file is of an earlier version: there its calls stay unknown, since those of the lines that are kept
     * are.
     */
    async keepIn(folder: string): Promise<void> {
      const before = await readUsedCalls(folder)
      if (!before && bytesOf(files(folder).trials) > 0) {
        early = undefined
        return
      }
      file = join(folder, usedCallsFile)
      journal = await openJournal<string>(file)
      for (const key of early ?? []) if (!before?.has(key)) journal.append(key)
      early = undefined
      for (const key of before ?? []) noted.add(short(key))
    },
    /** Ends the writing, and puts the file in the order of its keys. */
    async close(): Promise<void> {
      journal?.close()
      journal = undefined
      // a run that was refused before it asked has taken its folder away
      if (file !== undefined && bytesOf(file) >= 0) await sortKeys(file)
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
const short = (key: string): string => Buffer.from(key.slice(0, 32), 'hex').toString('latin1')

/** The keys of the calls that a run has used; undefined where its folder does not say. */
export async function readUsedCalls(folder: string): Promise<ReadonlySet<string> | undefined> {
  const file = join(folder, usedCallsFile)
  if (bytesOf(file) < 0) return undefined
  const keys = new Set<string>()
  for await (const { value } of readJournal(file)) if (typeof value === 'string') keys.add(value)
  return keys
}

/** -1 where there is no file. */
const bytesOf = (file: string): number => regularFile(file)?.size ?? -1
