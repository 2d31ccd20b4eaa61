import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { open, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { UserError } from '../../errors.ts'
import { blocks, lines, longestLine, split } from '../../text/jsonl.ts'
import { cannotWrite, regularFile } from '../../basics/files.ts'
import { scrub } from '../../basics/secrets.ts'
import { refuseLost } from './lock.ts'

export const files = (folder: string) => ({
  trials: join(folder, 'trials.jsonl'),
  passages: join(folder, 'passages.jsonl'),
  scores: join(folder, 'scores.jsonl'),
  meter: join(folder, 'meter.jsonl'),
})

/** An append-only JSONL file; lines are in order and whole, but for the last one of a process that was killed. */
export interface Journal<T> {
  /** Adds a line, and it is in the file when this returns. Throws what the file system throws. */
  append(line: T): void
  close(): void
}

/** Opens a journal for appending; a torn last line is cut off. */
export async function openJournal<T>(file: string): Promise<Journal<T>> {
  refuseLost(dirname(file))
  const size = regularFile(file)?.size ?? 0
  const whole = size === 0 ? 0 : await endOfWhole(file)
  if (whole < size) await truncate(file, whole)
  const descriptor = openSync(file, 'a')
  return {
    // a line is short: to wait for a thread that writes it takes longer than to write it
    append: (line) => writeAll(descriptor, Buffer.from(`${JSON.stringify(line)}\n`), file),
    close: () => closeSync(descriptor),
  }
}

function writeAll(descriptor: number, bytes: Buffer, file: string): void {
  refuseLost(dirname(file))
  try {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync(descriptor, rest))
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

/** How the lines of a journal are ordered. */
interface LineOrder<T> {
  /** Of several lines with one key the last one stays. */
  readonly keyOf: (line: T) => string
  /** Lines without a rank come last. */
  readonly rankOf: (line: T) => number | undefined
  /** Lines without a rank are removed. */
  readonly dropsUnranked?: boolean
  /** Called with each line in the new order. */
  readonly visit?: (line: T) => void
}

/** Where a line begins in a file, in bytes, and its length without the line feed. */
interface LinePlace {
  readonly start: number
  readonly length: number
}

/** Orders the lines of a journal that was opened before. The file is replaced whole or not at all. */
export async function orderLines<T>(
  file: string,
  { keyOf, rankOf, dropsUnranked = false, visit }: LineOrder<T>,
): Promise<void> {
  if (!regularFile(file)) return
  refuseLost(dirname(file))
  const last = new Map<string, LinePlace & { readonly rank: number }>()
  let count = 0
  for await (const { start, bytes } of split(blocks(file), file)) {
    count++
    const line = parsed(bytes) as T | undefined
    // a damaged file stays as it is: its reader names the line
    if (line === undefined) return
    const key = keyOf(line)
    const rank = rankOf(line)
    last.delete(key)
    if (rank !== undefined || !dropsUnranked) last.set(key, { start, length: bytes.length, rank: rank ?? Infinity })
  }
  const before = [...last.values()]
  const ordered = before.toSorted((a, b) => (a.rank === b.rank ? a.start - b.start : a.rank - b.rank))
  const isOrdered = ordered.length === count && ordered.every((line, place) => line === before[place])
  if (isOrdered && !visit) return
  const part = `${file}.part`
  if (!isOrdered) await rm(part, { force: true })
  const target = isOrdered ? undefined : openSync(part, 'wx')
  try {
    for await (const bytes of linesAt(file, ordered)) {
      if (target !== undefined) writeAll(target, bytes, part)
      visit?.(JSON.parse(bytes.toString('utf8')) as T)
    }
  } finally {
    if (target !== undefined) closeSync(target)
  }
  if (isOrdered) return
  refuseLost(dirname(file))
  await rename(part, file)
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The bytes of lines at places of a file, each with its line feed. */
async function* linesAt(file: string, places: readonly LinePlace[]): AsyncGenerator<Buffer> {
  const source = openSync(file, 'r')
  let turned = performance.now()
  try {
    for (const { start, length } of places) {
      const bytes = Buffer.alloc(length + 1)
      readSync(source, bytes, 0, length, start)
      bytes[length] = 0x0a
      yield bytes
      if (performance.now() - turned < 20) continue
      // lets signals and timers have their turn
      await setImmediate()
      turned = performance.now()
    }
  } finally {
    closeSync(source)
  }
}

/** The lines of a journal, numbered from 1, without a torn last line. Throws UserError for another broken line. */
export async function* readJournal(file: string): AsyncGenerator<{ line: number; value: unknown }> {
  if (!regularFile(file)) return
  let broken: number | undefined
  const complain = (number: number): never => {
    throw new UserError(
      `${file}:${number}: is not a line of JSON; the file is damaged or was edited by hand: restore it, or remove the results folder`,
    )
  }
  for await (const { line, text } of lines(file)) {
    if (broken !== undefined) complain(broken)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      broken = line
      continue
    }
    yield { line, value }
  }
  if (broken !== undefined && (await endOfWhole(file)) === regularFile(file)?.size) complain(broken)
}

/** Bytes up to and with the last newline: blocks are read from the end of the file on. */
async function endOfWhole(file: string): Promise<number> {
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

/** Writes a file whole or not at all, a text without keys. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  refuseLost(dirname(file))
  const part = `${file}.part`
  await rm(part, { force: true })
  await writeFile(part, typeof content === 'string' ? scrub(content) : content).catch((error: unknown) => {
    throw cannotWrite(part, error)
  })
  refuseLost(dirname(file))
  await rename(part, file)
}
