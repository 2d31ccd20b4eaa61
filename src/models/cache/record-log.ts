import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { regularFile } from '../../basics/files.ts'
import { sha256 } from '../../text/hash.ts'

/*
 * A record has a head of 28 bytes, the key and the data. The head: a mark of four bytes; the lengths of key and data in
 * bytes, the FNV-1a hash of these two and that of the key (32-bit integers, little-endian); 8 bytes of the SHA-256 of
 * key and data. One system call appends it, so that records of several processes do not mix.
 */
const mark = Buffer.from([0x93, 0x67, 0x62, 0x01])
const lengthsAt = 4
const lengthsHashAt = 12
const keyHashAt = 16
const checksumAt = 20
const headBytes = 28

/** `bytes`: of the whole record. */
interface Head {
  readonly keyBytes: number
  readonly keyHash: number
  readonly bytes: number
}

export type RecordLog = ReturnType<typeof openRecordLog>

/**
 * An append-only file of records that several processes may write at once; 60 bytes of memory per record. Damaged
 * records are skipped and counted. Throws UserError unless the file is regular.
 */
export function openRecordLog(file: string) {
  const { descriptor, refusal } = openFile(file)
  // by a hash of the key, which takes less memory
  const offsets = new Map<number, number>()
  const read = blockReader(descriptor)
  const scratch = Buffer.alloc(4096)
  let scanEnd = 0
  let previous: number | undefined
  let damagedCount = 0

  /** The intact record at an offset, valid until the next call; undefined if there is none. */
  const recordAt = (offset: number): { readonly key: Buffer; readonly data: Buffer } | undefined => {
    const beginning = scratch.subarray(0, readSync(descriptor, scratch, 0, scratch.length, offset))
    const head = readHead(beginning)
    if (!head) return undefined
    const record = beginning.length < head.bytes ? readUpTo(descriptor, offset, head.bytes) : beginning
    const content = record.subarray(headBytes, head.bytes)
    if (checksum(content) !== record.toString('hex', checksumAt, headBytes)) return undefined
    return { key: content.subarray(0, head.keyBytes), data: content.subarray(head.keyBytes) }
  }
  /** Adds an intact record at the end of the scanned part. */
  const note = (key: Buffer, length: number): void => {
    offsets.set(shortOf(key.toString()), scanEnd)
    previous = scanEnd
    scanEnd += length
  }
  /** Reads what any process has appended since the last scan. */
  const scan = (): void => {
    const { size } = fstatSync(descriptor)
    while (scanEnd < size) {
      const head = readHead(read(scanEnd, headBytes, size))
      const key = head && scanEnd + head.bytes <= size ? read(scanEnd + headBytes, head.keyBytes, size) : undefined
      if (head && key && fnv(key) === head.keyHash) {
        note(key, head.bytes)
        continue
      }
      // the previous record may be unfinished and overlap intact ones
      const before = previous !== undefined && !recordAt(previous) ? previous : scanEnd
      const next = nextHead(read, before + 1, size)
      if (next === undefined) return
      damagedCount++
      scanEnd = next
      previous = undefined
    }
  }

  scan()
  return {
    /** The data of the latest intact record of a key, valid until the next call. */
    get(key: string): Buffer | undefined {
      const short = shortOf(key)
      if (!offsets.has(short)) scan()
      const offset = offsets.get(short)
      if (offset === undefined) return undefined
      const record = recordAt(offset)
      if (record) return record.key.toString() === key ? record.data : undefined
      damagedCount++
      offsets.delete(short)
      return undefined
    },
    /** Appends a record synchronously. Throws the file system's error. */
    append(key: string, data: Uint8Array): void {
      if (refusal) throw refusal
      const bytes = Buffer.from(key)
      const record = recordOf(bytes, data)
      const writtenBytes = writeSync(descriptor, record)
      if (writtenBytes < record.length)
        throw new Error(`only ${writtenBytes} of ${record.length} bytes could be written`)
      if (fstatSync(descriptor).size === scanEnd + record.length) note(bytes, record.length)
      // other processes have written, too
      else scan()
    },
    /** Damaged places met so far. */
    damaged: (): number => damagedCount,
    /** Throws the file system's error if the file cannot be synced. */
    close(): void {
      try {
        if (!refusal) fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
    },
  }
}

/** `refusal`: why the file is read-only. */
function openFile(file: string): { readonly descriptor: number; readonly refusal?: Error } {
  const isThere = regularFile(file) !== undefined
  try {
    return { descriptor: openSync(file, 'a+') }
  } catch (error) {
    if (!isThere || !(error instanceof Error)) throw error
    return { descriptor: openSync(file, 'r'), refusal: error }
  }
}

function recordOf(key: Uint8Array, data: Uint8Array): Buffer {
  const content = Buffer.concat([key, data])
  const head = Buffer.alloc(headBytes)
  mark.copy(head)
  head.writeUInt32LE(key.length, lengthsAt)
  head.writeUInt32LE(data.length, lengthsAt + 4)
  head.writeUInt32LE(fnv(head.subarray(lengthsAt, lengthsHashAt)), lengthsHashAt)
  head.writeUInt32LE(fnv(key), keyHashAt)
  head.write(checksum(content), checksumAt, 'hex')
  return Buffer.concat([head, content])
}

/** The head of the record that starts with these bytes; undefined if none does. */
function readHead(bytes: Buffer): Head | undefined {
  if (bytes.length < headBytes || mark.compare(bytes, 0, mark.length) !== 0) return undefined
  if (bytes.readUInt32LE(lengthsHashAt) !== fnv(bytes.subarray(lengthsAt, lengthsHashAt))) return undefined
  const keyBytes = bytes.readUInt32LE(lengthsAt)
  return {
    keyBytes,
    keyHash: bytes.readUInt32LE(keyHashAt),
    bytes: headBytes + keyBytes + bytes.readUInt32LE(lengthsAt + 4),
  }
}

type ReadBytes = (offset: number, length: number, size: number) => Buffer

/** The offset of the next intact head. */
function nextHead(read: ReadBytes, from: number, size: number): number | undefined {
  for (let offset = from; offset + headBytes <= size;) {
    const block = read(offset, Math.min(blockBytes, size - offset), size)
    for (let at = block.indexOf(mark); at >= 0; at = block.indexOf(mark, at + 1)) {
      const head = readHead(read(offset + at, headBytes, size))
      if (head && offset + at + head.bytes <= size) return offset + at
    }
    // a mark may cross the block's end
    offset += Math.max(1, block.length - mark.length + 1)
  }
  return undefined
}

const blockBytes = 1 << 20

/** Reads a file of `size` bytes by blocks, fewer bytes at its end. Results are valid until the next call. */
function blockReader(descriptor: number): ReadBytes {
  let start = 0
  let block: Buffer = Buffer.alloc(0)
  return (offset, length, size) => {
    const byteCount = Math.min(length, Math.max(0, size - offset))
    if (offset < start || offset + byteCount > start + block.length) {
      start = offset
      block = readUpTo(descriptor, offset, Math.min(size - offset, Math.max(byteCount, blockBytes)))
    }
    return block.subarray(offset - start, offset - start + byteCount)
  }
}

function readUpTo(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset))
}

const checksum = (bytes: Uint8Array): string => sha256(bytes).slice(0, 16)

/** FNV-1a, 32 bits. */
function fnv(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** 52 bits of a key's hash; keys of calls are hashes already. */
const shortOf = (key: string): number =>
  Number.parseInt((/^[0-9a-f]{64}$/.test(key) ? key : sha256(key)).slice(0, 13), 16)
