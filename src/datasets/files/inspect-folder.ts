import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { wholeText } from '../../formats/text-file.ts'
import { present } from '../../text/amounts.ts'
import { languageOf } from '../../text/language.ts'
import type { Corpus, OnBadRecord } from '../../types.ts'
import { exists, missingPath } from '../shared/official-file.ts'
import { malformedRecords } from '../shared/published-dataset.ts'
import { countsOf, findFiles, noDocuments, remedyFor, type Omission } from './find-files.ts'
import { options as schema, type FilesOptions } from './options.ts'
import { endings, questionRecords, questionsPlace } from './question-records.ts'
import { problemOf, readDocuments } from './read-documents.ts'

/** What a folder holds for a comparison: documents, or a collection in the layout of BEIR. */
export interface FolderContents {
  readonly use: 'files' | 'beir'
  /** Number of document files by kind; empty for `beir`. */
  readonly files: Readonly<Record<string, number>>
  readonly leftOut: Readonly<Record<string, number>>
  /** Size of the plain-text files. */
  readonly bytes: number
  /** A file named `questions`, in the folder or beside it. */
  readonly questions?: string
  /** Why files are not read, and what to do about it. */
  readonly refusals?: readonly string[]
  /** ISO 639-1 code of the language of most texts, if it is certain. */
  readonly language?: string
}

/** Looks for documents in a folder, and for questions there and `beside`. Throws UserError without a document. */
export async function inspectFolder(folder: string, beside: string): Promise<FolderContents> {
  if (!(await exists(folder)))
    throw await missingPath(folder, { remedy: 'name the folder of your documents: gembench init FOLDER' })
  const beirNames = ['corpus.jsonl', 'queries.jsonl', 'qrels']
  const isBeir = await Promise.all(beirNames.map((name) => exists(join(folder, name))))
  if (isBeir.every(Boolean))
    return { use: 'beir', files: {}, leftOut: {}, bytes: (await stat(join(folder, 'corpus.jsonl'))).size }
  const places = [...new Set([beside, folder])].flatMap((place) =>
    endings.map((ending) => join(place, `questions.${ending}`)),
  )
  const there = await Promise.all(places.map(exists))
  const questions = places.find((_, index) => there[index])
  const skips: Omission[] = []
  const files: Record<string, number> = {}
  let bytes = 0
  // of files that need one package, the first stands for all
  const refusals = new Map<string, string>()
  const beginnings: string[] = []
  for (const file of await findFiles(folder, skips, questions)) {
    const { refusal, lack } = await problemOf(file)
    const kind = /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(file.name) ? 'jsonl' : file.format
    if (lack) skips.push(lack)
    const subject = kind === 'pdf' || kind === 'docx' ? kind : file.name
    if (refusal !== undefined && !refusals.has(subject)) refusals.set(subject, refusal)
    if (lack || refusal !== undefined) continue
    files[kind] = (files[kind] ?? 0) + 1
    if (kind !== 'pdf' && kind !== 'docx') bytes += (await stat(file.path)).size
    const isProse = kind === 'txt' || kind === 'md' || kind === 'html'
    if (isProse) beginnings.push((await wholeText(file.path)).slice(0, 5000))
  }
  const lines = [...refusals.values()]
  if (Object.keys(files).length === 0)
    throw noDocuments(folder, skips, remedyFor(skips) ?? (lines.join('; ') || undefined))
  const language = await languageOf(beginnings.map((text) => text.replaceAll(/<[^>]*>/g, ' ')))
  return {
    use: 'files',
    files,
    leftOut: countsOf(skips),
    bytes,
    refusals: present(lines, remedyFor(skips)),
    ...(questions !== undefined && { questions }),
    ...(language !== undefined && { language }),
  }
}

/** The options of the dataset `files`, parsed from those of a plan. Throws where they do not validate. */
export const ownOptions = (options: unknown): FilesOptions => schema.parse(options)

/** The documents at a path, without the file of questions. Throws UserError for an empty folder. */
export async function readOwnDocuments(
  path: string,
  options: FilesOptions,
  onBadRecord?: OnBadRecord,
): Promise<Required<Pick<Corpus, 'documents' | 'leftOut'>>> {
  const skips: Omission[] = []
  const files = await findFiles(path, skips, await questionsPlace(path, options))
  const bad = malformedRecords(onBadRecord, () => skips.push({ reason: 'records that could not be read' }))
  const documents = await readDocuments(path, files, options, bad, skips)
  return { documents, leftOut: countsOf(skips) }
}

/** Whether a file of questions holds a record. Throws UserError for an unreadable one. */
export async function hasRecords(file: string, options: FilesOptions): Promise<boolean> {
  if (!(await exists(file)) || (await stat(file)).size === 0) return false
  for await (const _record of questionRecords(file, options, malformedRecords('stop'))) return true
  return false
}
