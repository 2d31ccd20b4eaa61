import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { endianness } from 'node:os'
import { join } from 'node:path'
import { makeFolder, regularFile } from '../../basics/files.ts'
import { messageOf } from '../../errors.ts'
import type { Models, Packed } from '../../types.ts'

/*
 * A file is the SHA-256 of all that follows it, the length of the head in bytes (32 bits), the head, and the arrays as
 * they lie in memory, little-endian. The head is JSON: the texts, and of each array its kind and length.
 */
const headAt = 36
const kinds = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array } as const
type Kind = keyof typeof kinds

/** Milliseconds after which an unfinished file is one of a process that was ended. */
const abandonedMs = 3_600_000

/**
 * Keeps arrays in files of a folder, each whole or not there. `warn` is told, in a line, of a damaged one, which is
 * made again, and, once, that none can be written. Undefined on a computer whose memory is big-endian.
 */
export function keptArrays(folder: string, warn: (line: string) => void = () => undefined): Models['cached'] {
  if (endianness() !== 'LE') return undefined
  let isWritable = true
  return (name, { make, pack, unpack }) => {
    const file = join(folder, name)
    try {
      const packed = read(file)
      const value = packed && unpack(packed)
      if (value !== undefined) return value
      if (packed) throw new Error('of another form')
    } catch {
      warn(`${file}: is damaged or was not made by this version; it is made again`)
    }
    const made = make()
    try {
      if (isWritable) write(folder, file, pack(made))
    } catch (error) {
      isWritable = false
      warn(`${file}: cannot be written (${messageOf(error)}); the run goes on, and indexes are not kept`)
    }
    return made
  }
}

/** What a file holds; undefined where there is none. Throws where its bytes are not those that `write` wrote. */
function read(file: string): Packed | undefined {
  const size = regularFile(file)?.size
  if (size === undefined) return undefined
  const descriptor = openSync(file, 'r')
  const sum = createHash('sha256')
  const filled = <T extends Packed['arrays'][number]>(array: T): T => {
    const bytes = new Uint8Array(array.buffer)
    for (let at = 0, more = 1; at < bytes.length; at += more) {
      more = readSync(descriptor, bytes, at, Math.min(bytes.length - at, 2 ** 30), null)
      if (more === 0) throw new Error('cut')
    }
    sum.update(bytes)
    return array
  }
  try {
    const expected = Buffer.alloc(headAt - 4)
    readSync(descriptor, expected)
    const [length = 0] = filled(new Uint32Array(1))
    if (headAt + length > size) throw new Error('cut')
    const { texts, arrays } = JSON.parse(Buffer.from(filled(new Uint8Array(length))).toString()) as {
      readonly texts: readonly string[]
      readonly arrays: readonly (readonly [kind: Kind, length: number])[]
    }
    const bytes = arrays.reduce((total, [kind, count]) => total + count * kinds[kind].BYTES_PER_ELEMENT, 0)
    if (headAt + length + bytes !== size) throw new Error('of another length')
    const packed = { texts, arrays: arrays.map(([kind, count]) => filled(new kinds[kind](count))) }
    if (!sum.digest().equals(expected)) throw new Error('damaged')
    return packed
  } finally {
    closeSync(descriptor)
  }
}

/** Throws what the file system throws, and leaves nothing behind then. */
function write(folder: string, file: string, { texts, arrays }: Packed): void {
  makeFolder(folder)
  removeAbandoned(folder)
  const kindOf = (array: Packed['arrays'][number]): Kind =>
    array instanceof Uint8Array ? 'u8' : array instanceof Uint16Array ? 'u16' : 'u32'
  const head = Buffer.from(JSON.stringify({ texts, arrays: arrays.map((one) => [kindOf(one), one.length]) }))
  const parts = [
    new Uint8Array(Uint32Array.of(head.length).buffer),
    head,
    ...arrays.map((array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)),
  ]
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  const unfinished = `${file}.${randomBytes(6).toString('hex')}.tmp`
  const descriptor = openSync(unfinished, 'wx')
  try {
    try {
      for (const part of [sum.digest(), ...parts])
        for (let done = 0; done < part.length;) done += writeSync(descriptor, part, done)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

function removeAbandoned(folder: string): void {
  const now = performance.timeOrigin + performance.now()
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.tmp'))) {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false })
    if (stats && now - stats.mtimeMs > abandonedMs) rmSync(join(folder, name), { force: true })
  }
}
