import { closeSync, createReadStream, createWriteStream, openSync, writeSync } from 'node:fs'
import { open, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { UserError } from '../../errors.ts'
import { lines } from '../../text/jsonl.ts'

/** The append-only files of a results folder. */
export const files = (
  folder: string,
): { readonly trials: string; readonly scores: string; readonly meter: string } => ({
  trials: join(folder, 'trials.jsonl'),
  scores: join(folder, 'scores.jsonl'),
  meter: join(folder, 'meter.jsonl'),
})

/** An append-only JSONL file. Lines reach the file in order and whole, but for the last one of a process that was killed. */
export interface Journal<T> {
  /** Adds a line, and it is in the file when this returns; gives its text. Throws what the file system throws. */
  append(line: T): string
  close(): void
}

/** Opens a journal for appending; a torn last line, left by a killed process, is first moved to `<file>.torn`. */
export async function openJournal<T>(file: string): Promise<Journal<T>> {
  await repair(file)
  const descriptor = openSync(file, 'a')
  return {
    append(line) {
      // a line is short: to wait for a thread that writes it takes longer than to write it
      const text = JSON.stringify(line)
      let rest = Buffer.from(`${text}\n`)
      while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest))
      return text
    },
    close: () => closeSync(descriptor),
  }
}

/** Streams the lines of a journal with their numbers from 1; nothing where the file is absent. A torn last line is left out; a broken line before it is a UserError. */
export async function* readJournal(file: string): AsyncGenerator<{ line: number; value: unknown }> {
  if (!(await exists(file))) return
  let broken: number | undefined
  const complain = (): never => {
    throw new UserError(
      `${file}:${broken ?? 0}: is not a line of JSON; the file is damaged or was edited by hand: restore it, or remove the results folder`,
    )
  }
  for await (const { line, text } of lines(file)) {
    if (broken !== undefined) complain()
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      broken = line
      continue
    }
    yield { line, value }
  }
  if (broken !== undefined && (await endOfWhole(file)) === (await stat(file)).size) complain()
}

/** Cuts off what follows the last newline, however long it is, and adds it to a file beside it. */
async function repair(file: string): Promise<void> {
  if (!(await exists(file))) return
  const whole = await endOfWhole(file)
  if (whole === (await stat(file)).size) return
  await pipeline(createReadStream(file, { start: whole }), createWriteStream(`${file}.torn`, { flags: 'a' }))
  await truncate(file, whole)
}

/** Bytes up to and with the last newline: blocks are read from the end of the file on. */
async function endOfWhole(file: string): Promise<number> {
  const handle = await open(file)
  try {
    const block = Buffer.alloc(64 * 1024)
    let end = (await handle.stat()).size
    while (end > 0) {
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

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )
