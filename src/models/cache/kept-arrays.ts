import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { endianness } from 'node:os'
import { join } from 'node:path'
import { makeFolder, regularFile } from '../../basics/files.ts'
import { messageOf } from '../../errors.ts'
import type { Models, Packed } from '../../types.ts'

/*
 * A file is a mark of eight bytes whose last is the version of this form, the SHA-256 of all that follows these 40
 * bytes, the length of the head in bytes (32 bits), four zeros, the head, and the arrays as they lie in memory,
 * little-endian, each from a multiple of eight bytes on. The head is JSON: the texts, and of each array its kind and
 * length.
 */
const mark = Buffer.from('gembarr\x01', 'latin1')
const headAt = 48
const kinds = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array } as const
type Kind = keyof typeof kinds

/** Milliseconds after which an unfinished file is one of a process that was ended. */
const abandoned = 3_600_000

/**
 * Keeps arrays in files of a folder, each whole or not there. `warn` is told, in a line, of a damaged one, which is
 * made again, and, once, that none can be written. Undefined on a computer whose memory is big-endian.
 */
export function keptArrays(folder: string, warn: (line: string) => void = () => undefined): Models['kept'] {
  if (endianness() !== 'LE') return undefined
  let writable = true
  return (name, { make, pack, unpack }) => {
    const file = join(folder, name)
    const found = read(file, unpack)
    if (found !== undefined && found !== damaged) return found
    if (found === damaged) warn(`${file}: is damaged or was not made by this version; it is made again`)
    const made = make()
    try {
      if (writable) write(folder, file, pack(made))
    } catch (error) {
      writable = false
      warn(`${file}: cannot be written (${messageOf(error)}); the run goes on, and indexes are not kept`)
    }
    return made
  }
}

const damaged = Symbol('damaged')

/** What a file holds; undefined where there is none. */
function read<T>(file: string, unpack: (packed: Packed) => T | undefined): T | typeof damaged | undefined {
  let descriptor: number | undefined
  try {
    const size = regularFile(file)?.size
    if (size === undefined) return undefined
    descriptor = openSync(file, 'r')
    const data = new ArrayBuffer(size)
    const bytes = Buffer.from(data)
    for (let at = 0; at < size;) {
      const more = readSync(descriptor, bytes, at, Math.min(size - at, 2 ** 30), at)
      if (more === 0) return damaged
      at += more
    }
    return unpack(parsed(data)) ?? damaged
  } catch {
    return damaged
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Throws where the bytes are not those that `write` wrote. */
function parsed(data: ArrayBuffer): Packed {
  const bytes = Buffer.from(data)
  const sum = createHash('sha256').update(bytes.subarray(40)).digest()
  if (!bytes.subarray(0, 8).equals(mark) || !sum.equals(bytes.subarray(8, 40))) throw new Error('damaged')
  let at = headAt + bytes.readUInt32LE(40)
  const { texts, arrays } = JSON.parse(bytes.toString('utf8', headAt, at)) as {
    readonly texts: readonly string[]
    readonly arrays: readonly (readonly [kind: Kind, length: number])[]
  }
  const views = arrays.map(([kind, length]) => {
    const array = new kinds[kind](data, aligned(at), length)
    at = array.byteOffset + array.byteLength
    return array
  })
  if (at !== bytes.length) throw new Error('of another length')
  return { texts, arrays: views }
}

const aligned = (at: number): number => Math.ceil(at / 8) * 8

/** Throws what the file system throws, and leaves nothing behind then. */
function write(folder: string, file: string, { texts, arrays }: Packed): void {
  makeFolder(folder)
  removeAbandoned(folder)
  const kindOf = (array: Packed['arrays'][number]): Kind =>
    array instanceof Uint8Array ? 'u8' : array instanceof Uint16Array ? 'u16' : 'u32'
  const head = Buffer.from(JSON.stringify({ texts, arrays: arrays.map((one) => [kindOf(one), one.length]) }))
  const length = Buffer.alloc(8)
  length.writeUInt32LE(head.length)
  const parts: Uint8Array[] = [length, head]
  let at = headAt + head.length
  for (const array of arrays) {
    parts.push(new Uint8Array(aligned(at) - at), new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    at = aligned(at) + array.byteLength
  }
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  const unfinished = `${file}.${randomBytes(6).toString('hex')}.tmp`
  const descriptor = openSync(unfinished, 'wx')
  try {
    try {
      for (const part of [mark, sum.digest(), ...parts])
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
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    if (found && now - found.mtimeMs > abandoned) rmSync(join(folder, name), { force: true })
  }
}
