import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'
import { countEach } from '../../basics/collections.ts'
import { isOfGembench } from '../../basics/files.ts'
import { failureOf, UserError } from '../../errors.ts'
import { byCodePoint } from '../../text/characters.ts'
import { exists, isFolder, missingPath } from '../shared/official-file.ts'
import { formatOf, type Format } from './options.ts'

/** A file of documents: its path, its name seen from the folder with "/" between the parts, and its kind. */
export interface FoundFile {
  readonly path: string
  readonly name: string
  readonly format: Format
}

/** Something that is left out: what it is, and what to do about it. */
export interface Omission {
  readonly reason: string
  readonly remedy?: string
}

/**
 * The files of documents at a path, in byte order of their names. Adds to what is left out, but not hidden files,
 * `except` and what gembench wrote, which come and go. Throws UserError.
 */
export async function findFiles(path: string, leftOut: Omission[], except?: string): Promise<readonly FoundFile[]> {
  const isInFolder = await isFolder(path)
  if (isInFolder === undefined) throw await missingPath(path)
  if (!isInFolder) {
    const format = formatOf(basename(path))
    if (!format) throw new UserError(`${path}: files of this kind are not supported; ${readable}`)
    return [{ path, name: basename(path), format }]
  }
  if (await isResults(path))
    throw new UserError(
      `${path}: is a results folder (manifest.json, trials.jsonl); name the folder of your documents, or move them out of this one`,
    )
  // links are left out, so the real path of each file is that of the folder and its name
  const exception = except === undefined ? undefined : await realpath(except).catch(() => undefined)
  const exceptName =
    exception &&
    relative(await realpath(path), exception)
      .split(sep)
      .join('/')
  const files: FoundFile[] = []
  const results: Omission[] = []
  async function look(folder: string, above: string) {
    for (const entry of await entriesOf(folder)) {
      const file = join(folder, entry.name)
      const name = `${above}${entry.name}`
      const omit = (reason: string) => leftOut.push({ reason })
      if (entry.name.startsWith('.')) continue
      if (entry.name.startsWith('~$')) omit('lock files of open documents (~$…)')
      else if (entry.isSymbolicLink()) omit('symbolic links')
      else if (entry.isDirectory() && entry.name === 'node_modules') omit('folders node_modules')
      else if (entry.isDirectory() && (await isResults(file))) results.push({ reason: 'results folders' })
      else if (entry.isDirectory()) await look(file, `${name}/`)
      else if (!entry.isFile()) omit('what is neither file nor folder')
      else if (name !== exceptName && name !== 'gembench.yaml' && !isOurs(file)) {
        const format = formatOf(entry.name)
        if (!format) omit(`files ${extname(entry.name).toLowerCase() || 'without an extension'}`)
        else if (statSync(file).size === 0) omit('empty files')
        else files.push({ path: file, name, format })
      }
    }
  }
  await look(path, '')
  if (files.length === 0) leftOut.push(...results)
  return files.sort((a, b) => byCodePoint(a.name, b.name))
}

/** Counts of what is left out, by the names of what it is, so that the order on disk does not count. */
export function countsOf(leftOut: readonly Omission[]): Readonly<Record<string, number>> {
  const counts = countEach(leftOut.map(({ reason }) => reason))
  const entries = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries)
}

/** What to do about the first file whose records lack "text". */
export const remedyFor = (leftOut: readonly Omission[]): string | undefined =>
  leftOut.find(({ remedy }) => remedy !== undefined)?.remedy

/** The error for a path without a document: what was left out, and what to do about it. */
export function noDocuments(
  path: string,
  leftOut: readonly Omission[],
  remedy = remedyFor(leftOut) ?? readable,
): UserError {
  const reasons = Object.entries(countsOf(leftOut)).map(([reason, count]) => `${reason} ${count}`)
  const omissions = reasons.length > 0 ? ` (left out: ${reasons.join(', ')})` : ''
  return new UserError(`${path}: holds no documents${omissions}; ${remedy}`)
}

const readable = 'documents are .txt, .md, .html, .pdf, .docx, .jsonl, .json and .csv'

const entriesOf = (folder: string) =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw failureOf(`${folder}: cannot be read`, error)
  })

const isResults = async (folder: string) =>
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
