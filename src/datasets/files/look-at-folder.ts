import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../basics/plain-data.ts'
import type { Document, OnBadRecord } from '../../types.ts'
import { missingPath, exists } from '../shared/official-file.ts'
import { malformedRecords } from '../shared/reading.ts'
import { findFiles, noDocuments, tally } from './find-files.ts'
import { options as schema, type FilesOptions } from './options.ts'
import { endings, questionRecords, questionsPlace } from './question-records.ts'
import { isOfRecords, lackIn, readDocuments, refusalOf } from './read-documents.ts'

/** What a folder holds for a comparison: documents, or a collection in the layout of BEIR. */
export interface FolderContents {
  readonly use: 'files' | 'beir'
  /** Files of documents, by kind, and what else lies there; none of `beir`. */
  readonly files: Readonly<Record<string, number>>
  readonly leftOut: Readonly<Record<string, number>>
  /** Of the files that hold plain text. */
  readonly bytes: number
  /** A file named `questions`, in the folder or beside it. */
  readonly questions?: string
  /** What to do about the first file of records none of which has "text". */
  readonly textless?: string
  /** Files that a run refuses as they are, and why it refuses the first. */
  readonly refusals?: { readonly count: number; readonly first: string }
}

/** Looks for documents in a folder, and for questions there and `beside`. Throws UserError without a document. */
export async function lookAtFolder(folder: string, beside: string): Promise<FolderContents> {
  if (!(await exists(folder)))
    throw await missingPath(folder, { remedy: 'name the folder of your documents: gembench init FOLDER' })
  const isBeir = await Promise.all(['corpus.jsonl', 'queries.jsonl', 'qrels'].map((name) => exists(join(folder, name))))
  if (isBeir.every(Boolean))
    return { use: 'beir', files: {}, leftOut: {}, bytes: (await stat(join(folder, 'corpus.jsonl'))).size }
  const places = [...new Set([beside, folder])].flatMap((place) =>
    endings.map((ending) => join(place, `questions.${ending}`)),
  )
  const there = await Promise.all(places.map(exists))
  const questions = places.find((_, index) => there[index])
  const skips = tally()
  const files: Record<string, number> = {}
  let bytes = 0
  let textless: string | undefined
  const refusals: string[] = []
  for (const file of await findFiles(folder, skips, questions)) {
    const refusal = await refusalOf(file)
    const lack = refusal === undefined && isOfRecords(file) ? await lackIn(file) : undefined
    const kind = /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(file.name) ? 'jsonl' : file.format
    if (refusal !== undefined) refusals.push(refusal)
    else if (lack) skips.add(lack.reason)
    else {
      files[kind] = (files[kind] ?? 0) + 1
      if (kind !== 'pdf' && kind !== 'docx') bytes += (await stat(file.path)).size
    }
    textless ??= lack?.remedy
  }
  const [first] = refusals
  const leftOut = skips.counts()
  if (Object.keys(files).length === 0) throw noDocuments(folder, leftOut, textless ?? first)
  const optionalFields = { ...(questions !== undefined && { questions }), ...(textless !== undefined && { textless }) }
  const refusalFields = first === undefined ? {} : { refusals: { count: refusals.length, first } }
  return { use: 'files', files, leftOut, bytes, ...optionalFields, ...refusalFields }
}

/** The documents of own data, whether or not there are questions about them yet. */
export interface OwnDocuments {
  readonly documents: readonly Document[]
  /** What the files hold and is not read, counted. */
  readonly leftOut: Readonly<Record<string, number>>
}

/** The options of the dataset `files`, read from those of a plan. Throws where they are none. */
export const ownOptions = (options: unknown): FilesOptions => schema.parse(options)

/** The documents at a path, the file of the questions excepted. Throws UserError where there is none. */
export async function readOwnDocuments(
  path: string,
  options: FilesOptions,
  onBadRecord?: OnBadRecord,
): Promise<OwnDocuments> {
  const skips = tally()
  const files = await findFiles(path, skips, await questionsPlace(path, options))
  const bad = malformedRecords(onBadRecord)
  const { documents, textless } = await readDocuments(files, options, bad, skips)
  const leftOut = { ...skips.counts(), ...(bad.count() > 0 && { 'records that could not be read': bad.count() }) }
  if (documents.length === 0) throw bad.first() ?? noDocuments(path, leftOut, textless)
  return { documents, leftOut }
}

/** What a file of questions holds; an absent or empty one holds nothing. Throws UserError for an unreadable one. */
export async function heldBy(file: string, options: FilesOptions): Promise<'nothing' | 'questions' | 'something else'> {
  const there = await stat(file).catch(() => undefined)
  if (!there || there.size === 0) return 'nothing'
  for await (const { value } of questionRecords(file, options, malformedRecords('stop')))
    return hasQuestion(value, options) ? 'questions' : 'something else'
  return 'nothing'
}

function hasQuestion(row: unknown, { columns }: FilesOptions): boolean {
  const columnNames = [columns?.question ?? []].flat()
  const names = isObject(row) ? Object.keys(row) : []
  return names.some((name) => (columnNames.length > 0 ? columnNames.includes(name) : name.toLowerCase() === 'question'))
}
