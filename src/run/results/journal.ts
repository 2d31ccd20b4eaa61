import { closeSync, openSync, writeSync } from 'node:fs'
import { open, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cannotWrite, regularFile } from '../../basics/files.ts'
import { UserError, scrub } from '../../errors.ts'
import type { UsageCounter } from '../../models/index.ts'
import type { IndexLine, MeterLine, PassageText, Row, StoredLine, TrialLine } from '../../records.ts'
import { sha256 } from '../../text/hash.ts'
import { lines, longestLine } from '../../text/jsonl.ts'
import type { Phase } from '../../types.ts'
import { requireLock } from './lock.ts'

export const files = (folder: string) => ({
  trials: join(folder, 'trials.jsonl'),
  passages: join(folder, 'passages.jsonl'),
  scores: join(folder, 'scores.jsonl'),
  meter: join(folder, 'meter.jsonl'),
})

/** Opens trials.jsonl, passages.jsonl and meter.jsonl for appending. The texts of a trial precede its line. */
export async function openTrials(folder: string) {
  const { trials, passages, meter } = files(folder)
  const texts = await openJournal<PassageText>(passages)
  const storedDigests = new Set<string>()
  for await (const { value } of readJournal(passages)) storedDigests.add((value as PassageText).digest)
  const lines = await openTimedJournal<StoredLine>(trials, meter)
  const storedLine = (line: IndexLine | TrialLine): StoredLine => {
    if (line.line === 'index') return line
    const context = line.context.map(({ text, ...rest }) => {
      const digest = digestOfText(text)
      if (!storedDigests.has(digest)) texts.append({ digest, text })
      storedDigests.add(digest)
      return { digest, ...rest }
    })
    return { ...line, context }
  }
  return {
    append: (line: IndexLine | TrialLine, usage: UsageCounter) => lines.append(storedLine(line), usage),
    close(): void {
      lines.close()
      texts.close()
    },
  }
}

/** Opens a file of lines, and meter.jsonl where their timings are recorded, for appending. */
export async function openTimedJournal<T extends Row>(file: string, meter?: string): Promise<TimedJournal<T>> {
  const lines = await openJournal<T>(file)
  const timings = meter === undefined ? undefined : await openJournal<MeterLine>(meter)
  return {
    append: (line, usage) => {
      lines.append(line)
      for (const timing of timings ? timingLines(line, usage) : []) timings?.append(timing)
    },
    close: () => {
      lines.close()
      timings?.close()
    },
  }
}

/** Lines that are appended with the timings of their calls. */
interface TimedJournal<T extends Row> {
  readonly append: (line: T, usage: UsageCounter) => void
  readonly close: () => void
}

/** The digest of a text in passages.jsonl: 16 hex digits of its SHA-256. */
export const digestOfText = (text: string) => sha256(text).slice(0, 16)

/** The timings of a line, by phase. */
function timingLines({ method, variant }: Row, usage: UsageCounter): readonly MeterLine[] {
  const phases: readonly Phase[] = ['index', 'retrieve', 'answer', 'judge']
  return phases.flatMap((phase) => {
    const { cached, milliseconds, embeddingMilliseconds, sentTexts, sentEmbeddedTokens } = usage.totals(phase)
    if (cached === 0 && milliseconds === 0) return []
    return [
      {
        method,
        variant,
        phase,
        cached,
        milliseconds,
        ...(embeddingMilliseconds > 0 && { embeddingMilliseconds }),
        ...(sentTexts > 0 && { newTexts: sentTexts, newEmbeddedTokens: sentEmbeddedTokens }),
      },
    ]
  })
}

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

/** Writes all bytes to an opened file that messages name. Throws UserError if the file system refuses. */
export function writeAll(descriptor: number, bytes: Buffer, file: string) {
  requireLock(dirname(file))
  try {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync(descriptor, rest))
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

/** The numbered lines of a journal, without a torn last line. Throws UserError for another malformed line. */
export async function* readJournal(file: string): AsyncGenerator<{ line: number; value: unknown }> {
  if (!regularFile(file)) return
  let malformedLine: number | undefined
  const refuseLine = (number: number): never => {
    throw new UserError(`${file}:${number}: is not a line of JSON; restore the file, or remove the results folder`)
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
export async function replaceFile(file: string, content: string) {
  requireLock(dirname(file))
  const part = `${file}.part`
  await rm(part, { force: true })
  await writeFile(part, scrub(content)).catch((error: unknown) => {
    throw cannotWrite(part, error)
  })
  requireLock(dirname(file))
  await rename(part, file)
}
