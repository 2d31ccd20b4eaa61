import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { messageOf, UserError } from '../../errors.ts'
import { sha256 } from '../../text/hash.ts'
import { fileChecksum } from '../shared/checksum.ts'
import { exists } from '../shared/official-file.ts'
import { safeName } from './safe-name.ts'
import { tarEntries } from './tar.ts'
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
