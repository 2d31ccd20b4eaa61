import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { resultsFormat, type Manifest } from '../../records.ts'
import { describe, shapeFaults } from '../../text/shape-faults.ts'
import { damaged } from './read-lines.ts'
import { manifestForm } from './result-forms.ts'

/** The manifest of a results folder, or undefined in a new one. Throws UserError for one that cannot be read, or of another results format. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const file = join(folder, 'manifest.json')
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR')
      return undefined
    throw error
  })
  if (text === undefined) return undefined
  let manifest: Partial<Manifest> | null
  try {
    manifest = JSON.parse(text) as Partial<Manifest> | null
  } catch {
    throw new UserError(`${file}: is not a manifest of gembench; restore it, or remove the results folder`)
  }
  // the first format had no number
  const format = manifest?.format ?? 1
  if (format !== resultsFormat) {
    throw new UserError(
      `${file}: results format ${describe(format)}, written by gembench ${describe(manifest?.gembench)}; this version reads format ${resultsFormat}: ` +
        'remove or rename the folder and run the config again (cached calls are not repeated)',
    )
  }
  const [fault] = shapeFaults(manifestForm, manifest, {})
  if (fault) throw damaged(file, fault.message)
  return manifest as Manifest
}
