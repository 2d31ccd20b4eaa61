import { stat } from 'node:fs/promises'
import { addFields } from '../../basics/add-fields.ts'
import type { Document } from '../../types.ts'
import { badRecords } from '../shared/bad-records.ts'
import { findFiles, noDocuments } from './find-files.ts'
import { options as schema, type FilesOptions } from './options.ts'
import { questionRecords, questionsPlace } from './question-records.ts'
import { readDocuments } from './read-documents.ts'

/** The documents of own data, whether or not there are questions about them yet. */
export interface OwnDocuments {
  readonly documents: readonly Document[]
  /** What the files hold and is not read, counted. */
  readonly leftOut: Readonly<Record<string, number>>
}

/** The options of the dataset `files`, read from those of a plan. Throws where they are none. */
export const ownOptions = (options: unknown): FilesOptions => schema.parse(options)

/** Reads the documents at a path; the file of the questions, there or to come, is none of them. Throws UserError where there is no document. */
export async function readOwnDocuments(path: string, options: FilesOptions): Promise<OwnDocuments> {
  const found = await findFiles(path, { ...options, except: await questionsPlace(path, options) })
  const bad = badRecords(options.onBadRecord)
  const { documents, leftOut } = await readDocuments(found.files, options, bad)
  const unread = bad.count() > 0 ? { 'records that could not be read': bad.count() } : {}
  const all = addFields(addFields(found.leftOut, leftOut), unread)
  if (documents.length === 0) throw bad.first() ?? noDocuments(path, all)
  return { documents, leftOut: all }
}

/** Whether a file of questions has a row; one that is not there, or is empty, has none. Throws UserError for one that cannot be read. */
export async function hasQuestions(file: string, options: FilesOptions): Promise<boolean> {
  const there = await stat(file).catch(() => undefined)
  if (!there || there.size === 0) return false
  for await (const _row of questionRecords(file, options, badRecords('stop'))) return true
  return false
}
