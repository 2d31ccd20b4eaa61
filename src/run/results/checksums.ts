import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { scrub } from '../../basics/secrets.ts'
import { fileChecksum } from '../../datasets/index.ts'
import type { Manifest } from '../../records.ts'
import { hashOf, sha256 } from '../../text/hash.ts'
import { files } from './journal.ts'
import { replaceFile } from './replace-file.ts'

type Checksums = NonNullable<Manifest['checksums']>

/** Writes manifest.json; that of a run that has ended holds checksums, so that a later change of a file is known. `kept`: those of files that stay as they were. */
export async function writeManifest(folder: string, manifest: Manifest, kept: Partial<Checksums> = {}): Promise<void> {
  const { checksums: _before, ...written } = JSON.parse(scrub(JSON.stringify(manifest))) as Manifest
  const { trials, scores, meter } = files(folder)
  const checksums = written.finished !== null && {
    trials: kept.trials ?? (await checksumOf(trials)),
    scores: kept.scores ?? (await checksumOf(scores)),
    meter: kept.meter ?? (await checksumOf(meter)),
  }
  const whole = {
    ...written,
    ...(checksums && { checksums: { ...checksums, manifest: kept.manifest ?? hashOf(written) } }),
  }
  await replaceFile(join(folder, 'manifest.json'), `${JSON.stringify(whole, null, 2)}\n`)
}

/** Names of the files of a results folder that are not as the run left them; none where its manifest has no checksums. */
export async function changedFiles(folder: string, { checksums, ...manifest }: Manifest): Promise<readonly string[]> {
  if (!checksums) return []
  const { trials, scores, meter } = files(folder)
  const found = [
    ...(await Promise.all(
      (
        [
          [trials, checksums.trials],
          [scores, checksums.scores],
          [meter, checksums.meter],
        ] as const
      ).map(async ([file, checksum]) => ((await checksumOf(file)) === checksum ? [] : [basename(file)])),
    )),
    hashOf(manifest) === checksums.manifest ? [] : ['manifest.json'],
  ]
  return found.flat()
}

/** A file that is absent has no bytes. */
const checksumOf = async (file: string): Promise<string> =>
  (await stat(file).catch(() => undefined)) ? fileChecksum(file) : sha256('')
