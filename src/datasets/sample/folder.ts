import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UserError } from '../../errors.ts'
import type { Document } from '../../types.ts'
import { byBytes } from '../shared/by-bytes.ts'
import { exists } from '../shared/official-file.ts'
import { textOf } from '../formats/text-file.ts'

/** The files of a folder in the form of the sample: `documents/*.md`, sorted by the bytes of their names, then a file of questions. */
export interface SampleFolder {
  readonly documents: readonly string[]
  readonly questions: string
}

/** Finds the files. Throws UserError naming what is not there. */
export async function sampleFolder(path: string, questionFile: string): Promise<SampleFolder> {
  const form = `the dataset must be a folder with documents/*.md and ${questionFile}`
  const folder = join(path, 'documents')
  const names = await readdir(folder).catch(() => {
    throw new UserError(`${folder}: no such folder; ${form}`)
  })
  const documents = names.filter((name) => name.endsWith('.md')).sort(byBytes)
  if (documents.length === 0) throw new UserError(`${folder}: contains no .md file; ${form}`)
  const questions = join(path, questionFile)
  if (!(await exists(questions))) throw new UserError(`${questions}: no such file; ${form}`)
  return { documents: documents.map((name) => join(folder, name)), questions }
}

/** A file as a document: its name without `.md` is the id, its first line the title. The text keeps the title line; CRLF becomes LF. */
export async function readDocument(file: string): Promise<Document> {
  const pieces: string[] = []
  for await (const piece of textOf(file)) pieces.push(piece)
  const text = pieces.join('').replaceAll('\r\n', '\n')
  const title = /^# +(\S.*)/.exec(text)?.[1]?.trim()
  if (title === undefined) throw new UserError(`${file}:1: the first line is not a title; write "# Title"`)
  return { id: basename(file, '.md'), text, title }
}
