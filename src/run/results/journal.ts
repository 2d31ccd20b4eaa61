import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { open, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { UserError, scrub } from '../../errors.ts'
import { blocks, lines, longestLine, split } from '../../text/jsonl.ts'
import { cannotWrite, regularFile } from '../../basics/files.ts'
import { requireLock } from './lock.ts'

export const files = (folder: string) => ({
  trials: join(folder, 'trials.jsonl'),
  passages: join(folder, 'passages.jsonl'),
  scores: join(folder, 'scores.jsonl'),
  meter: join(folder, 'meter.jsonl'),
})

/** An append-only JSONL file; only the last line may be torn, if the process was killed. */
export interface Journal<T> {
  /** Appends a line synchronously. Throws UserError if the file system refuses. */
  append(line: T): void
  close(): void
}

/** Opens a journal for appending; a torn last line is cut off. */
export async function openJournal<T>(file: string): Promise<Journal<T>> {
  requireLock(dirname(file))
  const size = regularFile(file)?.size ?? 0
  const completeBytes = size === 0 ? 0 : await endOfLastLine(file)
  if (completeBytes < size) await truncate(file, completeBytes)
  const descriptor = openSync(file, 'a')
  return {
    // writing a short line synchronously is faster than waiting for a thread
    append: (line) => writeAll(descriptor, Buffer.from(`${JSON.stringify(line)}\n`), file),
    close: () => closeSync(descriptor),
  }
}

function writeAll(descriptor: number, bytes: Buffer, file: string): void {
  requireLock(dirname(file))
  try {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync(descriptor, rest))
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

/** The order of the lines of a journal. */
interface LineOrder<T> {
  /** The last of several lines with one key stays. */
  readonly keyOf: (line: T) => string
  /** Lines without a rank come last. */
  readonly rankOf: (line: T) => number | undefined
  /** Lines without a rank are removed. */
  readonly dropUnranked?: boolean
  /** Called with each line in the new order. */
  readonly visit?: (line: T) => void
}

/** The byte offset of a line in a file, and its length without the line feed. */
interface LinePlace {
  readonly start: number
  readonly length: number
}

/** Sorts the lines of a journal and replaces the file atomically. */
export async function orderLines<T>(
  file: string,
  { keyOf, rankOf, dropUnranked = false, visit }: LineOrder<T>,
): Promise<void> {
  if (!regularFile(file)) return
  requireLock(dirname(file))
  const lineOfKey = new Map<string, LinePlace & { readonly rank: number }>()
  let count = 0
  for await (const { start, bytes } of split(blocks(file), file)) {
    count++
    const line = parseLine(bytes) as T | undefined
    // a damaged file is left alone: its reader reports the line
    if (line === undefined) return
    const key = keyOf(line)
    const rank = rankOf(line)
    lineOfKey.delete(key)
    if (rank !== undefined || !dropUnranked) lineOfKey.set(key, { start, length: bytes.length, rank: rank ?? Infinity })
  }
  const lastLines = [...lineOfKey.values()]
  const sortedLines = lastLines.toSorted((a, b) => (a.rank === b.rank ? a.start - b.start : a.rank - b.rank))
  const isSorted = sortedLines.length === count && sortedLines.every((line, place) => line === lastLines[place])
  if (isSorted && !visit) return
  const part = `${file}.part`
  if (!isSorted) await rm(part, { force: true })
  const target = isSorted ? undefined : openSync(part, 'wx')
  try {
    for await (const bytes of linesAt(file, sortedLines)) {
      if (target !== undefined) writeAll(target, bytes, part)
      visit?.(JSON.parse(bytes.toString('utf8')) as T)
    }
  } finally {
    if (target !== undefined) closeSync(target)
  }
  if (isSorted) return
  requireLock(dirname(file))
  await rename(part, file)
}

function parseLine(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The bytes of lines at places of a file, each with its line feed. */
async function* linesAt(file: string, places: readonly LinePlace[]): AsyncGenerator<Buffer> {
  const source = openSync(file, 'r')
  let lastPause = performance.now()
  try {
    for (const { start, length } of places) {
      const bytes = Buffer.alloc(length + 1)
      readSync(source, bytes, 0, length, start)
      bytes[length] = 0x0a
      yield bytes
      if (performance.now() - lastPause < 20) continue
      // gives signals and timers a turn
      await setImmediate()
      lastPause = performance.now()
    }
  } finally {
    closeSync(source)
  }
}

/** The lines of a journal, numbered from 1, without a torn last line. Throws UserError for another malformed line. */
export async function* readJournal(file: string): AsyncGenerator<{ line: number; value: unknown }> {
  if (!regularFile(file)) return
  let malformedLine: number | undefined
  const refuseLine = (number: number): never => {
    throw new UserError(
      `${file}:${number}: is not a line of JSON; the file is damaged or was edited by hand: restore it, or remove the results folder`,
    )
  }
  for await (const { line, text } of lines(file)) {
    if (malformedLine !== undefined) refuseLine(malformedLine)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      malformedLine = line
      continue
    }
    yield { line, value }
  }
  if (malformedLine !== undefined && (await endOfLastLine(file)) === regularFile(file)?.size) refuseLine(malformedLine)
}

/** The offset after the last newline, read in blocks from the end of the file. */
async function endOfLastLine(file: string): Promise<number> {
  const handle = await open(file)
  try {
    const block = Buffer.alloc(64 * 1024)
    const { size } = await handle.stat()
    let end = size
    while (end > 0) {
      if (size - end > longestLine) throw new UserError(`${file}: its last line has more than ${longestLine} bytes`)
      const start = Math.max(0, end - block.length)
      const { bytesRead } = await handle.read(block, 0, end - start, start)
      const newline = block.subarray(0, bytesRead).lastIndexOf(10)
      if (newline >= 0) return start + newline + 1
      end = start
    }
    return 0
  } finally {
    await handle.close()
  }
}

/** Writes a file atomically; secrets in a text are redacted. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  requireLock(dirname(file))
  const part = `${file}.part`
  await rm(part, { force: true })
  await writeFile(part, typeof content === 'string' ? scrub(content) : content).catch((error: unknown) => {
    throw cannotWrite(part, error)
  })
  requireLock(dirname(file))
  await rename(part, file)
}
