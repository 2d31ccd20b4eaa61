import { dirname } from 'node:path'
import { z } from 'zod'
import { defineDataset, folderOption } from '../../define.ts'
import type { Corpus } from '../../types.ts'
import { type BadRecords, badRecords, onBadRecord, skippingBad } from '../shared/bad-records.ts'
import { type Counting, countedCorpora, firstItems, firstOnly } from '../shared/counted-corpora.ts'
import { documentId } from '../shared/document-id.ts'
import { exists, officialFile, ofFolder } from '../shared/official-file.ts'
import { alignedRows, type BookRow, bookRowOf, csvBookRows, isAlignment } from './rows.ts'

const splits = ['train', 'dev', 'test'] as const

const options = z.strictObject({
  split: z.enum(splits).default('test').describe('File to read when the path is a folder'),
  minLength: z
    .number()
    .min(0)
    .default(8000)
    .describe('A chapter must be longer than this by its column chapter_length (GoR); of alignments by its words'),
  withoutLength: z
    .enum(['leave-out', 'reference'])
    .default('leave-out')
    .describe(
      'Rows that do not say how long their chapter is: leave-out, or reference, which keeps them as the code of GoR does',
    ),
  references: z
    .enum(['own', 'all'])
    .default('own')
    .describe(
      'own: each row is a question with the summary of its study guide, as in GoR; all: one question per chapter, with the summaries of all its guides as references',
    ),
  texts: folderOption(
    z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe('Of alignments, the folder that their paths start from; null: that of the file'),
  ),
  items: firstItems('rows', 'GoR takes 30 of test and 400 of train'),
  onBadRecord,
})

type Options = z.output<typeof options>

/**
 * BookSum (Kryściński et al., 2022): one corpus per chapter, or book. The rows of a chapter by several study guides share it. The original
 * has alignments only, whose texts everyone collects; a row whose texts are not there is left out.
 */
export const booksum = defineDataset({
  name: 'booksum',
  summary: 'Chapters of novels and plays, each with the summaries that study guides give of it.',
  source: 'https://huggingface.co/datasets/kmfoda/booksum',
  licence:
    'alignments and code: BSD 3-Clause (Salesforce), for research only; summaries: the study guides that wrote them; books: mostly Project Gutenberg',
  layout:
    '`{train,dev,test}.csv` with `chapter`, `chapter_length` and `summary_text`, else a file of alignments (https://github.com/salesforce/booksum) beside the folders of its texts',
  options,
  evidence: false,
  files: async (path, chosen) => {
    const file = await fileOf(path, chosen)
    if (!isAlignment(file)) return [file]
    const texts = new Set<string>()
    for await (const { text, summary } of alignedRows(file, folderOf(file, chosen), badRecords(chosen.onBadRecord)))
      for (const one of [text, summary]) if (await exists(one)) texts.add(one)
    return [file, ...texts]
  },
  unused: ofFolder('split'),
  corpora: (path, chosen) =>
    skippingBad(chosen.onBadRecord, (bad) =>
      countedCorpora(path, (counting) => corporaOf(path, chosen, bad, counting)),
    ),
  download: {
    files: splits.map((split) => ({
      url: `https://huggingface.co/datasets/kmfoda/booksum/resolve/main/${split}.csv`,
      name: `${split}.csv`,
    })),
    note: 'For research only: the summaries belong to the study guides that wrote them.',
  },
})

const fileOf = (path: string, { split }: Options): Promise<string> =>
  officialFile(
    path,
    [`${split}.csv`, `chapter_summary_aligned_${split === 'dev' ? 'val' : split}_split.jsonl`],
    'booksum',
  )

const folderOf = (file: string, { texts }: Options): string => texts ?? dirname(file)

/** The chapters in the order of their first row; every row that is kept becomes a question, or a reference of the one there is. */
async function* corporaOf(path: string, chosen: Options, bad: BadRecords, counting: Counting): AsyncGenerator<Corpus> {
  const chapters = new Map<string, { readonly title: string; readonly text: string; readonly summaries: string[] }>()
  for await (const { title, text, summary } of keptRows(await fileOf(path, chosen), chosen, bad, counting)) {
    const id = documentId(text)
    const chapter = chapters.get(id) ?? { title, text, summaries: [] }
    chapters.set(id, chapter)
    chapter.summaries.push(summary)
  }
  counting.holds('chapters of the rows that are kept', chapters.size)
  for (const [id, { title, text, summaries }] of chapters) {
    const accepted = summaries.map((summary) => summary.trim())
    const references = chosen.references === 'all' ? [accepted] : accepted.map((one) => [one])
    const questions = references.map((own, at) => ({
      id: at === 0 ? id : `${id}#${at + 1}`,
      text: 'Summarise this story.',
      reference: { kind: 'summary', accepted: own } as const,
      cluster: id,
    }))
    yield { id, documents: [{ id, text, ...(title !== '' && { title }) }], questions }
  }
}

/** The rows that pass the filters, as many as are asked for. */
async function* keptRows(file: string, chosen: Options, bad: BadRecords, counting: Counting): AsyncGenerator<BookRow> {
  const { holds, leftOut } = counting
  const isFirst = firstOnly(chosen.items, 'rows', counting)
  for await (const row of rowsOf(file, chosen, bad)) {
    holds('rows')
    const long =
      row && (row.length === undefined ? chosen.withoutLength === 'reference' : row.length > chosen.minLength)
    if (!row) leftOut('rows whose texts are not there')
    else if (!long)
      leftOut(row.length === undefined ? 'rows without a length' : `rows of length ${chosen.minLength} or less`)
    else {
      holds(`rows longer than ${chosen.minLength}`)
      if (row.text.trim() === '') leftOut('rows without a chapter')
      else if (row.summary.trim() === '') leftOut('rows without a summary')
      else if (isFirst()) yield row
    }
  }
}

/** All rows; undefined for one whose texts are not there. */
async function* rowsOf(file: string, chosen: Options, bad: BadRecords): AsyncGenerator<BookRow | undefined> {
  if (!isAlignment(file)) {
    yield* csvBookRows(file, bad)
    return
  }
  for await (const row of alignedRows(file, folderOf(file, chosen), bad)) {
    const there = (await exists(row.text)) && (await exists(row.summary))
    const read = there ? await bad.attemptAsync(() => bookRowOf(row)) : undefined
    if (read || !there) yield read
  }
}
