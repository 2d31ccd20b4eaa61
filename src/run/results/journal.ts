import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import type { Manifest } from '../records.ts'
import { lines } from '../text/jsonl.ts'

/** The append-only files of a results folder. */
export const files = (
  folder: string,
): { readonly trials: string; readonly scores: string; readonly meter: string } => ({
  trials: join(folder, 'trials.jsonl'),
  scores: join(folder, 'scores.jsonl'),
  meter: join(folder, 'meter.jsonl'),
})

/** An append-only JSONL file. Lines reach the disk in order and whole, but for the last one of a process that was killed. */
export interface Journal<T> {
  append(line: T): Promise<void>
  close(): Promise<void>
}

/** Opens a journal for appending; a torn last line, left by a killed process, is cut off first. */
export async function openJournal<T>(file: string): Promise<Journal<T>> {
  await repair(file)
  const handle = await open(file, 'a')
  let pending: string[] = []
  let writing: Promise<void> = Promise.resolve()
  const flush = async (): Promise<void> => {
    const text = pending.join('')
    pending = []
    if (text !== '') await handle.appendFile(text)
  }
  return {
    append(line) {
      pending.push(`${JSON.stringify(line)}\n`)
      if (pending.length === 1) writing = writing.then(flush)
      return writing
    },
    async close() {
      await writing
      await handle.close()
    },
  }
}

/** Streams the lines of a journal; nothing where the file is absent. A torn last line is left out; a broken line before it is a UserError. */
export async function* readJournal<T>(file: string): AsyncGenerator<T> {
  if (!(await exists(file))) return
  let broken: number | undefined
  const complain = (): never => {
    throw new UserError(
      `${file}:${broken ?? 0}: not a JSON line; the file was changed by hand or damaged: restore it or remove the results folder`,
    )
  }
  for await (const { line, text } of lines(file)) {
    if (broken !== undefined) complain()
    let value: T
    try {
      value = JSON.parse(text) as T
    } catch {
      broken = line
      continue
    }
    yield value
  }
  if (broken !== undefined && (await endOfWhole(file)) === (await stat(file)).size) complain()
}

/** The manifest of a results folder, or undefined in a new one. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const file = join(folder, 'manifest.json')
  if (!(await exists(file))) return undefined
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Manifest
  } catch {
    throw new UserError(`${file}: not a manifest; restore it or remove the results folder`)
  }
}

/** Writes a file whole or not at all. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const part = `${file}.part`
  await writeFile(part, text)
  await rename(part, file)
}

/** Holds a results folder for this process; a second process is refused, the lock of a dead one is taken over. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, '.lock')
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' })
      return () => rm(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = Number(await readFile(file, 'utf8').catch(() => ''))
    if (holder > 0 && holder !== process.pid && alive(holder)) {
      throw new UserError(
        `${folder}: process ${holder} is writing here; wait for it, or choose another folder with --results`,
      )
    }
    await rm(file, { force: true })
  }
}

/** Cuts off what follows the last newline. */
async function repair(file: string): Promise<void> {
  if (!(await exists(file))) return
  const whole = await endOfWhole(file)
  if (whole === (await stat(file)).size) return
  const handle = await open(file, 'r+')
  await handle.truncate(whole)
  await handle.close()
}

/** Bytes up to and with the last newline. */
async function endOfWhole(file: string): Promise<number> {
  const { size } = await stat(file)
  const start = Math.max(0, size - maxLine)
  let whole = 0
  let read = start
  for await (const chunk of createReadStream(file, { start })) {
    const bytes = chunk as Buffer
    const newline = bytes.lastIndexOf(10)
    if (newline >= 0) whole = read + newline + 1
    read += bytes.length
  }
  return whole
}

/** Longest line that a torn tail can be, in bytes. */
const maxLine = 64 * 1024 * 1024

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
