/** A file in a tar archive. */
export interface TarEntry {
  readonly name: string
  readonly data: Uint8Array
}

const block = 512

/**
 * The regular files of a tar archive (POSIX ustar, with the long names of pax and GNU), in order; folders are passed over. Throws Error
 * when a header's checksum or size is wrong, when the archive ends too early, and when an entry is a link or a device: these point outside.
 */
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
