import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { endianness } from 'node:os'
import { join } from 'node:path'
import { makeFolder, regularFile } from '../../basics/files.ts'
import { messageOf } from '../../errors.ts'
import type { Models, Packed } from '../../types.ts'

/*
 * A file has the SHA-256 of the rest, the length of the head in bytes (32 bits), the head, and the arrays as they are
 * in memory, little-endian. The head is JSON: the texts, and the kind and length of each array.
 */
const headAt = 36
const kinds = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array } as const
type Kind = keyof typeof kinds

/**
 * Stores arrays in files of a folder, atomically. `warn` receives a line about each damaged file, which is rebuilt, and
 * one if the folder is not writable. Undefined on big-endian computers.
 */
export function openArrayStore(folder: string, warn: (line: string) => void = () => undefined): Models['cached'] {
  if (endianness() !== 'LE') return undefined
  let isWritable = true
  return (name, { make, pack, unpack }) => {
    const file = join(folder, name)
    try {
      const contents = read(file)
      const value = contents && unpack(contents)
      if (value !== undefined) return value
      if (contents) throw new Error('of another form')
    } catch {
      warn(`${file}: is damaged or of another version; it is built again`)
    }
    const result = make()
    try {
      if (isWritable) write(folder, file, pack(result))
    } catch (error) {
      isWritable = false
      warn(`${file}: cannot be written (${messageOf(error)}); indexes of this run are not cached`)
    }
    return result
  }
}

/** The contents of a file; undefined if it does not exist. Throws if it is damaged. */
function read(file: string): Packed | undefined {
  const size = regularFile(file)?.size
  if (size === undefined) return undefined
  const descriptor = openSync(file, 'r')
  const sum = createHash('sha256')
  const readInto = <T extends Packed['arrays'][number]>(array: T): T => {
    const bytes = new Uint8Array(array.buffer)
    for (let at = 0, more = 1; at < bytes.length; at += more) {
      more = readSync(descriptor, bytes, at, Math.min(bytes.length - at, 2 ** 30), null)
      if (more === 0) throw new Error('cut')
    }
    sum.update(bytes)
    return array
  }
  try {
    const checksum = Buffer.alloc(headAt - 4)
    readSync(descriptor, checksum)
    const [length = 0] = readInto(new Uint32Array(1))
    if (headAt + length > size) throw new Error('cut')
    const { texts, arrays } = JSON.parse(Buffer.from(readInto(new Uint8Array(length))).toString()) as {
      readonly texts: readonly string[]
      readonly arrays: readonly (readonly [kind: Kind, length: number])[]
    }
    const bytes = arrays.reduce((total, [kind, count]) => total + count * kinds[kind].BYTES_PER_ELEMENT, 0)
    if (headAt + length + bytes !== size) throw new Error('of another length')
    const contents = { texts, arrays: arrays.map(([kind, count]) => readInto(new kinds[kind](count))) }
    if (!sum.digest().equals(checksum)) throw new Error('damaged')
    return contents
  } finally {
    closeSync(descriptor)
  }
}

/** Writes atomically. Throws the file system's error. */
function write(folder: string, file: string, { texts, arrays }: Packed): void {
  makeFolder(folder)
  const kindOf = (array: Packed['arrays'][number]): Kind =>
    array instanceof Uint8Array ? 'u8' : array instanceof Uint16Array ? 'u16' : 'u32'
  const head = Buffer.from(JSON.stringify({ texts, arrays: arrays.map((array) => [kindOf(array), array.length]) }))
  const parts = [
    new Uint8Array(Uint32Array.of(head.length).buffer),
    head,
    ...arrays.map((array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)),
  ]
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  const temporaryFile = `${file}.${randomBytes(6).toString('hex')}.tmp`
  const descriptor = openSync(temporaryFile, 'wx')
  try {
    try {
      for (const part of [sum.digest(), ...parts])
        for (let offset = 0; offset < part.length;) offset += writeSync(descriptor, part, offset)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temporaryFile, file)
  } catch (error) {
    rmSync(temporaryFile, { force: true })
    throw error
  }
}
