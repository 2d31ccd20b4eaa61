import { join } from 'node:path'
import { exists } from '../shared/official-file.ts'
import { findFiles, noDocuments, type FoundFiles } from './find-files.ts'
import { endings } from './question-records.ts'

/** What a folder holds for a comparison: documents, or a collection in the layout of BEIR. */
export interface FolderContents {
  readonly use: 'files' | 'beir'
  /** Files of documents, by kind, and what else lies there; none of `beir`. */
  readonly files: Readonly<Record<string, number>>
  readonly leftOut: FoundFiles['leftOut']
  /** A file named `questions`, in the folder or beside it. */
  readonly questions?: string
}

/** Looks at the names in a folder, and for questions in it and in the folder `beside`; no document is read. Throws UserError where there is no folder, or no document in it. */
export async function lookAtFolder(folder: string, beside: string): Promise<FolderContents> {
  const isBeir = await Promise.all(['corpus.jsonl', 'queries.jsonl', 'qrels'].map((name) => exists(join(folder, name))))
  if (isBeir.every(Boolean)) return { use: 'beir', files: {}, leftOut: {} }
  const places = [...new Set([beside, folder])].flatMap((place) =>
    endings.map((ending) => join(place, `questions.${ending}`)),
  )
  const there = await Promise.all(places.map(exists))
  const questions = places.find((_, index) => there[index])
  const found = await findFiles(folder, questions === undefined ? {} : { except: questions })
  if (found.files.length === 0) throw noDocuments(folder, found.leftOut)
  const files: Record<string, number> = {}
  for (const { format } of found.files) files[format] = (files[format] ?? 0) + 1
  return { use: 'files', files, leftOut: found.leftOut, ...(questions !== undefined && { questions }) }
}
