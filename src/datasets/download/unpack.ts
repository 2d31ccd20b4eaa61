import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { messageOf, UserError } from '../errors.ts'
import { sha256 } from '../text/hash.ts'
import { fileChecksum } from './checksum.ts'
import { exists } from './files.ts'
import { safeName } from './safe-name.ts'
import { tarEntries } from './tar.ts'

/**
 * Takes the members wanted, known by their last name, out of an archive into a folder; gives their paths. A member that is already there
 * with the same bytes stays. Throws UserError when the archive is damaged or lacks one, or when another file has its name.
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
    if (!data) throw new UserError(`${archive}: holds no ${member}; the source may have changed`)
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
  const isWanted = ({ name }: { name: string }): boolean => wanted.has(basename(name))
  try {
    const entries =
      format === 'zip'
        ? Object.entries(unzipSync(bytes, { filter: isWanted })).map(([name, data]) => ({ name, data }))
        : [...tarEntries(gunzipSync(bytes))].filter(isWanted)
    return new Map(entries.map(({ name, data }) => [basename(name), data]))
  } catch (error) {
    throw new UserError(
      `${archive}: cannot be unpacked as ${format} (${messageOf(error)}); remove it and get it again`,
      {
        cause: error,
      },
    )
  }
}

async function place(path: string, data: Uint8Array, archive: string): Promise<void> {
  if (await exists(path)) {
    if ((await fileChecksum(path)) === sha256(data)) return
    throw new UserError(
      `${path}: is there already and differs from the one in ${archive}; move it away, then run again`,
    )
  }
  await writeFile(`${path}.part`, data)
  await rename(`${path}.part`, path)
}
