import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { messageOf, UserError } from '../../errors.ts'
import { sha256 } from '../../text/hash.ts'
import { fileChecksum } from '../shared/checksum.ts'
import { exists } from '../shared/official-file.ts'
import { zipEntries } from './zip.ts'

/**
 * Takes the members wanted, known by their last name, out of an archive into a folder; gives their paths. A member that is already there
 * with the same bytes stays. Throws UserError when the archive is damaged, lacks one or has two of it,
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
    throw new UserError(
      `${archive}: cannot be unpacked as ${format} (${messageOf(error)}); remove it and download it again`,
      {
        cause: error,
      },
    )
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

/** The last part of a name that came from outside, as a plain file name: it never leaves the folder that it is joined to. */
export function safeName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  return last.replace(/[^\w.+-]+/g, '_').replace(/^\.+/, '') || 'file'
}
