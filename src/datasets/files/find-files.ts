import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { isOfGembench } from '../../basics/files.ts'
import { failureOf, UserError } from '../../errors.ts'
import { byBytes, exists, missingPath, statsOf } from '../shared/official-file.ts'
import { formatOf, type Format } from './options.ts'

/** A file of documents: its path, its name seen from the folder with "/" between the parts, and its kind. */
export interface FoundFile {
  readonly path: string
  readonly name: string
  readonly format: Format
}

/**
 * The files of documents at a path, in byte order of their names. Counts what is left out, but not hidden files,
 * `except` and what gembench wrote, which come and go. Throws UserError.
 */
export async function findFiles(path: string, leftOut: Tally, except?: string): Promise<readonly FoundFile[]> {
  const there = await statsOf(path)
  if (!there) throw await missingPath(path)
  if (!there.isDirectory()) {
    const format = formatOf(basename(path))
    if (!format) throw new UserError(`${path}: files of this kind are not supported; ${readable}`)
    return [{ path, name: basename(path), format }]
  }
  const not = except === undefined ? undefined : await realpath(except).catch(() => undefined)
  const files: FoundFile[] = []
  let results = 0
  async function look(folder: string, above: string): Promise<void> {
    if (await isResults(folder)) {
      if (above === '')
        throw new UserError(
          `${path}: is a results folder (manifest.json, trials.jsonl); name the folder of your documents, or move them out of this one`,
        )
      results++
      return
    }
    const holdsNot = not !== undefined && dirname(not) === (await realpath(folder))
    for (const entry of await entriesOf(folder)) {
      const file = join(folder, entry.name)
      const name = `${above}${entry.name}`
      if (entry.name.startsWith('.')) continue
      if (entry.name.startsWith('~$')) {
        leftOut.add('lock files of open documents (~$…)')
        continue
      }
      if (entry.isSymbolicLink()) leftOut.add('symbolic links')
      else if (entry.isDirectory() && entry.name === 'node_modules') leftOut.add('folders node_modules')
      else if (entry.isDirectory()) await look(file, `${name}/`)
      else if (!entry.isFile()) leftOut.add('what is neither file nor folder')
      else if (!(holdsNot && entry.name === basename(not)) && name !== 'gembench.yaml' && !isOurs(file)) {
        const format = formatOf(entry.name)
        if (!format) leftOut.add(`files ${extname(entry.name).toLowerCase() || 'without an extension'}`)
        else if (statSync(file).size === 0) leftOut.add('empty files')
        else files.push({ path: file, name, format })
      }
    }
  }
  await look(path, '')
  if (files.length === 0 && results > 0) {
    leftOut.add('results folders', results)
    throw noDocuments(path, leftOut)
  }
  return files.sort((a, b) => byBytes(a.name, b.name))
}

/** The error for a path without a document: what was left out, and what to do about it. */
export function noDocuments(path: string, leftOut: Tally, remedy = leftOut.remedy() ?? readable): UserError {
  const reasons = Object.entries(leftOut.counts()).map(([reason, count]) => `${reason} ${count}`)
  const omissions = reasons.length > 0 ? ` (left out: ${reasons.join(', ')})` : ''
  return new UserError(`${path}: holds no documents${omissions}; ${remedy}`)
}

const readable = 'documents are .txt, .md, .html, .pdf, .docx, .jsonl, .json and .csv'

const entriesOf = (folder: string) =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw failureOf(`${folder}: cannot be read`, error)
  })

const isResults = async (folder: string): Promise<boolean> =>
  (await exists(join(folder, 'manifest.json'))) && (await exists(join(folder, 'trials.jsonl')))

function isOurs(file: string) {
  try {
    const descriptor = openSync(file, 'r')
    try {
      return isOfGembench(head.toString('utf8', 0, readSync(descriptor, head, 0, head.length, 0)))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return false
  }
}

/** The first bytes of the file that is looked at. */
const head = Buffer.alloc(200)

export type Tally = ReturnType<typeof tally>

/** Counts what is left out of a dataset, by what it is. */
export function tally() {
  const counts = new Map<string, number>()
  let firstRemedy: string | undefined
  const add = (reason: string, count = 1): void => {
    counts.set(reason, (counts.get(reason) ?? 0) + count)
  }
  return {
    add,
    /** A file that holds no documents. */
    addLack({ reason, remedy }: Lack): void {
      add(reason)
      firstRemedy ??= remedy
    },
    /** The counts, by the names of what it is, so that the order on disk does not count. */
    counts: (): Readonly<Record<string, number>> =>
      Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
    /** What to do about the first file whose records lack "text". */
    remedy: () => firstRemedy,
  }
}

/** Why a file holds no documents, and what to do about it. */
export interface Lack {
  readonly reason: string
  readonly remedy?: string
}
