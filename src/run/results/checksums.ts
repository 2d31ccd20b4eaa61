import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { scrub } from '../../basics/secrets.ts'
import { fileChecksum } from '../../datasets/index.ts'
import type { Manifest } from '../../records.ts'
import { hashOf, sha256 } from '../../text/hash.ts'
import { files } from './journal.ts'
import { replaceFile } from './replace-file.ts'

/** SHA-256 by what stands in a results folder. */
export type Checksums = NonNullable<Manifest['checksums']>

/**
 * Writes manifest.json; that of a run that has ended holds checksums, so that a later change of a file is known. `kept`: those that stay as
 * they were, as of a file that was changed by hand: it goes on being told from what the run left.
 */
export async function writeManifest(folder: string, manifest: Manifest, kept: Checksums = {}): Promise<void> {
  const { checksums: _before, ...written } = JSON.parse(scrub(JSON.stringify(manifest))) as Manifest
  const checksums =
    written.finished === null ? kept : { ...(await checksumsOf(folder)), manifest: hashOf(written), ...kept }
  const whole = { ...written, ...(Object.keys(checksums).length > 0 && { checksums }) }
  await replaceFile(join(folder, 'manifest.json'), `${JSON.stringify(whole, null, 2)}\n`)
}

/** The checksums of a manifest that no longer fit, by what was changed; none where it has no checksums. */
export async function brokenChecksums(folder: string, { checksums = {}, ...manifest }: Manifest): Promise<Checksums> {
  const known = Object.entries(checksums)
  if (known.length === 0) return {}
  const now: Checksums = { ...(await checksumsOf(folder)), manifest: hashOf(manifest) }
  return Object.fromEntries(known.filter(([name, checksum]) => now[name as keyof Checksums] !== checksum))
}

/** Names of the files of a results folder that are not as the run left them; none where its manifest has no checksums. */
export async function changedFiles(folder: string, manifest: Manifest): Promise<readonly string[]> {
  const names: Readonly<Record<string, string>> = { ...files(folder), manifest: 'manifest.json' }
  return Object.keys(await brokenChecksums(folder, manifest)).map((name) => basename(names[name] ?? name))
}

async function checksumsOf(folder: string): Promise<Checksums> {
  const { trials, passages, scores, meter } = files(folder)
  return {
    ...{ trials: await checksumOf(trials), passages: await checksumOf(passages) },
    ...{ scores: await checksumOf(scores), meter: await checksumOf(meter) },
  }
}

/** What is absent, or no file, has no bytes: those of a device would never end. */
const checksumOf = async (file: string): Promise<string> =>
  (await stat(file).catch(() => undefined))?.isFile() ? fileChecksum(file) : sha256('')
