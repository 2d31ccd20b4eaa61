import { join } from 'node:path'
import { addFields } from '../../basics/add-fields.ts'
import { missingPath } from '../shared/missing-path.ts'
import { exists } from '../shared/official-file.ts'
import { tally } from '../shared/tally.ts'
import { findFiles, noDocuments, type FoundFiles } from './find-files.ts'
import { endings } from './question-records.ts'
import { isOfRecords, lackIn } from './records.ts'

/** What a folder holds for a comparison: documents, or a collection in the layout of BEIR. */
export interface FolderContents {
  readonly use: 'files' | 'beir'
  /** Files of documents, by kind, and what else lies there; none of `beir`. */
  readonly files: Readonly<Record<string, number>>
  readonly leftOut: FoundFiles['leftOut']
  /** A file named `questions`, in the folder or beside it. */
  readonly questions?: string
  /** What to do about the first file of records none of which has "text". */
  readonly textless?: string
}

/** Looks at the names in a folder, into its files of records, and for questions in it and in the folder `beside`. Throws UserError where there is no folder, or no document in it. */
export async function lookAtFolder(folder: string, beside: string): Promise<FolderContents> {
  if (!(await exists(folder)))
    throw await missingPath(folder, { remedy: 'name the folder of your documents: gembench init FOLDER' })
  const isBeir = await Promise.all(['corpus.jsonl', 'queries.jsonl', 'qrels'].map((name) => exists(join(folder, name))))
  if (isBeir.every(Boolean)) return { use: 'beir', files: {}, leftOut: {} }
  const places = [...new Set([beside, folder])].flatMap((place) =>
    endings.map((ending) => join(place, `questions.${ending}`)),
  )
  const there = await Promise.all(places.map(exists))
  const questions = places.find((_, index) => there[index])
  const found = await findFiles(folder, questions === undefined ? {} : { except: questions })
  const files: Record<string, number> = {}
  const lacking = tally()
  let textless: string | undefined
  for (const file of found.files) {
    const lack = isOfRecords(file) ? await lackIn(file) : undefined
    if (lack) lacking.add(lack.counted)
    else files[file.format] = (files[file.format] ?? 0) + 1
    textless ??= lack?.remedy
  }
  const leftOut = addFields(found.leftOut, lacking.counts())
  if (Object.keys(files).length === 0) throw noDocuments(folder, leftOut, textless)
  const told = { ...(questions !== undefined && { questions }), ...(textless !== undefined && { textless }) }
  return { use: 'files', files, leftOut, ...told }
}
