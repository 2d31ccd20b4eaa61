import { inflateRawSync } from 'node:zlib'

/** An entry of a zip archive; `data` unpacks it. */
export interface ZipEntry {
  readonly name: string
  /** Throws Error when the bytes are not of the size or the checksum that the archive says. */
  readonly data: () => Uint8Array
}

/**
 * The files of a zip archive (PKWARE APPNOTE 4.3), as its directory lists them; folders are passed over. Throws Error when the directory is
 * damaged, and when an entry is a link, encrypted, larger than 4 GB or said to be larger than its bytes can be.
 */
export function zipEntries(archive: Uint8Array): readonly ZipEntry[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || end + 22 > bytes.length) throw new Error('there is no zip directory')
  const entries: ZipEntry[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('the zip directory is damaged')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field))
    const name = bytes.toString('utf8', at + 46, at + 46 + (nameLength ?? 0))
    // the upper half is the file's mode, where the archive was made on Unix
    if (((bytes.readUInt32LE(at + 38) >>> 16) & 0o170000) === 0o120000)
      throw new Error(`"${name}" is a link, which no dataset holds`)
    if (!name.endsWith('/')) entries.push(entryOf(bytes, at, name))
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0)
  }
  return entries
}

/** Deflate makes at most 1032 bytes of one. */
const largestRatio = 1032

function entryOf(bytes: Buffer, at: number, name: string): ZipEntry {
  const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)]
  const [checksum, packed, size] = [16, 20, 24].map((field) => bytes.readUInt32LE(at + field)) as [
    number,
    number,
    number,
  ]
  const local = bytes.readUInt32LE(at + 42)
  if ((flags & 1) === 1 || (method !== 0 && method !== 8)) throw new Error(`"${name}" is packed in an unknown way`)
  if (local + 30 > at || bytes.readUInt32LE(local) !== 0x04034b50) throw new Error(`"${name}" has no header`)
  const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  const ratio = method === 8 ? largestRatio : 1
  if (from + packed > bytes.length || size > packed * ratio) throw new Error(`"${name}" has a size that cannot be`)
  return {
    name,
    data: () => {
      const raw = bytes.subarray(from, from + packed)
      const data = method === 0 ? raw : inflateRawSync(raw, { maxOutputLength: Math.max(1, size) })
      if (data.length !== size) throw new Error(`"${name}" is not as long as the archive says`)
      if (crc32(data) !== checksum) throw new Error(`"${name}" does not have the checksum that the archive says`)
      return data
    },
  }
}

/** CRC-32 (ISO 3309), as zip counts it. */
function crc32(data: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of data) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1
  return sum
})
