import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { crc32, gunzipSync } from 'node:zlib'
import AdmZip from 'adm-zip'
import { unpackTar } from 'modern-tar'
import { failureOf, UserError } from '../../errors.ts'
import { sha256 } from '../../text/hash.ts'
import { fileChecksum } from '../shared/checksum.ts'
import { exists } from '../shared/official-file.ts'

/**
 * Unpacks members, known by their last names, into a folder; equal ones there stay. Throws UserError for a damaged
 * archive, links, names that lead outside, members missing or there twice, and other files of these names.
 */
export async function unpack(
  archive: string,
  format: 'zip' | 'tgz',
  members: readonly string[],
  folder: string,
): Promise<readonly string[]> {
  const bytes = await readFile(archive)
  const contents = new Map<string, Uint8Array>()
  try {
    for (const { name, data } of format === 'zip' ? zipEntries(bytes) : await tarEntries(gunzipSync(bytes))) {
      if (leaves(name)) throw new Error(`"${name}" would be outside the folder`)
      const last = basename(name)
      if (!members.includes(last)) continue
      if (contents.has(last)) throw new Error(`two members are named ${last}`)
      contents.set(last, data())
    }
  } catch (error) {
    throw failureOf(`${archive}: cannot be unpacked as ${format}`, error, '; remove it and download it again')
  }
  const paths: string[] = []
  for (const member of members) {
    const data = contents.get(member)
    if (!data) throw new UserError(`${archive}: does not contain ${member}; the source may have changed`)
    const path = join(folder, safeName(member))
    await place(path, data, archive)
    paths.push(path)
  }
  return paths
}

/** Whether a name is absolute, on Windows too, or goes up. */
const leaves = (name: string) => /^(?:[\\/]|[a-z]:)/i.test(name) || name.split(/[\\/]/).includes('..')

async function place(path: string, data: Uint8Array, archive: string) {
  if (await exists(path)) {
    if ((await fileChecksum(path)) === sha256(data)) return
    throw new UserError(
      `${path}: exists already and differs from the file in ${archive}; move it away and run the command again`,
    )
  }
  await writeFile(`${path}.part`, data)
  await rename(`${path}.part`, path)
}

/** The regular files of a tar archive, in order. Throws Error for damage, links and devices. */
export async function tarEntries(archive: Uint8Array): Promise<readonly ArchiveEntry[]> {
  const entries = await unpackTar(archive, { strict: true })
  return entries.flatMap(({ header: { name, size, type = 'file' }, data = new Uint8Array() }) => {
    if (type === 'directory') return []
    if (type !== 'file') throw new Error(`"${name}" is a link or a device`)
    if (data.length !== size) throw new Error(`"${name}" does not have the size that the archive declares`)
    return [{ name, size, data: () => data }]
  })
}

/** The last part of a name from outside as a plain file name, which never leaves its folder. */
export function safeName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  return last.replace(/[^\w.+-]+/g, '_').replace(/^\.+/, '') || 'file'
}

/** A file of an archive; `data` unpacks it. */
interface ArchiveEntry {
  readonly name: string
  /** Declared size when unpacked, in bytes. */
  readonly size: number
  /** Throws Error where the size or checksum differs from the declared one. */
  readonly data: () => Uint8Array
}

/** Deflate makes at most 1032 bytes of one. */
const largestRatio = 1032

/** The files of a zip archive as its directory lists them. Throws Error for damage, links, encryption, wrong sizes. */
export function zipEntries(archive: Uint8Array): readonly ArchiveEntry[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const files = new AdmZip(bytes, { noSort: true }).getEntries().filter(({ isDirectory }) => !isDirectory)
  return files.map((file) => {
    const { entryName: name, header, attr } = file
    const { size, compressedSize } = header
    // the upper half is the file's mode, where the archive was made on Unix
    if (((attr >>> 16) & 0o170000) === 0o120000) throw new Error(`"${name}" is a link`)
    if (header.encrypted) throw new Error(`"${name}" is encrypted`)
    if (size > compressedSize * largestRatio || compressedSize > bytes.length)
      throw new Error(`"${name}" has an impossible size`)
    return {
      name,
      size,
      data: () => {
        const data = file.getData()
        if (crc32(data) !== header.crc || data.length !== size)
          throw new Error(`"${name}" does not have the size and checksum that the archive declares`)
        return data
      },
    }
  })
}
