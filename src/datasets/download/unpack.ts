import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib'
import { messageOf, UserError } from '../../errors.ts'
import { sha256 } from '../../text/hash.ts'
import { fileChecksum } from '../shared/checksum.ts'
import { exists } from '../shared/official-file.ts'

/**
 * Takes the members wanted, known by their last name, out of an archive into a folder; gives their paths. A member that
 * is already there with the same bytes stays. Throws UserError when the archive is damaged, lacks one or has two of it,
 * holds a link or a name that leads outside, or when another file has the member's name.
 */
export async function unpack(
  archive: string,
  format: 'zip' | 'tgz',
  members: readonly string[],
  folder: string,
): Promise<readonly string[]> {
  const found = contents(archive, await readFile(archive), format, new Set(members))
  const paths: string[] = []
  for (const member of members) {
    const data = found.get(member)
    if (!data) throw new UserError(`${archive}: does not contain ${member}; the source may have changed`)
    const path = join(folder, safeName(member))
    await place(path, data, archive)
    paths.push(path)
  }
  return paths
}

function contents(
  archive: string,
  bytes: Uint8Array,
  format: 'zip' | 'tgz',
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, Uint8Array> {
  try {
    const found = new Map<string, Uint8Array>()
    const entries = format === 'zip' ? zipEntries(bytes) : tarEntries(gunzipSync(bytes))
    for (const entry of entries) {
      if (leaves(entry.name)) throw new Error(`"${entry.name}" would lie outside the folder`)
      const last = basename(entry.name)
      if (!wanted.has(last)) continue
      if (found.has(last)) throw new Error(`there are two members of the name ${last}`)
      const { data } = entry
      found.set(last, typeof data === 'function' ? data() : data)
    }
    return found
  } catch (error) {
    const reason = `cannot be unpacked as ${format} (${messageOf(error)})`
    throw new UserError(`${archive}: ${reason}; remove it and download it again`, { cause: error })
  }
}

/** Whether a name is absolute, on Windows too, or goes up. */
const leaves = (name: string): boolean => /^(?:[\\/]|[a-z]:)/i.test(name) || name.split(/[\\/]/).includes('..')

async function place(path: string, data: Uint8Array, archive: string): Promise<void> {
  if (await exists(path)) {
    if ((await fileChecksum(path)) === sha256(data)) return
    throw new UserError(
      `${path}: exists already and differs from the file in ${archive}; move it away and run the command again`,
    )
  }
  await writeFile(`${path}.part`, data)
  await rename(`${path}.part`, path)
}

/** A file in a tar archive. */
interface TarEntry {
  readonly name: string
  readonly data: Uint8Array
}

const block = 512

/** The regular files of a tar archive (ustar, pax, GNU), in order. Throws Error for damage, links and devices. */
export function* tarEntries(archive: Uint8Array): Generator<TarEntry> {
  let longName: string | undefined
  for (let at = 0; at + block <= archive.length;) {
    const header = archive.subarray(at, at + block)
    if (header.every((byte) => byte === 0)) return // two empty blocks end an archive
    if (headerSum(header) !== number(header, 148, 8)) throw new Error(`no tar header at byte ${at}`)
    const size = number(header, 124, 12)
    if (size === undefined) throw new Error(`the tar header at byte ${at} names no size`)
    const data = archive.subarray(at + block, at + block + size)
    if (data.length < size) throw new Error('the tar archive ends too early')
    at += block + Math.ceil(size / block) * block

    const kind = text(header, 156, 1)
    if (kind === 'L') longName = text(data, 0, size)
    else if (kind === 'x') longName = /^\d+ path=(.*)$/m.exec(Buffer.from(data).toString('utf8'))?.[1]
    else if (kind === 'g') continue
    else {
      const name = longName ?? shortName(header)
      longName = undefined
      if (kind === '' || kind === '0') yield { name, data }
      else if (kind !== '5') throw new Error(`"${name}" is a link or a device, which no dataset holds`)
    }
  }
}

// its own field counts as spaces
const headerSum = (header: Uint8Array): number =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0)

/** Octal digits; undefined for anything else, such as a minus sign or the binary form, which sizes beyond 8 GB take. */
function number(bytes: Uint8Array, from: number, length: number): number | undefined {
  const digits = text(bytes, from, length).trim()
  return /^[0-7]+$/.test(digits) ? parseInt(digits, 8) : undefined
}

const text = (bytes: Uint8Array, from: number, length: number): string => {
  const field = Buffer.from(bytes.subarray(from, from + length))
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? field.length : end)
}

function shortName(header: Uint8Array): string {
  const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : ''
  return prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`
}

/** The last part of a name from outside as a plain file name, which never leaves its folder. */
export function safeName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  return last.replace(/[^\w.+-]+/g, '_').replace(/^\.+/, '') || 'file'
}

/** An entry of a zip archive; `data` unpacks it. */
interface ZipEntry {
  readonly name: string
  /** Bytes that it says to have when it is unpacked. */
  readonly size: number
  /** Throws Error when the bytes are not of the size or the checksum that the archive says. */
  readonly data: () => Uint8Array
}

/** The files of a zip archive as its directory lists them. Throws Error for damage, links, encryption, wrong sizes. */
export function zipEntries(archive: Uint8Array): readonly ZipEntry[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || end + 22 > bytes.length) throw new Error('there is no zip directory')
  const entries: ZipEntry[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('the zip directory is damaged')
    const length = (field: number): number => bytes.readUInt16LE(at + field)
    const name = bytes.toString('utf8', at + 46, at + 46 + length(28))
    // the upper half is the file's mode, where the archive was made on Unix
    if (((bytes.readUInt32LE(at + 38) >>> 16) & 0o170000) === 0o120000)
      throw new Error(`"${name}" is a link, which no dataset holds`)
    if (!name.endsWith('/')) entries.push(entryOf(bytes, at, name))
    at += 46 + length(28) + length(30) + length(32)
  }
  return entries
}

/** Deflate makes at most 1032 bytes of one. */
const largestRatio = 1032

function entryOf(bytes: Buffer, at: number, name: string): ZipEntry {
  const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)]
  const word = (field: number): number => bytes.readUInt32LE(at + field)
  const [checksum, packed, size, local] = [word(16), word(20), word(24), word(42)]
  if ((flags & 1) === 1 || (method !== 0 && method !== 8)) throw new Error(`"${name}" is packed in an unknown way`)
  if (local + 30 > at || bytes.readUInt32LE(local) !== 0x04034b50) throw new Error(`"${name}" has no header`)
  const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  const ratio = method === 8 ? largestRatio : 1
  if (from + packed > bytes.length || size > packed * ratio) throw new Error(`"${name}" has a size that cannot be`)
  return {
    name,
    size,
    data: () => {
      const raw = bytes.subarray(from, from + packed)
      const data = method === 0 ? raw : inflateRawSync(raw, { maxOutputLength: Math.max(1, size) })
      if (data.length !== size) throw new Error(`"${name}" is not as long as the archive says`)
      if (crc32(data) !== checksum) throw new Error(`"${name}" does not have the checksum that the archive says`)
      return data
    },
  }
}
