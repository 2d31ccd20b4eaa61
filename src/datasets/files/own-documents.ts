import { stat } from 'node:fs/promises'
import { addFields } from '../../basics/add-fields.ts'
import type { Document } from '../../types.ts'
import { isObject } from '../formats/shape.ts'
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
  const { documents, leftOut, textless } = await readDocuments(found.files, options, bad)
  const unread = bad.count() > 0 ? { 'records that could not be read': bad.count() } : {}
  const all = addFields(addFields(found.leftOut, leftOut), unread)
  if (documents.length === 0) throw bad.first() ?? noDocuments(path, all, textless)
  return { documents, leftOut: all }
}

/** What a file of questions holds; one that is not there, or has no row, holds nothing. Throws UserError for one that cannot be read. */
export async function heldBy(file: string, options: FilesOptions): Promise<'nothing' | 'questions' | 'something else'> {
  const there = await stat(file).catch(() => undefined)
  if (!there || there.size === 0) return 'nothing'
  for await (const { value } of questionRecords(file, options, badRecords('stop')))
    return hasQuestion(value, options) ? 'questions' : 'something else'
  return 'nothing'
}

function hasQuestion(row: unknown, { columns }: FilesOptions): boolean {
  const wanted = [columns?.question ?? []].flat()
  const names = isObject(row) ? Object.keys(row) : []
  return names.some((name) => (wanted.length > 0 ? wanted.includes(name) : name.toLowerCase() === 'question'))
}
