import {
  type IndexLine,
  type Manifest,
  type MeterLine,
  type ScoreLine,
  type TrialLine,
  manifestForm,
  resultsFormat,
} from '../../records.ts'
import type { ZodType } from 'zod'
import { files, replaceFile } from './journal.ts'
import { readTimings, readTrials, damagedFileError, storedScores } from './read-lines.ts'
import { basename, dirname, join } from 'node:path'
import { once } from '../../basics/memoise.ts'
import { UserError, scrub } from '../../errors.ts'
import { describe, validationErrors } from '../../text/validation-errors.ts'
import { isRegularFile, readRegular, regularFile } from '../../basics/files.ts'
import { fileChecksum } from '../../datasets/index.ts'
import { hashOf, sha256 } from '../../text/hash.ts'

/** A results folder, open for reading: of a run, or of a series of runs that share a table. */
export interface Results {
  readonly folder: string
  readonly manifest: Manifest
  /** The runs of a series. */
  readonly runs?: readonly Results[]
  trials(): AsyncIterable<IndexLine | TrialLine>
  scores(): AsyncIterable<ScoreLine>
  timings(): AsyncIterable<MeterLine>
  readonly changedFiles: () => Promise<readonly string[]>
}

/** Opens the folder of one run; undefined where it is none. Throws UserError for an unreadable manifest. */
export async function openRunFolder(folder: string, isValid = false): Promise<Results | undefined> {
  const manifest = await readManifest(folder)
  if (!manifest) return undefined
  const { scores, meter: meterFile } = files(folder)
  const findMismatches = once(() => findChecksumMismatches(folder, manifest))
  // a file with a matching checksum has unique ids
  const readOptions = async (name: 'trials' | 'scores') => ({
    isUnique: manifest.checksums?.[name] !== undefined && (await findMismatches())[name] === undefined,
    isValid,
  })
  return {
    folder,
    manifest,
    async *trials() {
      yield* readTrials(folder, await readOptions('trials'))
    },
    async *scores() {
      for await (const { value } of storedScores(scores, await readOptions('scores'))) yield value
    },
    timings: () => readTimings(meterFile, { isValid }),
    async changedFiles() {
      const names: Readonly<Record<string, string>> = { ...files(folder), manifest: 'manifest.json' }
      // a link is refused, and not noted as a change
      for (const file of Object.values(files(folder))) regularFile(file)
      return Object.keys(await findMismatches()).map((name) => basename(names[name] ?? name))
    },
  }
}

/** The manifest of a results folder, or undefined in a new one. Throws UserError where it cannot be read. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const record = await readRecord(join(folder, 'manifest.json'), manifestForm)
  return record as Manifest | undefined
}

/** The record in a JSON file; undefined where there is none. Throws UserError for another format. */
export async function readRecord(file: string, schema: ZodType) {
  const text = await readRegular(file)
  if (text === undefined) return undefined
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch {
    throw new UserError(`${file}: is not a ${basename(file)} of gembench; restore it, or remove the results folder`)
  }
  // format 1 had no number
  const { format = 1, gembench } = Object(record) as Readonly<Record<string, unknown>>
  if (format !== resultsFormat) {
    const version = gembench === undefined ? '' : `, written by gembench ${describe(gembench)}`
    throw new UserError(
      `${file}: results format ${describe(format)}${version}; this version reads format ${resultsFormat}: ` +
        'remove or rename the folder and run the config again (cached calls are not repeated)',
    )
  }
  const [fault] = validationErrors(schema, record, {})
  if (fault) throw damagedFileError(file, fault.message)
  return record
}

/** SHA-256 digests by part of a results folder. */
export type Checksums = NonNullable<Manifest['checksums']>

/**
 * Writes manifest.json, with checksums if the run has ended. `retainedChecksums` override them, such as those of a
 * file that was edited.
 */
export async function writeManifest(
  folder: string,
  manifest: Manifest,
  retainedChecksums: Checksums = {},
): Promise<void> {
  const { checksums: _before, ...record } = JSON.parse(scrub(JSON.stringify(manifest))) as Manifest
  const checksums =
    record.finished === null
      ? retainedChecksums
      : { ...(await checksumsOf(folder)), manifest: hashOf(record), ...retainedChecksums }
  const content = { ...record, ...(Object.keys(checksums).length > 0 && { checksums }) }
  await replaceFile(join(folder, 'manifest.json'), `${JSON.stringify(content, null, 2)}\n`)
}

/** The checksums of a manifest that do not match, by part; empty without checksums. */
export async function findChecksumMismatches(
  folder: string,
  { checksums = {}, ...manifest }: Manifest,
): Promise<Checksums> {
  if (Object.keys(checksums).length === 0) return {}
  const current: Checksums = { ...(await checksumsOf(folder)), manifest: hashOf(manifest) }
  const entries = Object.entries(checksums)
  return Object.fromEntries(entries.filter(([name, checksum]) => current[name as keyof Checksums] !== checksum))
}

async function checksumsOf(folder: string): Promise<Checksums> {
  const checksums: Record<string, string> = {}
  for (const [name, file] of Object.entries(files(folder)))
    // anything but a regular file counts as empty: a device might never end
    checksums[name] = isRegularFile(file) ? await fileChecksum(file) : sha256('')
  return checksums
}

/** Where paths of a recorded config begin: at a published config.yaml, else in the working directory. */
export const configFolder = (folder: string) =>
  [folder, dirname(folder)].find((parent) => isRegularFile(join(parent, 'config.yaml'))) ?? process.cwd()
